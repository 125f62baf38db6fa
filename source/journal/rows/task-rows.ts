import {z} from 'zod';
import {isJsonObject, type JsonObject, parseJson} from '../../util/json-text.ts';
import {transformed} from './read-rows.ts';
import {type TimeLeft} from './request-rows.ts';

/** The client of a task: the name of its token, or over stdio the name that it claims. */
export type TaskClient = {readonly kind: 'token' | 'claim'; readonly name: string};

/** The call of a task as its client made it, and what decided about it. */
export type TaskCall = {
	/** The registered name of the tool. */
	readonly name: string;
	/** The server of the tool. */
	readonly server: string;
	readonly arguments: JsonObject;
	/** The name that the client's program gives itself. */
	readonly program: string;
	/** Hash of what an approval was for: definition, trust, arguments, token and filter of the client. */
	readonly subject: string;
};

/** The request to a person about the call of a task. */
export type TaskApproval = {
	readonly id: string;
	readonly requestedAt: number;
	/** The person who allowed it once; absent while it waits. */
	readonly by?: string | undefined;
	/** The rule that asked. */
	readonly rule?: string | undefined;
};

/**
`waiting`: the call is not sent yet; `begun`: it may have been sent. The others are ends: with a result, which may be an error of the tool; with an error
of the protocol; without either.
*/
export const taskStates = ['waiting', 'begun', 'completed', 'failed', 'cancelled'] as const;

export type TaskState = (typeof taskStates)[number];

/** A task as it is written before its id is handed out. */
export type NewTask = {
	readonly id: string;
	readonly profile: string;
	readonly client: TaskClient;
	readonly call: TaskCall;
	readonly approval?: TaskApproval | undefined;
	/** The call that may have been sent. */
	readonly callId?: string | undefined;
	/** The task and its result are kept so long. */
	readonly left: TimeLeft;
};

/** A change of a task whose call is not sent yet. */
export type TaskChange = {readonly subject: string; readonly approval?: TaskApproval | undefined};

/** The end of a task. */
export type TaskEnd = {
	readonly state: 'completed' | 'failed' | 'cancelled';
	/** The result of the call, or the error of the protocol; it is stored as JSON. */
	readonly outcome?: Readonly<Record<string, unknown>> | undefined;
	/** A reason in words. */
	readonly message?: string | undefined;
};

/** A task. Times are milliseconds since the epoch by the clock of the journal. */
export type TaskRow = {
	readonly id: string;
	readonly profile: string;
	readonly client: TaskClient;
	readonly state: TaskState;
	readonly createdAt: number;
	readonly changedAt: number;
	/** Null while its time stands still. */
	readonly expiresAt: number | null;
	readonly left: TimeLeft;
	readonly call: TaskCall;
	readonly approval?: TaskApproval | undefined;
	readonly callId?: string | undefined;
	/** The journal has that call: it may have been sent. */
	readonly isCallKnown: boolean;
	readonly outcome?: JsonObject | undefined;
	readonly message?: string | undefined;
};

/** The name of a task as its client knows it. */
export type TaskName = {readonly id: string; readonly profile: string; readonly client: TaskClient};

/** The tasks that a gateway wants to have: those of a profile that nobody looks after, except these. */
export type TaskQuery = {readonly profile: string; readonly known: readonly string[]};

/** The state of a task that this gateway looks after, and that its client wants it to end. */
export type TaskCancellation = {readonly id: string; readonly state: TaskState; readonly isCancelled: boolean};

/** More tasks than any profile has open at once. */
export const maxTakenTasks = 2000;

/** The column of a client. */
export function clientColumn({kind, name}: TaskClient): string {
	return `${kind}:${name}`;
}

/** Both kinds have as many letters. */
const client = z.string().transform(
	(text): TaskClient => ({
		kind: text.startsWith('token:') ? 'token' : 'claim',
		name: text.slice('token:'.length),
	}),
);

const json = z.custom<JsonObject>(isJsonObject);
const call: z.ZodType<TaskCall> = z.object({
	name: z.string(),
	server: z.string(),
	arguments: json,
	program: z.string(),
	subject: z.string(),
});
const approval: z.ZodType<TaskApproval> = z.object({
	id: z.string(),
	requestedAt: z.number(),
	by: z.string().optional(),
	rule: z.string().optional(),
});

const column = <Value>(schema: z.ZodType<Value>) =>
	z.string().transform((text, context) => transformed(context, () => schema.parse(parseJson(text))));

/** A row of the table; `now` by the clock of the journal. */
export function taskRow(now: number): z.ZodType<TaskRow> {
	return z
		.object({
			id: z.string(),
			profile: z.string(),
			client,
			state: z.enum(taskStates),
			createdAt: z.number(),
			changedAt: z.number(),
			expiresAt: z.number(),
			left: z.number().nullable(),
			call: column(call),
			approval: column(approval).nullable(),
			callId: z.string().nullable(),
			isCallKnown: z.union([z.boolean(), z.number()]).transform(Boolean),
			outcome: column(json).nullable(),
			message: z.string().nullable(),
		})
		.transform(
			({approval: asked, callId, outcome, message, expiresAt, left, ...row}): TaskRow => ({
				...row,
				expiresAt: left === null ? expiresAt : null,
				left:
					left === null
						? {milliseconds: Math.max(0, expiresAt - now), time: 'running'}
						: {milliseconds: left, time: 'suspended'},
				...(asked && {approval: asked}),
				...(callId !== null && {callId}),
				...(outcome && {outcome}),
				...(message !== null && {message}),
			}),
		);
}

/** A row about the state alone. */
export const taskCancellation: z.ZodType<TaskCancellation> = z
	.object({id: z.string(), state: z.enum(taskStates), isCancelled: z.number()})
	.transform(({isCancelled, ...row}) => ({...row, isCancelled: isCancelled === 1}));

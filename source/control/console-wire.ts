import {z} from 'zod';
import {approvalScopes, type WholeRequest} from '../state/approval-event.ts';
import {type Command} from '../state/command.ts';
import {type GatewayEvent, isEventType} from '../state/event.ts';
import {emptySnapshot, type Snapshot} from '../state/snapshot.ts';
import {traceKinds} from '../state/trace.ts';
import {jsonObject} from './wire.ts';

/*
A console at the control socket (docs/architecture.md, Attached dashboards). After `console.open` the connection carries lines of JSON: from the
gateway a snapshot and then events, from the console commands. Both sides have the same protocol number, so the shapes are those of `state`.
*/

/** What a gateway sends to a console. */
export type ToConsole =
	| {readonly kind: 'opened'; readonly number: number; readonly pid: number}
	/** Replaces everything before it. Also sent to a console that has fallen behind. */
	| {readonly kind: 'snapshot'; readonly snapshot: Snapshot}
	| {readonly kind: 'events'; readonly events: readonly GatewayEvent[]}
	/** The answer to `read-whole` with the same id; null: the request does not wait any more. */
	| {readonly kind: 'whole'; readonly id: number; readonly whole: WholeRequest | null}
	/** Whether the console still reads: it answers `here`. */
	| {readonly kind: 'check'}
	/** Why the gateway hangs up. */
	| {readonly kind: 'refused'; readonly message: string};

/** The longest line to a console, in bytes: a snapshot with every list full. */
export const maximumConsoleLineBytes = 32 * 1024 * 1024;

/** What may wait beside a snapshot for a console that reads slowly, in bytes. Beyond it, events are left out, and a new snapshot follows once it has read. */
export const maximumConsoleWaitingBytes = 1024 * 1024;

/** More than any person gives, and more than keys that are held down do. */
export const maximumCommandsPerSecond = 200;

/** Far deeper than the arguments of any call that passes. */
export const deepestConsoleMessage = 200;

const text = z.string();
const id = z.string().max(200);
const profile = z.string().max(100).optional();
const part = z.int().min(1).optional();
const choices = z.array(z.int().min(0).max(100)).max(100);
const flow = z.enum(['device', 'browser']).optional();

const verdict = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('approve'), scope: z.enum(approvalScopes)}),
	z.object({kind: z.literal('deny'), message: text.optional()}),
]);

const newServer = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('stdio'), name: text, command: text, args: z.array(text)}),
	z.object({kind: z.literal('http'), name: text, url: text}),
]);

const questionAnswer = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('accept'), values: jsonObject}),
	z.object({kind: z.literal('decline')}),
	z.object({kind: z.literal('cancel')}),
]);

const proposalAnswer = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('confirm')}),
	z.object({kind: z.literal('rename'), name: text}),
	z.object({kind: z.literal('cancel')}),
]);

/** The members of each command that a console may send; a window ends itself. */
const commandMembers = {
	'answer-approval': {id, argumentsHash: text, verdict},
	'answer-question': {id, answer: questionAnswer},
	'answer-proposal': {id, answer: proposalAnswer},
	'propose-rule': {id, choices},
	'store-rule': {id, argumentsHash: text, choices, ruleHash: text},
	'show-rules': {},
	'revoke-rule': {id},
	'rehearse-rules': {without: id.optional()},
	'cancel-rehearsal': {},
	'reconnect-server': {server: text},
	'set-server-enabled': {server: text, enabled: z.boolean()},
	'add-server': {server: newServer},
	'show-server': {server: text, part},
	'show-server-calls': {server: text},
	'show-server-log': {server: text},
	'start-login': {server: text, flow},
	'switch-to-oauth': {server: text, flow},
	'cancel-login': {server: text},
	'finish-login': {server: text, redirectUrl: text},
	'show-tools': {server: text.optional()},
	'call-tool': {requestId: id, name: text, arguments: jsonObject},
	'call-again': {requestId: id, callId: id},
	'cancel-call': {callId: id},
	'resolve-uncertain': {callId: id, resolution: z.enum(['done', 'not_done'])},
	'repeat-uncertain': {callId: id},
	'enable-webhooks': {},
	'set-route-paused': {route: text, paused: z.boolean()},
	'show-event': {eventId: id, part},
	'show-call': {callId: id, part},
	'show-decision': {id, part},
	'show-delivery': {id, part},
	'show-run': {runId: id, part},
	'show-trace': {subject: z.object({kind: z.enum(traceKinds), id}), part},
	'dry-run-event': {eventId: id},
	'replay-event': {eventId: id},
	'dismiss-deliveries': {ids: z.array(id).max(10_000)},
	'start-run': {prompt: text},
	'follow-up-run': {runId: id, prompt: text},
	'cancel-run': {runId: id},
	'answer-inbox': {runId: id, text},
	'close-inbox-item': {runId: id},
	'run-job': {id},
	'set-job-paused': {id, paused: z.boolean()},
	hold: {reason: text},
	unhold: {hash: text},
	reload: {},
} satisfies Readonly<Record<Exclude<Command['type'], 'stop' | 'start-demo'>, z.ZodRawShape>>;

/** A command as a console sends it, without members that it does not have. */
export const commandSchema = z.looseObject({type: z.string()}).transform((command, context) => {
	const members = isCommandType(command.type) ? commandMembers[command.type] : undefined;
	const parsed = members && z.object({...members, profile, seen: text.optional()}).safeParse(command);
	if (!parsed?.success) {
		context.addIssue({code: 'custom', message: 'Not a command'});
		return z.NEVER;
	}

	// The members are those of the command of this type, which the checker cannot follow through the table.
	return {...parsed.data, type: command.type} as unknown as Command;
});

function isCommandType(type: string): type is keyof typeof commandMembers {
	return Object.hasOwn(commandMembers, type);
}

/** What a console sends to its gateway. The first line says who it is. */
export const fromConsoleSchema = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('open'),
		mode: z.enum(['deciding', 'read-only']),
		/** What the client says of its terminal: a claim. */
		terminal: z.string().max(200),
		/** Whether the client opens the browser of the logins it starts. */
		browser: z.enum(['console', 'nowhere']),
	}),
	z.object({kind: z.literal('here')}),
	z.object({kind: z.literal('command'), command: commandSchema}),
	z.object({
		kind: z.literal('read-whole'),
		id: z.int(),
		query: z.object({id, profile: z.string(), masks: z.enum(['on', 'off'])}),
	}),
]);

export type FromConsole = z.output<typeof fromConsoleSchema>;

/** As far as a console checks what it receives: who sends it has the same protocol number and is the same user. */
export const toConsoleSchema: z.ZodType<ToConsole> = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('opened'), number: z.int(), pid: z.int()}),
	z.object({kind: z.literal('snapshot'), snapshot: z.custom<Snapshot>(isSnapshot)}),
	z.object({kind: z.literal('events'), events: z.custom<readonly GatewayEvent[]>(areEvents)}),
	z.object({kind: z.literal('whole'), id: z.int(), whole: z.custom<WholeRequest>(isRecord).nullable()}),
	z.object({kind: z.literal('check')}),
	z.object({kind: z.literal('refused'), message: z.string().max(1000)}),
]);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether every member has the kind of its counterpart in an empty one: a list of objects, an object, or an object that may be absent. */
function isSnapshot(value: unknown): boolean {
	return (
		isRecord(value) &&
		Object.entries(emptySnapshot).every(([name, empty]: [string, unknown]) => {
			const member = Object.hasOwn(value, name) ? value[name] : undefined;
			if (Array.isArray(empty)) {
				return Array.isArray(member) && member.every(isRecord);
			}

			return isRecord(member) || (empty === undefined && member === undefined);
		})
	);
}

function areEvents(value: unknown): boolean {
	return Array.isArray(value) && value.every(isEvent);
}

/** Looked at by hand: a thousand a second may come. */
function isEvent(value: unknown): boolean {
	return (
		isRecord(value) &&
		typeof value['type'] === 'string' &&
		isEventType(value['type']) &&
		Number.isFinite(value['seq']) &&
		Number.isFinite(value['time']) &&
		typeof value['profile'] === 'string'
	);
}

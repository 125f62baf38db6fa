import {z} from 'zod';
import {
	approvalGrants,
	approvalKinds,
	type ApprovalRequest,
	approvalScopes,
	type FullRequest,
	requestTransports,
} from '../../state/approval-event.ts';
import {type Origin} from '../../state/origin.ts';
import {type FormField, type QuestionDetails, questionKinds} from '../../state/person-event.ts';
import {type KnownDocument} from './document-rows.ts';
import {isJsonObject, type JsonObject, parseJson} from '../../util/json-text.ts';
import {countMarked} from '../../util/characters/marked-characters.ts';
import {isVisible, safeText} from '../../util/safe-text.ts';

/** An approval or a question that waits for a person. */
export type AskedRequest =
	| {readonly kind: 'approval'; readonly request: ApprovalRequest}
	| {readonly kind: 'question'; readonly request: QuestionDetails};

/** A request as the gateway writes it that waits for its answer. */
export type WrittenRequest = AskedRequest & {
	/** The gateway that waits for it. */
	readonly node: string;
	readonly profile: string;
	/** An answer must name this hash. */
	readonly argumentsHash: string;
	/** All of it, secrets masked, where its card does not show all. */
	readonly fullRequest?: FullRequest | undefined;
};

/** The end of a request. */
export type RequestEnd = {
	readonly kind: (typeof requestEnds)[number];
	readonly scope?: ApprovalScope | undefined;
	readonly message?: string | undefined;
	/** The filled-in form. */
	readonly values?: JsonObject | undefined;
	readonly by?: string | undefined;
	/** The gateway at which it was answered. */
	readonly byNode?: string | undefined;
};

type ApprovalScope = (typeof approvalScopes)[number];

/** An answer of a person to the request with these arguments. */
export type RequestAnswer = {
	readonly id: string;
	readonly argumentsHash: string;
	readonly end: RequestEnd;
};

/** The outcome of an answer. `end`: the earlier end of the request, where that is known. */
export type AnswerOutcome =
	| {readonly kind: 'resolved'}
	| {readonly kind: 'changed'}
	| {readonly kind: 'already-settled'; readonly end?: RequestEnd | undefined};

/** A call that is about to be sent, and what allowed it. */
export type CallClaim = {
	readonly callId: string;
	/** The documents that decided about it, in the versions that the gateway knew. */
	readonly documents: readonly KnownDocument[];
	/** The request of the call, where a person was asked. */
	readonly request?: {readonly id: string; readonly argumentsHash: string} | undefined;
};

/**
`claimed`: the call may be sent; `changed`: a document that decided about it has changed since; `not-allowed`: its request was not allowed, or belongs to
another gateway or call; `dead`: another gateway has declared this one dead.
*/
export type CallClaimOutcome = 'claimed' | 'changed' | 'not-allowed' | 'dead';

/** The requests that a gateway wants to hear about: those of these ids, and what else waits in its profile at other nodes. */
export type RequestQuery = {readonly known: readonly string[]; readonly profile: string; readonly node: string};

/** A request as the table has it now. */
export type RequestRow = {
	readonly id: string;
	readonly node: string;
	readonly argumentsHash: string;
	/** Undefined: it waits. */
	readonly end?: RequestEnd | undefined;
	/** The request; undefined for known ones of the query, and for one that cannot be shown. */
	readonly asked?: AskedRequest | undefined;
	/** Age of the request, and time left for an answer, in milliseconds by the clock of the database. */
	readonly age: number;
	readonly left: number;
	/** `suspended`: what is left stands still. */
	readonly time: TimeLeft['time'];
};

/** The time that is left to a request or a task, in milliseconds; while everything is held it is suspended (docs/approvals.md, Hold). */
export type TimeLeft = {readonly milliseconds: number; readonly time: 'running' | 'suspended'};

/** More than any profile waits for at once. */
export const maxListedRequests = 1000;

const requestEnds = [
	'approved',
	'denied',
	'answered',
	'declined',
	'timed_out',
	'no_channel',
	'cancelled',
] as const satisfies readonly string[];

const text = z.string();
const time = z.number();
const fields = {id: text.max(100), requestedAt: time, expiresAt: time.nullable(), left: time.exactOptional()};
const json = z.custom<JsonObject>(isJsonObject);
const hidden = {
	sentBytes: z.number(),
	cutBytes: z.number(),
	maskedValues: z.number(),
	/** A gateway of an earlier version does not write it. */
	markedCharacters: z.number().default(0),
};

/** The origin of a request, as rows have it. */
export const origin: z.ZodType<Origin> = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('command-line')}),
	z.object({
		kind: z.literal('endpoint'),
		client: text,
		name: text.exactOptional(),
		claim: text.exactOptional(),
		task: text.exactOptional(),
	}),
	z.object({kind: z.literal('demo'), client: text}),
	z.object({
		kind: z.literal('run'),
		runId: text,
		route: text,
		deliveryId: text,
		job: text.exactOptional(),
		signature: text.exactOptional(),
	}),
	z.object({kind: z.literal('dashboard'), by: text.exactOptional()}),
]);

const hint = z.boolean().exactOptional();

const approval: z.ZodType<ApprovalRequest> = z.object({
	...fields,
	...hidden,
	kind: z.enum(approvalKinds),
	server: text,
	tool: text,
	registeredName: text,
	trust: z.enum(['full', 'untrusted']),
	transport: z.enum(requestTransports),
	address: text,
	hints: z.object({
		title: text.exactOptional(),
		readOnlyHint: hint,
		destructiveHint: hint,
		idempotentHint: hint,
		openWorldHint: hint,
	}),
	description: text,
	arguments: json,
	argumentsHash: text,
	definitionChange: text.exactOptional(),
	payloadPaths: z.array(text).exactOptional(),
	rule: z.object({id: text, words: text}).exactOptional(),
	grants: z.enum(approvalGrants).exactOptional(),
	origin,
});

const isField = (value: unknown): value is FormField =>
	isJsonObject(value) &&
	['name', 'title', 'description', 'kind', 'need'].every(name => typeof value[name] === 'string');

const question: z.ZodType<QuestionDetails> = z.object({
	...fields,
	kind: z.enum(questionKinds),
	asker: text,
	message: text,
	fields: z.array(z.custom<FormField>(isField)),
	url: z.object({address: text, host: text, warning: text.exactOptional()}).exactOptional(),
	origin,
});

const fullRequest: z.ZodType<FullRequest> = z.object({
	...hidden,
	server: text,
	tool: text,
	description: text,
	arguments: json,
});

const answer = z.object({
	scope: z.enum(approvalScopes).optional(),
	message: text.optional(),
	values: json.optional(),
});

/** The part of an end that has no column of its own. */
export function answerText({scope, message, values}: RequestEnd): string {
	return JSON.stringify({scope, message, values});
}

/** The columns of an end. */
export const endColumns = {
	outcome: text.nullable(),
	answer: text.nullable(),
	by: text.nullable(),
	byNode: text.nullable(),
};

/** The end of a request, from its columns; undefined while it waits. An unreadable end allows nothing. */
export const endRow = z
	.object(endColumns)
	.transform(({outcome, answer: written, by, byNode}): RequestEnd | undefined => {
		const kind = requestEnds.find(one => one === outcome) ?? 'cancelled';
		const read = answer.safeParse(written === null ? {} : parseJson(written));
		const {scope, message, values} = read.data ?? {};
		return outcome === null
			? undefined
			: {
					kind: read.success ? kind : 'cancelled',
					...(scope && {scope}),
					...(message !== undefined && {message: safeText(message)}),
					...(values && {values}),
					...(by !== null && {by: shownName(by)}),
					...(byNode !== null && {byNode: shownName(byNode)}),
				};
	});

/** A row of the table; what was asked is there only where the query did not know it yet. */
export const requestRow = z
	.object({
		id: text,
		kind: text,
		node: text,
		argumentsHash: text,
		request: text.nullable(),
		...endColumns,
		age: z.number(),
		left: z.number(),
		isSuspended: z.boolean(),
	})
	.transform(({id, kind, node, argumentsHash, request, age, left, isSuspended, ...written}): RequestRow => {
		const end = endRow.parse(written);
		const asked = request === null ? undefined : readAsked(kind, request);
		const time = isSuspended ? 'suspended' : 'running';
		return {id, node: shownName(node), argumentsHash, ...(end && {end}), ...(asked && {asked}), age, left, time};
	});

/** All of a request, as another gateway may show it. */
export function readFullRequest(written: string): FullRequest | undefined {
	return withMarks(readShown(fullRequest, written));
}

/** Any other program may have written it: what cannot be shown as it stands is left out. */
function readAsked(kind: string, written: string): AskedRequest | undefined {
	if (kind === 'approval') {
		const request = withMarks(readShown(approval, written));
		return request && {kind, request};
	}

	const request = kind === 'question' ? readShown(question, written) : undefined;
	return request && {kind: 'question', request};
}

function readShown<Shown>(schema: z.ZodType<Shown>, written: string): Shown | undefined {
	const read = schema.safeParse(parseJson(written));
	return read.success && isShown(read.data) ? read.data : undefined;
}

/** A count that is too low, or missing, would spare a question. */
function withMarks<Shown extends Pick<FullRequest, 'arguments' | 'markedCharacters'>>(
	shown: Shown | undefined,
): Shown | undefined {
	return shown && {...shown, markedCharacters: Math.max(shown.markedCharacters, countMarked(shown.arguments))};
}

/** The gateway that asked has made every text safe to show, with line breaks where a text may have several lines. */
function isShown(value: unknown): boolean {
	if (typeof value === 'string') {
		return isVisible(value.replaceAll(/[\n\t]/g, ''));
	}

	return (
		typeof value !== 'object' ||
		value === null ||
		Object.entries(value).every(
			// Arguments are as they are sent; their views escape them.
			([name, member]) => isShown(name) && ((name === 'arguments' && isJsonObject(member)) || isShown(member)),
		)
	);
}

function shownName(name: string): string {
	return safeText(name, {maximumCharacters: 100});
}

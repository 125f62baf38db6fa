import {
	type CallDetailJson,
	type CallPageJson,
	type RecordedCallJson,
	type CallRowJson,
	type StoredCallJson,
	type UncertainJson,
} from '../state/json/call.ts';
import {type RunDetailJson, type RunRowJson} from '../state/json/run.ts';
import {z} from 'zod';
import {type CallPage} from '../journal/rows/call-rows.ts';
import {type OutgoingMessageRow, type CallRow, type DecisionRow, type RunRow} from '../journal/rows/records.ts';
import {type RunProgressRows} from '../journal/rows/run-progress.ts';
import {originColumn} from '../journal/rows/decision-rows.ts';
import {callFields} from '../state/entities/call.ts';
import {runFields} from '../state/entities/run.ts';
import {uncertainFields} from '../state/entities/uncertain.ts';
import {type Trace} from '../state/trace.ts';
import {type ModelTurn} from '../state/work-event.ts';
import {documentToJson, rowToJson, schemaOf} from './entity-json.ts';
import {reviewHash} from './review-hash.ts';
import {cutMiddle} from '../tools/cut-middle.ts';
import {targetNames} from '../util/destinations.ts';
import {hashJson} from '../util/json-hash.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {countMarked} from '../util/characters/marked-characters.ts';
import {type Redactor} from '../util/redact.ts';
import {safeText} from '../util/safe-text.ts';
import {maskedJson, partLimits, fullLimits} from '../util/shown-json.ts';
import {
	decisionJson,
	decisionToJson,
	deliveryOutcome,
	originToJson,
	storedCallJson,
	storedCallToJson,
	traceJson,
	traceToJson,
} from './history-wire.ts';

const uncertainResolution = z.enum(['done', 'not_done', 'repeated']);

/** `runs list --json`, one row. Times are milliseconds since the epoch. */
export const runRowJson = schemaOf(runFields, 'row');

/** `runs show --json`. */
export const runDetailJson = schemaOf(runFields, 'document').extend({
	/** The requests to its model. `ms` is null while one has no answer; tokens and dollars are null where they are not known. */
	model_turns: z.array(
		z.object({
			number: z.int(),
			time: z.number(),
			model: z.string(),
			ms: z.number().nullable(),
			input_tokens: z.number().nullable(),
			output_tokens: z.number().nullable(),
			usd: z.number().nullable(),
		}),
	),
	/** The notes of persons, oldest first, each with the turn that got it; null while none did. */
	notes: z.array(
		z.object({id: z.string(), time: z.number(), by: z.string(), text: z.string(), turn: z.int().nullable()}),
	),
	/** Its first calls and decisions, oldest first. */
	calls: z.array(storedCallJson),
	decisions: z.array(decisionJson),
	deliveries: z.array(
		z.object({
			id: z.string(),
			target: z.string(),
			outcome: z.string(),
			detail: z.string().nullable(),
			time: z.number(),
		}),
	),
	trace: traceJson,
});

/** `calls list --json`, one row. */
export const callRowJson = schemaOf(callFields, 'row');

/** `calls show --json`: with the whole arguments and what the caller got. */
export const callDetailJson = schemaOf(callFields, 'document').extend({
	decision: decisionJson.nullable(),
	/** A person's decision about an uncertain call. */
	resolution: uncertainResolution.nullable(),
	resolved_by: z.string().nullable(),
});

/** A stored call for trying rules on. Not for display: it contains secrets. */
const recordedCallJson: z.ZodType<RecordedCallJson> = z.object({
	id: z.string(),
	time: z.number(),
	server: z.string(),
	tool: z.string(),
	arguments: z.custom<JsonObject>(isJsonObject),
	origin: originColumn,
	readOnly: z.literal(true).optional(),
	judged: z.object({fingerprint: z.string(), untrusted: z.array(z.string()).optional()}).optional(),
});

/** One page of stored calls, newest first, and where the next one begins. */
export const callPageJson = z.object({calls: z.array(recordedCallJson), next: z.int().nullable()});

/** `uncertain list --json`, one row. */
export const uncertainJson = schemaOf(uncertainFields, 'row');

/** The earlier end of an uncertain call; null if the gateway does not know it. */
export const uncertainEndJson = z.object({resolution: uncertainResolution, by: z.string()}).nullable();

type Masks = Pick<Redactor, 'partsOf' | 'redact'>;

/** A document has to fit into one line of the control socket. */
const maxTextCharacters = 1_000_000;
const maxArgumentBytes = 1_000_000;
const rowArguments = {textBytes: 500, bytes: 2000} as const;

/** A row of `runs list`. */
export function runToJson(run: RunRow): RunRowJson {
	const {model = null, turns = null, usage, microUsd} = run.result ?? {};
	return rowToJson(runFields, run, {
		time: run.createdAt,
		route: run.route || null,
		event_id: run.eventId || null,
		model,
		turns,
		usage: usage ? {input_tokens: usage.inputTokens, output_tokens: usage.outputTokens} : null,
		usd: microUsd === undefined ? null : inUsd(microUsd),
	});
}

const inUsd = (microUsd: number) => microUsd / 1_000_000;

/** A request to the model. */
function turnToJson({number, at, model, end}: ModelTurn): RunDetailJson['model_turns'][number] {
	const {ms = null, usage, microUsd} = end ?? {};
	return {
		number,
		time: at,
		model,
		ms,
		input_tokens: usage?.inputTokens ?? null,
		output_tokens: usage?.outputTokens ?? null,
		usd: microUsd === undefined ? null : inUsd(microUsd),
	};
}

/** The document of `runs show`. */
export function runDetailToJson(
	run: RunRow,
	{
		calls,
		decisions,
		deliveries,
		progress: {turns, notes},
		trace,
		redact,
	}: {
		readonly progress: RunProgressRows;
		readonly calls: StoredCallJson[];
		readonly decisions: ReadonlyArray<z.output<typeof decisionJson>>;
		readonly deliveries: readonly OutgoingMessageRow[];
		readonly trace: Pick<Trace, 'lines' | 'shares'>;
	} & Pick<Redactor, 'redact'>,
): RunDetailJson {
	const shown = (text: string) => cutMiddle(redact(text), maxTextCharacters);
	const {answer} = run.result ?? {};
	return {
		...documentToJson(runFields, run, {
			...runToJson(run),
			prompt: shown(run.prompt),
			deliver: targetNames(run.deliver),
			continues: run.conversation ?? null,
			answer: answer === undefined ? null : shown(answer),
		}),
		model_turns: turns.map(turnToJson),
		notes: notes.map(({id, at, by, text, read}) => ({
			id,
			time: at,
			by,
			text: redact(text),
			turn: read?.turn ?? null,
		})),
		calls,
		decisions: [...decisions],
		deliveries: deliveries.map(({id, target, state, detail, changedAt}) => ({
			id,
			target,
			outcome: deliveryOutcome(state),
			detail: detail === undefined ? null : redact(safeText(detail)),
			time: changedAt,
		})),
		trace: traceToJson(trace),
	};
}

/** A row of `calls list`. */
export function callRowToJson(call: CallRow, masks: Masks): CallRowJson {
	return rowToJson(callFields, call, {
		...storedCallToJson(call, masks, rowArguments),
		origin: originToJson(call.origin),
	});
}

/** The document of `calls show`. */
export function callDetailToJson(call: CallRow, decision: DecisionRow | undefined, masks: Masks): CallDetailJson {
	const {result} = call.end ?? {};
	return {
		...callRowToJson(call, masks),
		...fullArguments(call, masks),
		answer: result ? cutMiddle(masks.redact(result.text), maxTextCharacters) : null,
		decision: decision ? decisionToJson(decision) : null,
		resolution: call.resolved?.resolution ?? null,
		resolved_by: call.resolved?.by ?? null,
	};
}

/** A page of stored calls for a rehearsal. */
export function callPageToJson({calls, next}: CallPage): CallPageJson {
	return {
		calls: calls.map(({id, time, server, tool, arguments: args, origin, readOnly, judged}) => ({
			id,
			time,
			server,
			tool,
			arguments: args,
			origin,
			...(readOnly && {readOnly}),
			...(judged && {judged: {fingerprint: judged.fingerprint, untrusted: judged.untrusted && [...judged.untrusted]}}),
		})),
		next: next ?? null,
	};
}

/** An uncertain call: in a list with the arguments of a card, alone with all of them. */
export function uncertainToJson(call: CallRow, masks: Masks, extent: 'row' | 'whole'): UncertainJson {
	const {outcome: _, ...row} = callRowToJson(call, masks);
	return extent === 'row'
		? {...row, ...shownArguments(call, masks, partLimits)}
		: {...row, ...fullArguments(call, masks), review_hash: reviewHash(reviewedCall(call))};
}

/** Arguments over the bound are cut like those of a card: nobody reads them at a command line. */
function fullArguments(call: CallRow, masks: Masks) {
	const whole = shownArguments(call, masks, fullLimits);
	return whole.sent_bytes > maxArgumentBytes ? shownArguments(call, masks, partLimits) : whole;
}

function shownArguments(
	{tool, arguments: args}: CallRow,
	{partsOf}: Masks,
	room: {readonly textBytes: number; readonly bytes: number},
) {
	const {value, sentBytes, cutBytes, maskedValues} = maskedJson(args, {room, masks: {names: 'secret', partsOf}});
	const {argumentsHash, markedCharacters} = reviewedCall({tool, arguments: args});
	return {
		arguments: value,
		arguments_hash: argumentsHash,
		sent_bytes: sentBytes,
		cut_bytes: cutBytes,
		masked_values: maskedValues,
		marked_characters: markedCharacters,
	};
}

/** The part of a stored call that a person reviews. */
export function reviewedCall({tool, arguments: args}: Pick<CallRow, 'tool' | 'arguments'>) {
	return {argumentsHash: hashJson(args), markedCharacters: countMarked([tool, args])};
}

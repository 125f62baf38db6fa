import {type DecisionJson, type StoredCallJson} from '../state/json/call.ts';
import {type TraceJson} from '../state/json/event.ts';
import {z} from 'zod';
import {type CallRow, type DecisionRow} from '../journal/rows/records.ts';
import {type OutgoingMessageState} from '../journal/rows/message-records.ts';
import {type Origin} from '../state/origin.ts';
import {storedCallFields} from '../state/entities/call.ts';
import {decisionFields} from '../state/entities/decision.ts';
import {runFields} from '../state/entities/run.ts';
import {rowToJson, schemaOf} from './entity-json.ts';
import {timeUses, type Trace} from '../state/trace.ts';
import {cutMiddle} from '../tools/cut-middle.ts';
import {type Redactor} from '../util/redact.ts';
import {maskedJson} from '../util/shown-json.ts';

/** One stored tool call. Arguments and answer are cut where they are long; secrets in them are masked. */
export const storedCallJson = schemaOf(storedCallFields, 'row');

/** One stored decision about a call, or about a request of a server to the model (`call_id` is null then). */
export const decisionJson = schemaOf(decisionFields, 'row');

/** One run that an event led to. */
export const eventRunJson = schemaOf(runFields, 'document')
	.pick({id: true, state: true, reason: true, model: true, usage: true, answer: true, node: true})
	.extend({
		/** Its calls and decisions, oldest first. */
		calls: z.array(storedCallJson),
		decisions: z.array(decisionJson),
	});

/** The lines of a trace, oldest first, and the uses of the time (docs/dashboard.md, Traces). */
export const traceJson = z.object({
	lines: z.array(
		z.object({
			time: z.number(),
			/** `request`, `event`, `run`, `turn`, `note`, `approval`, `call` or `delivery`. */
			kind: z.string(),
			state: z.string(),
			/** The tool, the target or the model; may be empty. */
			subject: z.string(),
			facts: z.array(z.string()),
			/** The command that shows or repeats it. */
			command: z.string().nullable(),
		}),
	),
	shares: z.array(z.object({use: z.enum(timeUses), ms: z.number()})),
});

/** All calls of a run have to fit into one line of the control socket. */
const shownArguments = {textBytes: 4000, bytes: 8192} as const;
const shownAnswerCharacters = 10_000;

/** A stored call of a list. Known secrets, and members with the name of one, are masked. */
export function storedCallToJson(
	call: CallRow,
	{partsOf, redact}: Pick<Redactor, 'partsOf' | 'redact'>,
	room: {readonly textBytes: number; readonly bytes: number} = shownArguments,
): StoredCallJson {
	const {end, judged} = call;
	return rowToJson(storedCallFields, call, {
		arguments: maskedJson(call.arguments, {room, masks: {names: 'secret', partsOf}}).value,
		outcome: end?.outcome ?? null,
		code: end?.code ?? null,
		ms: end?.ms ?? null,
		rule: judged?.rule?.id ?? null,
		answer: end?.result ? cutMiddle(redact(end.result.text), shownAnswerCharacters) : null,
	});
}

/** A stored decision. */
export function decisionToJson(decision: DecisionRow): DecisionJson {
	return rowToJson(decisionFields, decision, {});
}

/** The trace of a stored row. */
export function traceToJson({lines, shares}: Pick<Trace, 'lines' | 'shares'>): TraceJson {
	return {
		lines: lines.map(({at, status, subject, facts, command = null}) => ({
			time: at,
			kind: status.of,
			state: status.is,
			subject,
			facts: [...facts],
			command,
		})),
		shares: [...shares],
	};
}

/** The gateway that a row is of, where several share the journal; otherwise the field is left out. */
export function nodeOf({node}: {readonly node?: string}): {readonly node?: string} {
	return node === undefined ? {} : {node};
}

/** The state of a message as the outcome of its delivery. */
export function deliveryOutcome(state: OutgoingMessageState): string {
	return state === 'sent' ? 'delivered' : state;
}

/** The origin of a call or a run as JSON. */
export function originToJson(origin: Origin): {readonly kind: string; readonly [name: string]: string} {
	if (origin.kind !== 'run') {
		return origin;
	}

	const {kind, runId, job, route, signature, deliveryId} = origin;
	return {
		kind,
		run_id: runId,
		...(job !== undefined && {job}),
		route,
		...(signature !== undefined && {signature}),
		delivery_id: deliveryId,
	};
}

import {type CallOutcome} from '../../state/approval-event.ts';
import {
	type OutgoingMessageRow,
	type CallRow,
	type DecisionRow,
	type EventRecord,
	type EventRow,
	type EventTrace,
	type RunRow,
} from './records.ts';
import {type TraceSubject} from '../../state/trace.ts';
import {type ModelTurn, type RunNote, type RunSpending, spentAfter} from '../../state/work-event.ts';
import {type CallTime} from './call-rows.ts';
import {approvalOutcomes, type DecisionTime} from './decision-rows.ts';
import {type RunProgressRows} from './run-progress.ts';

/** Selects a trace by its subject, and a part of its calls and decisions; absent: the part with the subject. */
export type TraceQuery = {readonly subject: TraceSubject; readonly profile: string; readonly part?: number};

/** The rows of a trace: one request or run, and its effects. Long texts are cut, and calls and decisions are those of one part. */
export type TraceRows = {
	readonly event?: EventRow & {readonly trace?: EventTrace; readonly bodyBytes?: number};
	/** Oldest first. The calls and decisions are those of `run`. */
	readonly runs: readonly RunRow[];
	readonly run?: RunRow;
	readonly calls: readonly CallRow[];
	readonly decisions: readonly DecisionRow[];
	readonly turns: readonly CountedTurn[];
	readonly notes: readonly RunNote[];
	/** The spending of the run, in all parts. */
	readonly spent: RunSpending;
	/** Oldest first. */
	readonly messages: readonly OutgoingMessageRow[];
	readonly part: {readonly number: number; readonly of: number};
	/** When somebody was asked, and when calls were under way, in all parts; a call without an end has none here. */
	readonly waits: readonly Interval[];
	readonly work: readonly Interval[];
};

/** A turn of a model, and what the run had spent by its end. */
export type CountedTurn = ModelTurn & {readonly total: RunSpending};

/** From when to when, in milliseconds since the epoch; without an end it goes on. */
export type Interval = readonly [from: number, to: number | undefined];

/** Number of calls, decisions, turns and notes in a part of a trace. */
const rowsPerPart = 50;

/** The first thing that is known of a trace: its run, else its event, else what stands alone. */
export type TraceStart = {
	readonly runId?: string;
	readonly eventId?: string;
	readonly callId?: string;
	readonly decisionId?: string;
	readonly message?: OutgoingMessageRow;
};

/** The rows of one part of a trace, and the times of all parts. */
type TracePart = Pick<TraceRows, 'turns' | 'notes' | 'spent' | 'part' | 'waits' | 'work'> & {
	readonly callIds: readonly string[];
	readonly decisionIds: readonly string[];
};

/** One part of what a run called, what was decided about it, what its model was asked and what a person wrote to it, in the sequence in which it began. */
export function tracePart(
	{
		callTimes,
		decisionTimes,
		progress: {turns, notes},
	}: {
		readonly callTimes: readonly CallTime[];
		readonly decisionTimes: readonly DecisionTime[];
		readonly progress: RunProgressRows;
	},
	{subject, part}: TraceQuery,
): TracePart {
	const rows = [
		...decisionTimes.map(({id, time, requestedAt}) => ({of: 'decision', id, at: requestedAt ?? time})),
		...callTimes.map(({id, time}) => ({of: 'call', id, at: time})),
		...turns.map(({number, at}) => ({of: 'turn', id: String(number), at})),
		...notes.map(({id, at}) => ({of: 'note', id, at})),
	].toSorted((first, second) => first.at - second.at);
	const of = Math.max(1, Math.ceil(rows.length / rowsPerPart));
	const number = part ?? partWith(rows, subject) ?? (subject.kind === 'event' ? 1 : of);
	const first = (Math.min(Math.max(1, number), of) - 1) * rowsPerPart;
	const shown = rows.slice(first, first + rowsPerPart);
	const idsOf = (kind: string) => shown.filter(row => row.of === kind).map(({id}) => id);
	const counted = countTurns(turns);
	const [turnIds, noteIds] = [new Set(idsOf('turn')), new Set(idsOf('note'))];
	return {
		callIds: idsOf('call'),
		decisionIds: idsOf('decision'),
		turns: counted.filter(turn => turnIds.has(String(turn.number))),
		spent: counted.at(-1)?.total ?? {},
		notes: notes.filter(({id}) => noteIds.has(id)),
		part: {number: first / rowsPerPart + 1, of},
		waits: decisionTimes.flatMap(({requestedAt, time}) => (requestedAt === null ? [] : [[requestedAt, time] as const])),
		work: callTimes.flatMap(({time, ms, outcome}) =>
			outcome !== null && isRefused(outcome) ? [] : [[time, ms === null ? undefined : time + ms] as const],
		),
	};
}

/** Adds up what turns have spent. */
function countTurns(turns: readonly ModelTurn[]): readonly CountedTurn[] {
	let total: RunSpending = {};
	return turns.map(turn => {
		total = spentAfter(total, turn);
		return {...turn, total};
	});
}

/** The part in which the call or decision is that a trace was opened by. */
function partWith(
	rows: ReadonlyArray<{readonly of: string; readonly id: string}>,
	{kind, id}: TraceQuery['subject'],
): number | undefined {
	const index = rows.findIndex(row => row.of === kind && row.id === id);
	return index === -1 ? undefined : Math.floor(index / rowsPerPart) + 1;
}

/** The trace of a call, a decision or a message without a run that the journal has: of a client of the endpoint, a person, or a run that was removed. */
export function traceWithoutRun(
	calls: readonly CallRow[],
	decisions: readonly DecisionRow[],
	message: OutgoingMessageRow | undefined,
): TraceRows {
	return {
		runs: [],
		calls,
		decisions,
		turns: [],
		notes: [],
		spent: {},
		messages: message ? [shortMessage(message)] : [],
		part: {number: 1, of: 1},
		waits: decisions.flatMap(({requestedAt, time}) =>
			requestedAt === undefined ? [] : [[requestedAt, time] as const],
		),
		work: calls.flatMap(({time, end}) =>
			end && isRefused(end.outcome) ? [] : [[time, end && time + end.ms] as const],
		),
	};
}

/** A call that was refused has the time of its end, and took as long as its decision. */
function isRefused(outcome: CallOutcome): boolean {
	return Object.hasOwn(approvalOutcomes, outcome);
}

/** The event of a trace: without its body and its headers. */
export function shortEvent(record: EventRecord): NonNullable<TraceRows['event']> {
	const {body, headers: _headers, ...event} = record;
	return {...event, ...(body && {bodyBytes: body.length})};
}

const shownCharacters = 300;

/** A run of a trace, whose texts are cut. */
export function shortRun(row: RunRow): RunRow {
	const {prompt, result, foreign: _foreign, ...run} = row;
	const {answer, ...rest} = result ?? {};
	const short = {...rest, ...(answer !== undefined && {answer: answer.slice(0, shownCharacters)})};
	return {...run, prompt: prompt.slice(0, shownCharacters), ...(result && {result: short})};
}

/** A message of a trace, whose text is cut. */
export function shortMessage({text, ...message}: OutgoingMessageRow): OutgoingMessageRow {
	return {...message, text: text.slice(0, shownCharacters)};
}

import {type CallOutcome} from '../../state/approval-event.ts';
import {type AnswerRow, type EventRecord, type RunRow, type TraceQuery, type TraceRows} from '../records.ts';
import {type AnswerTable} from './answers.ts';
import {type CallTable} from './calls.ts';
import {approvalOutcomes, type DecisionTable} from './decisions.ts';
import {type EventTable} from './events.ts';
import {type RunTable} from './runs.ts';

/** The tables that a trace is read from. */
type TraceTables = {
	readonly events: Pick<EventTable, 'find'>;
	readonly runs: Pick<RunTable, 'find' | 'ofEvent' | 'newestOfJob'>;
	readonly answers: Pick<AnswerTable, 'find' | 'list' | 'ofRun'>;
	readonly calls: Pick<CallTable, 'find' | 'withIds' | 'timesOfRun'>;
	readonly decisions: Pick<DecisionTable, 'find' | 'ofCall' | 'withIds' | 'timesOfRun'>;
};

/** How many calls and decisions a part of a trace has. */
export const rowsPerPart = 50;

/** The rows of one trace, whatever it was opened by; undefined when the journal has nothing of it (docs/dashboard.md, Traces). */
export function readTraceRows(tables: TraceTables, query: TraceQuery): TraceRows | undefined {
	const {runs, events, answers} = tables;
	const found = findStart(tables, query);
	const run = found?.runId === undefined ? undefined : runs.find(found.runId);
	const eventId = run?.eventId || found?.eventId;
	const event = eventId === undefined ? undefined : events.find(eventId);
	if (!run && !event) {
		return found && withoutRun(tables, found);
	}

	const ofEvent = event ? runs.ofEvent(event.id).toReversed() : [];
	const main = run ?? ofEvent.at(-1);
	const messages = event ? answers.list({eventId: event.id, limit: 10}) : main ? answers.ofRun(main) : [];
	const shown = ofEvent.length > 0 ? ofEvent : main ? [main] : [];
	return {
		...(event && {event: eventRow(event)}),
		runs: shown.map(shortRun),
		...(main && {run: shortRun(main)}),
		...history(tables, main?.id, query),
		answers: messages.toReversed().map(shortAnswer),
	};
}

/** The first thing that is known of a trace: its run, else its event, else what stands alone. */
type Start = {
	readonly runId?: string;
	readonly eventId?: string;
	readonly callId?: string;
	readonly decisionId?: string;
	readonly answer?: AnswerRow;
};

function findStart(tables: TraceTables, {subject: {kind, id}, profile}: TraceQuery): Start | undefined {
	switch (kind) {
		case 'event':
			return {eventId: id};
		case 'run':
			return {runId: id};
		case 'job': {
			const run = tables.runs.newestOfJob(id, profile);
			return run && {runId: run.id};
		}

		case 'call':
			return startOfCall(tables, id);
		case 'decision': {
			const decision = tables.decisions.find(id);
			const {origin, callId} = decision ?? {};
			return decision && {decisionId: id, callId, ...(origin?.kind === 'run' && {runId: origin.runId})};
		}

		case 'delivery': {
			const answer = tables.answers.find(id);
			return answer && {answer, runId: answer.runId, ...(answer.eventId !== '' && {eventId: answer.eventId})};
		}
	}
}

function startOfCall({calls, decisions}: TraceTables, id: string): Start | undefined {
	const call = calls.find(id);
	const decisionId = decisions.ofCall(id)?.id;
	return call && {callId: id, decisionId, ...(call.origin.kind === 'run' && {runId: call.origin.runId})};
}

/** A call, a decision or a message without a run that the journal has: of a client of the endpoint, a person, or a run that was removed. */
function withoutRun({calls, decisions}: TraceTables, {callId, decisionId, answer}: Start): TraceRows {
	const call = callId === undefined ? [] : calls.withIds([callId]);
	const decision = decisionId === undefined ? [] : decisions.withIds([decisionId]);
	return {
		runs: [],
		calls: call,
		decisions: decision,
		answers: answer ? [shortAnswer(answer)] : [],
		part: {number: 1, of: 1},
		waits: decision.flatMap(({requestedAt, time}) => (requestedAt === undefined ? [] : [[requestedAt, time] as const])),
		work: call.flatMap(({time, end}) => (end && isRefused(end.outcome) ? [] : [[time, end && time + end.ms] as const])),
	};
}

/** One part of what a run called and what was decided about it, in the sequence in which it began, and the times of all parts. */
function history(
	{calls, decisions}: TraceTables,
	runId: string | undefined,
	{subject, part}: TraceQuery,
): Pick<TraceRows, 'calls' | 'decisions' | 'part' | 'waits' | 'work'> {
	const callTimes = runId === undefined ? [] : calls.timesOfRun(runId);
	const decisionTimes = runId === undefined ? [] : decisions.timesOfRun(runId);
	const rows = [
		...decisionTimes.map(({id, time, requestedAt}) => ({of: 'decision', id, at: requestedAt ?? time})),
		...callTimes.map(({id, time}) => ({of: 'call', id, at: time})),
	].toSorted((first, second) => first.at - second.at);
	const of = Math.max(1, Math.ceil(rows.length / rowsPerPart));
	const number = part ?? partWith(rows, subject) ?? (subject.kind === 'event' ? 1 : of);
	const first = (Math.min(Math.max(1, number), of) - 1) * rowsPerPart;
	const shown = rows.slice(first, first + rowsPerPart);
	const idsOf = (kind: string) => shown.filter(row => row.of === kind).map(({id}) => id);
	return {
		calls: calls.withIds(idsOf('call')),
		decisions: decisions.withIds(idsOf('decision')),
		part: {number: first / rowsPerPart + 1, of},
		waits: decisionTimes.flatMap(({requestedAt, time}) => (requestedAt === null ? [] : [[requestedAt, time] as const])),
		work: callTimes.flatMap(({time, ms, outcome}) =>
			outcome !== null && isRefused(outcome) ? [] : [[time, ms === null ? undefined : time + ms] as const],
		),
	};
}

/** A call that was refused has the time of its end, and took as long as its decision. */
function isRefused(outcome: CallOutcome): boolean {
	return Object.hasOwn(approvalOutcomes, outcome);
}

/** The part in which the call or decision is that a trace was opened by. */
function partWith(
	rows: ReadonlyArray<{readonly of: string; readonly id: string}>,
	{kind, id}: TraceQuery['subject'],
): number | undefined {
	const index = rows.findIndex(row => row.of === kind && row.id === id);
	return index === -1 ? undefined : Math.floor(index / rowsPerPart) + 1;
}

function eventRow(record: EventRecord): NonNullable<TraceRows['event']> {
	const {body, headers: _headers, ...event} = record;
	return {...event, ...(body && {bodyBytes: body.length})};
}

const shownCharacters = 300;

function shortRun(row: RunRow): RunRow {
	const {prompt, result, foreign: _foreign, ...run} = row;
	const {answer, ...rest} = result ?? {};
	const short = {...rest, ...(answer !== undefined && {answer: answer.slice(0, shownCharacters)})};
	return {...run, prompt: prompt.slice(0, shownCharacters), ...(result && {result: short})};
}

function shortAnswer({text, ...answer}: AnswerRow): AnswerRow {
	return {...answer, text: text.slice(0, shownCharacters)};
}

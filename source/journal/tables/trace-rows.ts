import {
	shortMessage,
	shortEvent,
	shortRun,
	tracePart,
	type TraceQuery,
	type TraceRows,
	type TraceStart,
	traceWithoutRun,
} from '../rows/trace.ts';
import {type MessageTable} from './messages.ts';
import {type CallTable} from './calls.ts';
import {type DecisionTable} from './decisions.ts';
import {type EventTable} from './events.ts';
import {type RunProgressTable} from './run-progress.ts';
import {type RunTable} from './runs.ts';

/** The tables that a trace is read from. */
type TraceTables = {
	readonly events: Pick<EventTable, 'find'>;
	readonly runs: Pick<RunTable, 'find' | 'ofEvent' | 'newestOfJob'>;
	readonly messages: Pick<MessageTable, 'find' | 'list' | 'ofRun'>;
	readonly calls: Pick<CallTable, 'find' | 'withIds' | 'timesOfRun'>;
	readonly decisions: Pick<DecisionTable, 'find' | 'ofCall' | 'withIds' | 'timesOfRun'>;
	readonly runProgress: Pick<RunProgressTable, 'ofRun'>;
};

/** The rows of one trace, whatever it was opened by; undefined when the journal has nothing of it (docs/dashboard.md, Traces). */
export async function readTraceRows(tables: TraceTables, query: TraceQuery): Promise<TraceRows | undefined> {
	const {runs, events, messages} = tables;
	const found = await findStart(tables, query);
	const run = found?.runId === undefined ? undefined : await runs.find(found.runId);
	const eventId = run?.eventId || found?.eventId;
	const event = eventId === undefined ? undefined : await events.find(eventId);
	if (!run && !event) {
		return found && withoutRun(tables, found);
	}

	const ofEvent = event ? (await runs.ofEvent(event.id)).toReversed() : [];
	const main = run ?? ofEvent.at(-1);
	const sent = event ? await messages.list({eventId: event.id, limit: 50}) : main ? await messages.ofRun(main) : [];
	const shown = ofEvent.length > 0 ? ofEvent : main ? [main] : [];
	return {
		...(event && {event: shortEvent(event)}),
		runs: shown.map(shortRun),
		...(main && {run: shortRun(main)}),
		...(await history(tables, main?.id, query)),
		messages: sent.toReversed().map(shortMessage),
	};
}

async function findStart(
	tables: TraceTables,
	{subject: {kind, id}, profile}: TraceQuery,
): Promise<TraceStart | undefined> {
	switch (kind) {
		case 'event':
			return {eventId: id};
		case 'run':
			return {runId: id};
		case 'job': {
			const run = await tables.runs.newestOfJob(id, profile);
			return run && {runId: run.id};
		}

		case 'call':
			return startOfCall(tables, id);
		case 'decision': {
			const decision = await tables.decisions.find(id);
			const {origin, callId} = decision ?? {};
			return decision && {decisionId: id, callId, ...(origin?.kind === 'run' && {runId: origin.runId})};
		}

		case 'delivery': {
			const message = await tables.messages.find(id);
			return message && {message, runId: message.runId, ...(message.eventId !== '' && {eventId: message.eventId})};
		}
	}
}

async function startOfCall({calls, decisions}: TraceTables, id: string): Promise<TraceStart | undefined> {
	const call = await calls.find(id);
	const decisionId = (await decisions.ofCall(id))?.id;
	return call && {callId: id, decisionId, ...(call.origin.kind === 'run' && {runId: call.origin.runId})};
}

async function withoutRun(
	{calls, decisions}: TraceTables,
	{callId, decisionId, message}: TraceStart,
): Promise<TraceRows> {
	return traceWithoutRun(
		callId === undefined ? [] : await calls.withIds([callId]),
		decisionId === undefined ? [] : await decisions.withIds([decisionId]),
		message,
	);
}

async function history(
	{calls, decisions, runProgress}: TraceTables,
	runId: string | undefined,
	query: TraceQuery,
): Promise<Pick<TraceRows, 'calls' | 'decisions' | 'turns' | 'notes' | 'spent' | 'part' | 'waits' | 'work'>> {
	const callTimes = runId === undefined ? [] : await calls.timesOfRun(runId);
	const decisionTimes = runId === undefined ? [] : await decisions.timesOfRun(runId);
	const progress = runId === undefined ? {turns: [], notes: []} : await runProgress.ofRun(runId);
	const {callIds, decisionIds, ...part} = tracePart({callTimes, decisionTimes, progress}, query);
	return {...part, calls: await calls.withIds(callIds), decisions: await decisions.withIds(decisionIds)};
}

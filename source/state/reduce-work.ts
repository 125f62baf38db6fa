import {withAnswered} from './answered.ts';
import {type GatewayEvent} from './event.ts';
import {putRow, sameNamed, unstamped} from './keyed-rows.ts';
import {type CallRow, type RunRow, type Snapshot, type UncertainRow} from './snapshot.ts';
import {isInboxItem} from './waiting.ts';
import {type WorkEvent} from './work-event.ts';

/** Events that change the row of a run, with the start and end of the delivery of its answer. */
export type RunEvent =
	| OwnRunEvent
	| (Extract<GatewayEvent, {type: 'delivery.started' | 'delivery.settled'}> & {readonly runId: string});

type OwnRunEvent = Extract<GatewayEvent, {type: 'run.state' | 'run.text' | 'run.step' | 'run.note'}>;
type PublishedEvent = Exclude<Extract<GatewayEvent, WorkEvent>, OwnRunEvent>;

const ownEvents: ReadonlySet<GatewayEvent['type']> = new Set<OwnRunEvent['type']>([
	'run.state',
	'run.text',
	'run.step',
	'run.note',
]);

/** True if an event changes the row of a run. */
export function isRunEvent(event: GatewayEvent): event is RunEvent {
	const isDelivery = event.type === 'delivery.started' || event.type === 'delivery.settled';
	return ownEvents.has(event.type) || (isDelivery && event.runId !== undefined);
}

/** Bounds on the rows of calls under way, uncertain calls, jobs and runs. */
export const workLimits = {calls: 500, uncertain: 500, jobs: 1000, runs: 500} as const;

/** The end of what a model said; the whole answer is in the journal. */
const shownTextCharacters = 20_000;
const shownSteps = 200;
const shownNotes = 20;

/** Calls and jobs after one more event. */
export function workEvent(snapshot: Snapshot, event: PublishedEvent): Snapshot {
	switch (event.type) {
		case 'tool.started':
		case 'tool.progress':
		case 'tool.finished':
			return {...snapshot, calls: callRows(snapshot.calls, event)};
		case 'call.uncertain': {
			const row = unstamped(event);
			const isSame = ({callId}: {readonly callId: string}) => callId === row.callId;
			return {...snapshot, uncertain: putRow(snapshot.uncertain, row, {isSame, limit: workLimits.uncertain})};
		}
		case 'call.resolved':
			return withAnswered(
				{...snapshot, uncertain: snapshot.uncertain.filter(({callId}) => callId !== event.callId)},
				{...event, ...calledBy(event.callId, snapshot)},
			);
		case 'cron.job': {
			const row = unstamped(event);
			return {
				...snapshot,
				jobs: putRow(snapshot.jobs, row, {isSame: sameNamed('id', row), limit: workLimits.jobs}),
			};
		}
		case 'cron.removed':
			return {...snapshot, jobs: snapshot.jobs.filter(row => !sameNamed('id', event)(row))};
		case 'cron.fired':
		case 'cron.dropped':
			return snapshot;
	}
}

type CallChange = Extract<PublishedEvent, {type: 'tool.started' | 'tool.progress' | 'tool.finished'}>;

/** The calls that are under way. */
function callRows(rows: readonly CallRow[], event: CallChange): readonly CallRow[] {
	const isSame = ({callId}: CallRow) => callId === event.callId;
	switch (event.type) {
		case 'tool.started':
			return putRow(rows, {...unstamped(event), startedAt: event.time}, {isSame, limit: workLimits.calls});
		case 'tool.progress': {
			const {progress, total, message} = event;
			return rows.map(row => (isSame(row) ? {...row, progress, total, message} : row));
		}
		case 'tool.finished':
			return rows.some(isSame) ? rows.filter(row => !isSame(row)) : rows;
	}
}

/** The runs after many changes, newest last; the rows are copied once for all of them. Only the first event of a run carries its prompt. */
export function runRows(rows: readonly RunRow[], events: readonly RunEvent[]): readonly RunRow[] {
	if (events.length === 0) {
		return rows;
	}

	// A map keeps the order in which its keys came, and a changed row its place.
	const byId = new Map(rows.map(row => [row.runId, row]));
	for (const event of events) {
		const row = rowAfter(byId.get(event.runId), event);
		if (row) {
			byId.set(event.runId, row);
		}
	}

	return newestRuns([...byId.values()]);
}

/** At most as many as are shown. Inbox items stay longest: they wait for a person. */
function newestRuns(rows: readonly RunRow[]): readonly RunRow[] {
	const excess = rows.length - workLimits.runs;
	if (excess <= 0) {
		return rows;
	}

	let left = excess;
	const kept = rows.filter(row => isInboxItem(row) || left-- <= 0);
	return kept.slice(-workLimits.runs);
}

/** Undefined when nobody knows the run. */
function rowAfter(before: RunRow | undefined, event: RunEvent): RunRow | undefined {
	switch (event.type) {
		case 'run.state':
			return stateRow(before, event);
		case 'run.text':
			return before && {...before, text: tail(before.text + event.text)};
		case 'run.step': {
			const {step} = event;
			const isSame = (other: RunRow['steps'][number]) => other.id === step.id;
			return before && {...before, steps: putRow(before.steps, step, {isSame, limit: shownSteps})};
		}

		case 'run.note':
			return before && {...before, notes: noteRows(before.notes, event), changedAt: event.time};
		case 'delivery.started':
			return before && {...before, delivering: startedTo(before.delivering, event)};
		case 'delivery.settled':
			return before && {...before, delivering: settledTo(before.delivering, event.target)};
	}
}

function noteRows(
	rows: RunRow['notes'],
	{noteId, by, text, state, time}: Extract<RunEvent, {type: 'run.note'}>,
): RunRow['notes'] {
	const isSame = (row: RunRow['notes'][number]) => row.noteId === noteId;
	const at = rows.find(isSame)?.at ?? time;
	return putRow(rows, {noteId, by, text, state, at}, {isSame, limit: shownNotes});
}

/** Messages of one answer may be sent at the same time. */
function startedTo(
	before: RunRow['delivering'],
	{target, time}: {readonly target: string; readonly time: number},
): RunRow['delivering'] {
	return before ? {...before, target: `${before.target},${target}`} : {target, since: time};
}

function settledTo(before: RunRow['delivering'], target: string): RunRow['delivering'] {
	const targets = before?.target.split(',') ?? [];
	const index = targets.indexOf(target);
	const left = targets.filter((_, other) => other !== index);
	return before && left.length > 0 ? {...before, target: left.join(',')} : undefined;
}

function stateRow(before: RunRow | undefined, event: Extract<RunEvent, {type: 'run.state'}>): RunRow {
	return {
		runId: event.runId,
		profile: event.profile,
		state: event.state,
		route: event.route ?? event.job ?? before?.route ?? '',
		event: event.event ?? before?.event ?? '',
		deliveryId: event.deliveryId ?? before?.deliveryId ?? '',
		reason: event.reason ?? '',
		prompt: event.prompt ?? before?.prompt ?? '',
		model: event.model ?? before?.model ?? '',
		turns: event.turns ?? before?.turns ?? 0,
		usage: event.usage ?? before?.usage ?? {inputTokens: 0, outputTokens: 0},
		microUsd: event.microUsd ?? before?.microUsd,
		notes: before?.notes ?? [],
		waitingFor: event.waitingFor ?? 'nothing',
		conversation: event.conversation ?? before?.conversation ?? '',
		allowedTools: event.allowedTools ?? before?.allowedTools ?? [],
		deliver: event.deliver ?? before?.deliver ?? '',
		answer: event.answer ?? before?.answer ?? '',
		text: before?.text ?? '',
		steps: before?.steps ?? [],
		delivering: before?.delivering,
		startedAt: event.startedAt ?? before?.startedAt ?? event.time,
		since: event.since ?? event.time,
		changedAt: event.time,
		node: event.node ?? '',
	};
}

function tail(text: string): string {
	return text.length <= shownTextCharacters ? text : text.slice(-shownTextCharacters);
}

/** The tool of an uncertain call, which its end does not name. */
function calledBy(id: string, {uncertain}: Snapshot): Partial<Pick<UncertainRow, 'server' | 'tool'>> {
	const call = uncertain.find(({callId}) => callId === id);
	return call ? {server: call.server, tool: call.tool} : {};
}

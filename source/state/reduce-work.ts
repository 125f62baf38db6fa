import {type GatewayEvent} from './event.ts';
import {putRow, sameNamed, unstamped} from './keyed-rows.ts';
import {type RunEvent, runEvents} from './reduce-runs.ts';
import {type CallRow, type RunRow, type Snapshot} from './snapshot.ts';
import {type WorkEvent} from './work-event.ts';

type PublishedEvent = Exclude<Extract<GatewayEvent, WorkEvent>, RunEvent>;

/** How many rows are kept of work that is under way or waits for a word. */
export const workLimits = {calls: 500, uncertain: 500, jobs: 1000, runs: 500} as const;

export {type RunEvent};

/** The runs after many changes. */
export function runRows(rows: readonly RunRow[], events: readonly RunEvent[]): readonly RunRow[] {
	return events.length === 0 ? rows : runEvents(rows, events, workLimits.runs);
}

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
			return {...snapshot, uncertain: snapshot.uncertain.filter(({callId}) => callId !== event.callId)};
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

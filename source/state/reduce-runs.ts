import {type GatewayEvent} from './event.ts';
import {type RunRow} from './snapshot.ts';

type RunEvent = Extract<GatewayEvent, {type: 'run.state'}>;

/** The runs after one of them changed, newest last, at most `limit`. Only the first event of a run carries its prompt. */
export function runState(rows: readonly RunRow[], event: RunEvent, limit: number): readonly RunRow[] {
	const known = rows.findIndex(row => row.runId === event.runId);
	const row = mergedRow(rows[known], event);
	return known === -1 ? [...rows, row].slice(-limit) : rows.with(known, row);
}

function mergedRow(before: RunRow | undefined, event: RunEvent): RunRow {
	return {
		runId: event.runId,
		profile: event.profile,
		state: event.state,
		route: event.route ?? event.job ?? before?.route ?? '',
		event: event.event ?? before?.event ?? '',
		deliveryId: event.deliveryId ?? before?.deliveryId ?? '',
		reason: event.reason ?? '',
		prompt: event.prompt ?? before?.prompt ?? '',
		startedAt: event.startedAt ?? before?.startedAt ?? event.time,
		changedAt: event.time,
	};
}

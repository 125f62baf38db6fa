import {type RunRecord} from '../journal/journal.ts';
import {type GatewayEventBody} from '../state/event.ts';
import {type RunStatus} from '../state/run-event.ts';
import {safeText} from '../util/safe-text.ts';

type RunStateEvent = Extract<GatewayEventBody, {type: 'run.state'}>;

const promptCharacters = 20_000;

/** A change of a run that windows know already. */
export function runChanged(run: RunRecord, state: RunStatus, reason?: string): RunStateEvent {
	return {
		type: 'run.state',
		runId: run.id,
		state,
		...(run.route && {route: safeText(run.route)}),
		...(run.job && {job: safeText(run.job, {maximumCharacters: 200})}),
		event: safeText(run.event),
		deliveryId: safeText(run.deliveryId),
		...(reason && {reason: safeText(reason)}),
	};
}

/** The first event of a run: all a window needs to show it. `startedAt` is milliseconds since the epoch. */
export function runAppeared(
	run: RunRecord,
	state: RunStatus,
	more: {readonly reason?: string; readonly startedAt: number},
): RunStateEvent {
	return {
		...runChanged(run, state, more.reason),
		prompt: safeText(run.prompt, {multiline: true, maximumCharacters: promptCharacters}),
		startedAt: more.startedAt,
	};
}

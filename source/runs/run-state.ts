import {type RunStatus} from '../state/work-event.ts';

/**
What can happen to a run. `park`: there is no model, a person has to look; `close`: the person has looked; `requeue`: it was taken, and its model was
never asked.
*/
export type RunTransition = 'begin' | 'requeue' | 'park' | 'finish' | 'fail' | 'cancel' | 'interrupt' | 'close';

const moves: {readonly [State in RunStatus]: Partial<Readonly<Record<RunTransition, RunStatus>>>} = {
	queued: {begin: 'running', park: 'inbox', cancel: 'cancelled'},
	running: {finish: 'finished', fail: 'failed', cancel: 'cancelled', interrupt: 'interrupted', requeue: 'queued'},
	inbox: {close: 'finished'},
	finished: {},
	failed: {},
	cancelled: {},
	interrupted: {},
};

/** The state after a step. A step that does not belong to the state changes nothing, so an end stays the end. */
export function nextRunState(state: RunStatus, step: RunTransition): RunStatus {
	return moves[state][step] ?? state;
}

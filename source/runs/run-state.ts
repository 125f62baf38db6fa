import {type RunStatus} from '../state/work-event.ts';

/**
The events of a run. `park`: there is no model, a person must answer; `close`: the person has closed it; `requeue`: it was taken, but its model was
never asked; `withhold`: the same, for a limit of the day.
*/
export type RunTransition =
	| 'begin'
	| 'requeue'
	| 'withhold'
	| 'park'
	| 'finish'
	| 'fail'
	| 'cancel'
	| 'interrupt'
	| 'close';

const moves: {readonly [State in RunStatus]: Partial<Readonly<Record<RunTransition, RunStatus>>>} = {
	queued: {begin: 'running', park: 'inbox', cancel: 'cancelled'},
	running: {
		finish: 'finished',
		fail: 'failed',
		cancel: 'cancelled',
		interrupt: 'interrupted',
		requeue: 'queued',
		withhold: 'queued',
	},
	inbox: {close: 'finished'},
	finished: {},
	failed: {},
	cancelled: {},
	interrupted: {},
	unreadable: {},
};

/** The next state. An event without meaning in a state changes nothing, so an end stays final. */
export function nextRunState(state: RunStatus, step: RunTransition): RunStatus {
	return moves[state][step] ?? state;
}

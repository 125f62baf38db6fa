import {expect, test} from 'vitest';
import {type RunTransition, nextRunState} from '../../source/runs/run-state.ts';
import {type RunStatus} from '../../source/state/work-event.ts';

const steps = [
	'begin',
	'park',
	'finish',
	'fail',
	'cancel',
	'interrupt',
	'close',
	'requeue',
] as const satisfies readonly RunTransition[];

/** One column per step, in the order above. */
const table: Readonly<Record<RunStatus, string>> = {
	queued: 'running inbox queued queued cancelled queued queued queued',
	running: 'running running finished failed cancelled interrupted running queued',
	inbox: 'inbox inbox inbox inbox inbox inbox finished inbox',
	finished: 'finished finished finished finished finished finished finished finished',
	failed: 'failed failed failed failed failed failed failed failed',
	cancelled: 'cancelled cancelled cancelled cancelled cancelled cancelled cancelled cancelled',
	unreadable: 'unreadable unreadable unreadable unreadable unreadable unreadable unreadable unreadable',
	interrupted: 'interrupted interrupted interrupted interrupted interrupted interrupted interrupted interrupted',
};

const states: readonly RunStatus[] = [
	'queued',
	'running',
	'inbox',
	'finished',
	'failed',
	'cancelled',
	'interrupted',
	'unreadable',
];
const pairs = states.flatMap(state =>
	steps.map((step, index) => ({state, step, next: table[state].split(' ')[index]})),
);

test.each(pairs)('$state, $step → $next', ({state, step, next}) => {
	expect(nextRunState(state, step)).toBe(next);
});

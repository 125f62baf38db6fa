import {type Journal, type RunRow} from '../journal/journal.ts';
import {type RunStatus} from '../state/work-event.ts';
import {runAppeared} from './run-event.ts';
import {type ProfileOf} from './run-profile.ts';

const mostRuns = 200;
const otherStates: readonly RunStatus[] = ['queued', 'running', 'finished', 'failed', 'cancelled', 'interrupted'];

/** After a start, tells of the runs a window should show, oldest first: those just interrupted, inbox items, then the most recent others; 200 in all. Answers them. */
export function showRuns(
	options: {readonly journal: Pick<Journal, 'listRuns' | 'findRun'>; readonly profileOf: ProfileOf},
	interruptedIds: readonly string[],
): readonly RunRow[] {
	const {journal, profileOf} = options;
	const interrupted = interruptedIds.map(id => journal.findRun(id)).filter(run => run !== undefined);
	const inbox = journal.listRuns({states: ['inbox'], limit: mostRuns});
	const others = journal.listRuns({states: otherStates, limit: mostRuns});
	const byId = new Map([...interrupted, ...inbox, ...others].map(run => [run.id, run]));
	const shown = [...byId.values()].slice(0, mostRuns).sort((first, second) => first.createdAt - second.createdAt);
	for (const run of shown) {
		const {reason, result, createdAt: startedAt} = run;
		profileOf(run.profile).publish(runAppeared(run, run.state, {reason, ...result, startedAt}));
	}

	return shown;
}

import {type Journal, type RunRecord} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {safeText} from '../util/safe-text.ts';
import {reportProblem} from './report-problem.ts';
import {runAppeared, runChanged} from './run-event.ts';
import {nextRunState} from './run-state.ts';

/** Where runs wait for a person when there is no model. They stay until a person closes them, over restarts too. */
export type Inbox = {
	/** Parks a begun run. Rejects with `storage_unavailable`. */
	readonly put: (run: RunRecord) => Promise<void>;
	/** Closes an item. Never rejects: what goes wrong, or is no item of the inbox, is a log event. */
	readonly close: (runId: string) => Promise<void>;
};

const noModel = 'no model configured';
const closed = 'closed by a person';

/** Opens the inbox. */
export function createInbox(options: {
	readonly journal: Pick<Journal, 'setRunState' | 'findRun'>;
	readonly publish: Publish;
}): Inbox {
	const {journal, publish} = options;

	const closeItem = async (runId: string) => {
		const run = journal.findRun(runId);
		const state = run && nextRunState(run.state, 'close');
		if (!run || !state || state === run.state) {
			const text = `There is no open inbox item ${safeText(runId)}`;
			publish({type: 'log', level: 'warning', area: 'runs', text});
			return;
		}

		await journal.setRunState(runId, state, closed);
		publish(runChanged(run, state, closed));
	};

	return {
		async put(run) {
			const state = nextRunState('running', 'park');
			await journal.setRunState(run.id, state, noModel);
			publish(runAppeared(run, state, {reason: noModel, startedAt: run.createdAt}));
		},
		close: runId => closeItem(runId).catch((caught: unknown) => reportProblem(publish, caught)),
	};
}

import {type Journal, type RunRecord} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {safeText} from '../util/safe-text.ts';
import {reportProblem} from './report-problem.ts';
import {runAppeared, runChanged} from './run-event.ts';
import {nextRunState} from './run-state.ts';

/** Where runs wait for a person when there is no model. They stay until a person closes them, over restarts too. */
export type Inbox = {
	/** Takes the oldest queued run into the inbox, in one write: a hard kill finds it before or after, never begun. Rejects with `storage_unavailable`. */
	readonly take: () => Promise<RunRecord | undefined>;
	/** Tells of a run that was taken. */
	readonly show: (run: RunRecord) => void;
	/** Closes an item. Never rejects: what goes wrong, or is no item of the inbox, is a log event. */
	readonly close: (runId: string) => Promise<void>;
};

const parked = nextRunState('queued', 'park');
const noModel = 'no model configured';
const closed = 'closed by a person';

/** Opens the inbox. */
export function createInbox(options: {
	readonly journal: Pick<Journal, 'takeQueuedRun' | 'setRunState' | 'findRun'>;
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
		take: () => journal.takeQueuedRun({state: parked, reason: noModel}),
		show: run => publish(runAppeared(run, parked, {reason: noModel, startedAt: run.createdAt})),
		close: runId => closeItem(runId).catch((caught: unknown) => reportProblem(publish, caught)),
	};
}

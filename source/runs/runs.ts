import {type Deliver} from '../delivery/deliver.ts';
import {type Journal} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {type Complete, createExecuteRun} from './execute-run.ts';
import {createInbox} from './inbox.ts';
import {createRunQueue} from './run-queue.ts';
import {showRuns} from './show-runs.ts';

/** The life of agent runs: taken from the queue, answered by a model or laid before a person, bounded, ended with the gateway. */
export type Runs = {
	/** Interrupts what a former process had begun, shows inbox items and recent runs again, takes up the queue. Rejects with `storage_unavailable`. */
	readonly start: () => Promise<void>;
	/** Something was queued. */
	readonly wake: () => void;
	/** A person has dealt with an inbox item. Never rejects: a refusal is a log event. */
	readonly closeInboxItem: (runId: string) => Promise<void>;
	/** Begins nothing more, gives begun runs ten seconds, then interrupts them (spec/decisions.md, D8: Stop). */
	readonly stop: () => Promise<void>;
};

/** What of the journal the runs need. */
export type RunJournal = Pick<Journal, 'takeQueuedRun' | 'setRunState' | 'interruptBegunRuns' | 'listRuns' | 'findRun'>;

/** Opens the runs. Without `complete` there is no model, and every run becomes an inbox item. */
export function createRuns(options: {
	readonly journal: RunJournal;
	readonly clock: Clock;
	readonly publish: Publish;
	readonly deliver: Deliver;
	readonly maximumConcurrentRuns: number;
	readonly complete?: Complete;
}): Runs {
	const {journal, clock, publish, deliver, maximumConcurrentRuns, complete} = options;
	const inbox = createInbox({journal, publish});
	const queue = createRunQueue({
		take: complete ? () => journal.takeQueuedRun() : inbox.take,
		work: complete ? createExecuteRun({journal, clock, publish, deliver, complete}) : async run => inbox.show(run),
		maximumConcurrentRuns,
		clock,
		publish,
	});
	return {
		async start() {
			const interrupted = await journal.interruptBegunRuns();
			showRuns(
				{journal, publish},
				interrupted.map(run => run.id),
			);
			queue.wake();
		},
		wake: queue.wake,
		closeInboxItem: inbox.close,
		stop: queue.stop,
	};
}

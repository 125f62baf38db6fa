import {type Deliver} from '../delivery/deliver.ts';
import {type Journal} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {createExecuteRun} from './execute-run.ts';
import {createInbox, type Inbox, parked} from './inbox.ts';
import {createRunDesk, type RunDesk} from './run-desk.ts';
import {type ProfileOf} from './run-profile.ts';
import {createRunQueue} from './run-queue.ts';
import {showRuns} from './show-runs.ts';
import {createTakeRun} from './take-run.ts';

/** The life of agent runs: taken from the queue, answered by a model or laid before a person, bounded, ended with the gateway. */
export type Runs = {
	/** Interrupts what a former process had begun, shows inbox items and recent runs again, takes up the queue. Rejects with `storage_unavailable`. */
	readonly start: () => Promise<void>;
	/** Something was queued. */
	readonly wake: () => void;
	readonly desk: RunDesk;
	readonly inbox: Pick<Inbox, 'answer' | 'close'>;
	/** Begins nothing more, gives begun runs ten seconds, then interrupts them (spec/decisions.md, D8: Stop). */
	readonly stop: () => Promise<void>;
};

/** What of the journal the runs need. */
export type RunJournal = Pick<
	Journal,
	| 'queueRun'
	| 'nextQueuedRun'
	| 'takeQueuedRun'
	| 'finishRun'
	| 'interruptBegunRuns'
	| 'listRuns'
	| 'findRun'
	| 'findConversation'
>;

/** Opens the runs. */
export function createRuns(options: {
	readonly journal: RunJournal;
	readonly clock: Clock;
	/** For what belongs to no profile. */
	readonly publish: Publish;
	readonly deliver: Deliver;
	readonly maximumConcurrentRuns: number;
	readonly profileOf: ProfileOf;
}): Runs {
	const {journal, clock, publish, maximumConcurrentRuns, profileOf} = options;
	const inbox = createInbox(options);
	const execute = createExecuteRun(options);
	const queue = createRunQueue({
		take: createTakeRun(options),
		work: async (run, work) => (journal.findRun(run.id)?.state === parked ? inbox.show(run) : execute(run, work)),
		maximumConcurrentRuns,
		clock,
		publish,
	});
	return {
		async start() {
			const interrupted = await journal.interruptBegunRuns();
			const ids = interrupted.map(run => run.id);
			for (const run of showRuns({journal, profileOf}, ids).filter(one => one.state === parked)) {
				inbox.showTools(run);
			}

			queue.wake();
		},
		wake: queue.wake,
		desk: createRunDesk({journal, queue, clock, profileOf}),
		inbox,
		async stop() {
			await queue.stop();
			await inbox.stop();
		},
	};
}

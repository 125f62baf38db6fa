import {createDeliverAnswer} from './deliver-answer.ts';
import {createExecuteRun} from './execute-run.ts';
import {createInbox, type Inbox} from './inbox.ts';
import {createRunController, type RunController} from './run-controller.ts';
import {createRunQueue} from './run-queue.ts';
import {type RunsOptions} from './runs-options.ts';
import {showRuns} from './show-runs.ts';
import {createTakeRuns} from './take-runs.ts';

/** The life of agent runs: taken from the queue, answered by a model or laid before a person, bounded, ended with the gateway. */
export type Runs = {
	/** Interrupts what a former process had begun, shows inbox items and recent runs again, takes up the queue. Rejects with `storage_unavailable`. */
	readonly start: () => Promise<void>;
	/** Something was queued. */
	readonly wake: () => void;
	readonly controller: RunController;
	readonly inbox: Pick<Inbox, 'answer' | 'close'>;
	/**
	Begins nothing more, at once. Runs that have not asked their model go back into the queue; the others get ten seconds, then they are interrupted
	(docs/webhooks.md, Accepted means kept). A second call waits for the first.
	*/
	readonly stop: () => Promise<void>;
};

/** Opens the runs. */
export function createRuns(options: RunsOptions): Runs {
	const {journal, clock, publish, maximumConcurrentRuns, profileOf, deliveryReady = async () => undefined} = options;
	const deliverAnswer = createDeliverAnswer(options.deliver);
	const inbox = createInbox({journal, clock, deliverAnswer, profileOf});
	const execute = createExecuteRun({journal, clock, deliverAnswer, profileOf});
	const queue = createRunQueue({
		take: createTakeRuns({journal, profileOf, deliveryReady}),
		work: execute,
		park: inbox.show,
		maximumConcurrentRuns,
		clock,
		publish,
	});
	let stopped: Promise<void> | undefined;
	return {
		async start() {
			const interrupted = await journal.interruptBegunRuns();
			const ids = interrupted.map(run => run.id);
			inbox.showTools(showRuns({journal, profileOf}, ids));
			queue.wake();
		},
		wake: queue.wake,
		controller: createRunController({journal, queue, clock, profileOf}),
		inbox,
		stop() {
			stopped ??= queue.stop().then(inbox.stop);
			return stopped;
		},
	};
}

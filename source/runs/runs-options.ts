import {type Deliver} from '../delivery/deliver.ts';
import {type Journal} from '../journal/journal.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {type ProfileOf} from './run-profile.ts';
import {type DeliveryReady} from './take-runs.ts';

/** What of the journal the runs need. */
export type RunJournal = Pick<
	Journal,
	| 'queueRun'
	| 'nextQueuedRuns'
	| 'moveQueuedRuns'
	| 'finishRun'
	| 'requeueRun'
	| 'interruptBegunRuns'
	| 'listRuns'
	| 'findRun'
	| 'findConversation'
>;

/** What runs stand on. */
export type RunsOptions = {
	readonly journal: RunJournal;
	readonly clock: Clock;
	/** For what belongs to no profile. */
	readonly publish: Publish;
	readonly deliver: Deliver;
	/** Default: nothing has to be loaded. */
	readonly deliveryReady?: DeliveryReady;
	/** As the configuration in force says; `wake` after it rose. */
	readonly maximumConcurrentRuns: () => number;
	readonly profileOf: ProfileOf;
};

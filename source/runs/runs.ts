import {type Journal, type RunRecord, type RunRow} from '../journal/journal.ts';
import {type MaxRuns} from '../journal/rows/run-turns.ts';
import {type Publish} from '../state/event.ts';
import {type RunStatus, isOpenRun} from '../state/work-event.ts';
import {type Clock} from '../util/clock.ts';
import {type WithheldRuns} from './day-limits.ts';
import {createExecuteRun, type PayloadOf} from './execute-run.ts';
import {type GiveToCaller} from './event-callers.ts';
import {type RunEnded} from './failure-notices.ts';
import {createInbox, type Inbox} from './inbox.ts';
import {createDeliverAnswer} from './run-answers.ts';
import {createRunController, type RunController} from './run-controller.ts';
import {reportUnreadNotes, runStored} from './run-event.ts';
import {type ProfileOf} from './run-profile.ts';
import {createParkableRuns} from './parkable-runs.ts';
import {type PlaceRun} from './run-placement.ts';
import {createRouteSlots} from './route-slots.ts';
import {createRunQueue, type RunQueue} from './run-queue.ts';
import {type DeliverStored} from './send-stored-message.ts';
import {type SlotLimits} from './slot-pool.ts';
import {createTakeRuns, type DeliveryReady} from './take-runs.ts';

/** The agent runs of the gateway: taken from the queue, a bounded number at once, answered by a model or put into the inbox. */
export type Runs = {
	/** Marks runs that an earlier process began as interrupted, publishes inbox items and recent runs, and starts the queue. Rejects with `storage_unavailable`. */
	readonly start: () => Promise<void>;
	/** Marks runs that a gateway began which is gone as interrupted, and looks for others that it had queued. Rejects with `storage_unavailable`. */
	readonly recover: () => Promise<void>;
	/** Another gateway has declared this one dead, and interrupted its runs. */
	readonly interrupt: () => void;
	/** Call it after a run of this profile was queued; without a profile, when anything else may let a run leave the queue. */
	readonly wake: RunQueue['wake'];
	/** The runs under way here. */
	readonly counts: RunQueue['counts'];
	/** The number of runs that could begin now. */
	readonly free: RunQueue['free'];
	readonly controller: RunController;
	readonly inbox: Pick<Inbox, 'answer' | 'close'>;
	/**
	Stops starting runs at once. Runs that have not asked their model are requeued; the others get ten seconds, then they are interrupted
	(docs/journal.md, Accepted means kept). A second call waits for the first.
	*/
	readonly stop: () => Promise<void>;
};

/** The part of the journal that runs use. */
type RunJournal = Pick<
	Journal,
	| 'queueRun'
	| 'nextQueuedRuns'
	| 'listQueuedRuns'
	| 'moveQueuedRuns'
	| 'finishRun'
	| 'requeueRun'
	| 'giveRunSlotBack'
	| 'takeRunSlotBack'
	| 'interruptBegunRuns'
	| 'claimInboxItem'
	| 'releaseInboxItem'
	| 'listRuns'
	| 'findRun'
	| 'findConversation'
	| 'putModelTurn'
	| 'addRunNote'
	| 'markNotesRead'
	| 'listUnreadNotes'
>;

type RunsOptions = {
	readonly journal: RunJournal;
	readonly clock: Clock;
	/** For events that belong to no profile. */
	readonly publish: Publish;
	readonly deliver: DeliverStored;
	/** Default: nobody waits for results. */
	readonly giveToCaller?: GiveToCaller;
	/** Default: nothing has to be loaded. */
	readonly deliveryReady?: DeliveryReady;
	/** Read from the current configuration at every change; call `wake` after they rose. */
	readonly limits: () => SlotLimits;
	/** The runs of each route with a limit that may have a slot at once; read at every change. Default: no route has one. */
	readonly maxRuns?: () => MaxRuns;
	/** Routes and jobs whose runs must not be taken now; call `wake` when that ends. Default: there are none. */
	readonly withheldOrigins?: () => WithheldRuns;
	/** True if everything is held: no run begins then. Call `wake` after the release. */
	readonly isHeld: () => boolean;
	/** True if another gateway has a model for a profile, as far as known: then its runs are left to that one instead of parked. Default: there is none. */
	readonly mayHaveModelElsewhere?: (profile: string) => boolean;
	/** Default: no other gateway can do more of a run. */
	readonly placeRun?: PlaceRun;
	readonly profileOf: ProfileOf;
	/** The publisher of a profile for runs that ended before the start: to be shown, and no news for logs and counters. Default: that of all its events. */
	readonly publishEnded?: (profile: string) => Publish;
	/** The payload of the event that led to a run, or to the conversation it continues; also what is not in its prompt. Default: none is known. */
	readonly payloadOf?: PayloadOf;
	/** Called for each run that ended here. Default: nobody has to know. */
	readonly ended?: RunEnded;
};

/** Together no more than a dashboard shows. */
const maxRuns = 200;
const maxInboxItems = 300;
const otherStates: readonly RunStatus[] = ['queued', 'running', 'finished', 'failed', 'cancelled', 'interrupted'];

/** Creates the runs; nothing is taken before `start`. */
export function createRuns(options: RunsOptions): Runs {
	const {
		journal,
		clock,
		publish,
		limits,
		isHeld,
		profileOf,
		mayHaveModelElsewhere = () => false,
		publishEnded = profile => profileOf(profile).publish,
		deliveryReady = async () => undefined,
		payloadOf = async () => undefined,
		giveToCaller = async () => undefined,
		ended = () => undefined,
	} = options;
	const deliverAnswer = createDeliverAnswer(options.deliver, giveToCaller);
	const inbox = createInbox({journal, clock, deliverAnswer, giveToCaller, profileOf});
	const execute = createExecuteRun({journal, clock, deliverAnswer, giveToCaller, profileOf, payloadOf, ended});
	const parkable = createParkableRuns({journal, profileOf, mayHaveModelElsewhere});
	const queue = createRunQueue({
		take: createTakeRuns({...options, parkable, deliveryReady, mayHaveModelElsewhere}),
		routeSlots: createRouteSlots(options),
		parkable,
		work: execute,
		park: inbox.show,
		limits,
		isHeld,
		clock,
		publish,
	});
	let stopped: Promise<void> | undefined;
	return {
		async start() {
			const interrupted = await journal.interruptBegunRuns();
			const ids = interrupted.map(run => run.id);
			inbox.showTools(await showRuns({journal, profileOf, publishEnded}, ids));
			await showUnreadNotes({journal, profileOf}, interrupted);
			queue.wake();
			await failCallers(interrupted, giveToCaller);
		},
		async recover() {
			const interrupted = await journal.interruptBegunRuns();
			await showInterrupted({journal, profileOf}, interrupted);
			queue.wake();
			await failCallers(interrupted, giveToCaller);
		},
		interrupt: queue.interrupt,
		wake: queue.wake,
		counts: queue.counts,
		free: queue.free,
		controller: createRunController({journal, queue, clock, profileOf, giveToCaller}),
		inbox,
		stop() {
			stopped ??= queue.stop().then(inbox.stop);
			return stopped;
		},
	};
}

/** Says to the senders of events that there is no result. */
async function failCallers(interrupted: readonly RunRecord[], give: GiveToCaller): Promise<void> {
	for (const run of interrupted.filter(({caller}) => caller)) {
		await give(run, {kind: 'failed'});
	}
}

/** Publishes runs that were interrupted while this gateway goes on. */
async function showInterrupted(
	{journal, profileOf}: {readonly journal: Pick<Journal, 'findRun' | 'listUnreadNotes'>; readonly profileOf: ProfileOf},
	interrupted: readonly RunRecord[],
): Promise<void> {
	for (const {id} of interrupted.slice(0, maxRuns)) {
		const run = await journal.findRun(id);
		if (run) {
			profileOf(run.profile).publish(runStored(run));
		}
	}

	await showUnreadNotes({journal, profileOf}, interrupted);
}

/** Publishes the notes that interrupted runs have not read. */
async function showUnreadNotes(
	{journal, profileOf}: {readonly journal: Pick<Journal, 'listUnreadNotes'>; readonly profileOf: ProfileOf},
	interrupted: readonly RunRecord[],
): Promise<void> {
	for (const run of interrupted.slice(0, maxRuns)) {
		await reportUnreadNotes(run, {journal, publish: profileOf(run.profile).publish});
	}
}

/** Publishes the runs for the dashboard after a start, oldest first: at most 300 inbox items, and 200 of the interrupted ones and the most recent others. */
async function showRuns(
	options: Required<Pick<RunsOptions, 'profileOf' | 'publishEnded'>> & {
		readonly journal: Pick<Journal, 'listRuns' | 'findRun'>;
	},
	interruptedIds: readonly string[],
): Promise<readonly RunRow[]> {
	const {journal, profileOf, publishEnded} = options;
	const [found, inbox, others] = await Promise.all([
		Promise.all(interruptedIds.slice(0, maxRuns).map(id => journal.findRun(id))),
		journal.listRuns({states: ['inbox'], limit: maxInboxItems}),
		journal.listRuns({states: otherStates, limit: maxRuns}),
	]);
	const interrupted = found.filter(run => run !== undefined);
	const byId = new Map([...interrupted, ...others].map(run => [run.id, run]));
	const shown = [...inbox, ...[...byId.values()].slice(0, maxRuns)].sort(
		(first, second) => first.createdAt - second.createdAt,
	);
	for (const run of shown) {
		const isNews = isOpenRun(run) || interruptedIds.includes(run.id);
		const publish = isNews ? profileOf(run.profile).publish : publishEnded(run.profile);
		publish(runStored(run));
	}

	return shown;
}

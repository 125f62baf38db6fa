import {type Journal, type RunRecord, type RunRow} from '../journal/journal.ts';
import {type MaxRuns, originName, type WithheldOrigins} from '../journal/rows/run-turns.ts';
import {type WithheldRuns} from './day-limits.ts';
import {untilAborted} from '../util/clock.ts';
import {isOutOfFiles, needOpenFile} from '../util/open-files.ts';
import {Problem} from '../util/problem.ts';
import {noModel, parked} from './inbox.ts';
import {type ParkableRuns} from './parkable-runs.ts';
import {type PlaceRun, type Placement} from './run-placement.ts';
import {reportProblem} from './run-problems.ts';
import {type ProfileOf} from './run-profile.ts';

/** A run that left the queue: begun, or parked in the inbox for a reason. */
export type TakenRun = {readonly kind: 'begun'; readonly run: RunRecord} | ParkedRun;

export type ParkedRun = {readonly kind: 'parked'; readonly run: RunRecord; readonly reason: string};

/** Takes the next runs from the queue in the order of their turns, and begins at most `places` of them; without a place, it parks those that need none. Empty when nothing waits. Rejects with the reason of the signal: then nothing was taken. */
export type TakeRuns = (places: number, options: {readonly signal: AbortSignal}) => Promise<readonly TakenRun[]>;

/** Loads the code for delivering the answer of a run; rejects when that is not possible now. */
export type DeliveryReady = (run: Pick<RunRecord, 'deliver' | 'profile'>) => Promise<void>;

/** The number of runs that are checked together: they share one wait for the disk, which stays short. */
const maxAtOnce = 32;

const nothingWithheld: WithheldOrigins = {routes: [], jobs: []};

/** No route has a limit. */
const unlimited = (): MaxRuns => new Map();

/** The number of origins whose last turn is remembered. */
const maxServed = 1000;

/**
Creates the function that takes runs from the queue. They are begun when their profile has a model, left to a gateway that has one, or parked in the inbox, in the same write that
dequeues them: after a hard kill a run is in one of these states, and no inbox item was ever begun. The code of a run is loaded before. Rejects with
`storage_unavailable`, and with `too_many_open_files` while nothing can be loaded. Runs of a write that failed may have left the queue all the same:
before anything else is taken, those to be begun are put back, and those that were parked are returned.
*/
export function createTakeRuns(options: {
	readonly journal: Pick<Journal, 'nextQueuedRuns' | 'moveQueuedRuns' | 'requeueRun' | 'findRun'>;
	readonly profileOf: ProfileOf;
	readonly deliveryReady: DeliveryReady;
	readonly parkable: Pick<ParkableRuns, 'scan'>;
	readonly isHeld: () => boolean;
	/** True if another gateway has a model for a profile, as far as known. */
	readonly mayHaveModelElsewhere: (profile: string) => boolean;
	/** Default: whoever has a model begins a run. */
	readonly placeRun?: PlaceRun;
	/** Read for every take. Default: no route has a limit. */
	readonly maxRuns?: () => MaxRuns;
	/** The same. Default: there are none. */
	readonly withheldOrigins?: () => WithheldRuns;
}): TakeRuns {
	const {journal, isHeld, parkable, maxRuns = unlimited, withheldOrigins = () => nothingWithheld} = options;
	const turns = createTurns({journal, maxRuns, withheldOrigins});
	const choose = createChoose(options);
	const doubtful = createDoubtfulRuns(journal);
	/** Returns the runs without those that were cancelled while their model was chosen, and without those to be begun when a hold began meanwhile. */
	const take = async (runs: readonly TakenRun[]): Promise<readonly TakenRun[]> => {
		doubtful.set(runs);
		const moved = await moveRuns(journal, runs, maxRuns());
		const taken = runs.filter(({run}) => moved.some(ids => ids.has(run.id)));
		if (isHeld()) {
			doubtful.set(taken);
			return doubtful.settle('it was not started, because the gateway is on hold');
		}

		doubtful.set([]);
		turns.note(taken);
		return taken;
	};

	return async (places, {signal}) => {
		const found = await doubtful.settle('it was not started, because the journal could not be written');
		if (found.length > 0) {
			return found;
		}

		// Parked runs need no model.
		if (places <= 0 || withheldOrigins() === 'all') {
			const park = async (runs: readonly RunRecord[]) => {
				signal.throwIfAborted();
				// It may have begun since the queue asked.
				return isHeld() ? [] : take(runs.map(run => ({kind: 'parked', run, reason: noModel})));
			};

			return parkable.scan(park, {signal});
		}

		const elsewhere: Elsewhere = {profiles: new Set(), origins: new Set()};
		let notMoved = new Set<string>();
		for (let next = await turns.next(elsewhere); next.length > 0; next = await turns.next(elsewhere)) {
			// Queued still: another gateway takes them at this moment or the last slot of their route, or has declared this one dead. The next scan finds what is left.
			if (next.some(({id}) => notMoved.has(id))) {
				break;
			}

			const {chosen, left} = await choose(next, places, {elsewhere, signal});
			signal.throwIfAborted();
			// A model may have been looked for since the queue asked.
			if (isHeld()) {
				break;
			}

			const taken = await take(chosen);
			if (taken.length > 0 || chosen.length + left === 0) {
				return taken;
			}

			// However many wait for another gateway, those behind them are found.
			notMoved = new Set(chosen.map(({run}) => run.id));
		}

		return [];
	};
}

/** Moves the runs out of the queue, in one write; resolves with the ids of those that were still in it. */
function moveRuns(journal: Pick<Journal, 'moveQueuedRuns'>, runs: readonly TakenRun[], maxRuns: MaxRuns) {
	const move = (some: readonly TakenRun[], change: Pick<RunRow, 'state' | 'reason'>, limits?: MaxRuns) => {
		const ids = some.map(({run}) => run.id);
		return journal.moveQueuedRuns(ids, change, limits);
	};

	const groups = Map.groupBy(runs, taken => (taken.kind === 'parked' ? taken.reason : undefined));
	return Promise.all(
		[...groups].map(([reason, some]) =>
			reason === undefined
				? move(some, {state: 'running'}, limitsOf(some, maxRuns))
				: move(some, {state: parked, reason}),
		),
	);
}

/** The limits of the routes of these runs; undefined when they have none, so that no slots are counted. */
function limitsOf(runs: readonly TakenRun[], maxRuns: MaxRuns): MaxRuns | undefined {
	const limited = [...maxRuns].filter(([route]) => runs.some(({run}) => run.route === route));
	return limited.length === 0 ? undefined : new Map(limited);
}

/** Reads the next runs without those of profiles that are left to other gateways, and remembers which origins had their turn. */
function createTurns({
	journal,
	maxRuns,
	withheldOrigins,
}: Required<Pick<Parameters<typeof createTakeRuns>[0], 'journal' | 'maxRuns' | 'withheldOrigins'>>) {
	let served: readonly string[] = [];
	return {
		async next({profiles, origins}: Elsewhere): Promise<readonly RunRecord[]> {
			const withheld = withheldOrigins();
			return withheld === 'all'
				? []
				: journal.nextQueuedRuns(maxAtOnce, {
						withoutProfiles: [...profiles],
						withoutOrigins: [...origins],
						withheld,
						maxRuns: maxRuns(),
						served,
					});
		},
		note(taken: readonly TakenRun[]) {
			for (const {kind, run} of taken) {
				const origin = originName(run);
				served = kind === 'begun' ? [...served.filter(one => one !== origin), origin].slice(-maxServed) : served;
			}
		},
	};
}

/** The profiles and the origins whose runs are left to other gateways. */
type Elsewhere = {readonly profiles: Set<string>; readonly origins: Set<string>};

/** Creates the function that decides about the next runs, adds to what is left to other gateways, and loads the code of the runs that begin. */
function createChoose({
	profileOf,
	deliveryReady,
	mayHaveModelElsewhere,
	placeRun = () => ({kind: 'here'}),
}: Pick<Parameters<typeof createTakeRuns>[0], 'profileOf' | 'deliveryReady' | 'mayHaveModelElsewhere' | 'placeRun'>) {
	/** Rejects only when no file could be opened. Any other loading error fails the run later. */
	const load = async (run: RunRecord, signal: AbortSignal): Promise<void> => {
		const {agent, publish} = profileOf(run.profile);
		try {
			needOpenFile();
			await untilAborted(Promise.all([agent.ready(), deliveryReady(run)]), signal);
		} catch (caught) {
			if (signal.aborted || isOutOfFiles(caught)) {
				throw caught;
			}

			reportProblem(publish, caught, `run ${run.id}`);
		}
	};

	const place = async (run: RunRecord, signal: AbortSignal): Promise<Placement> => {
		const {kind} = await untilAborted(profileOf(run.profile).agent.model(), signal);
		if (kind !== 'none') {
			return placeRun(run, 'here');
		}

		if (!mayHaveModelElsewhere(run.profile)) {
			return {kind: 'inbox', reason: noModel};
		}

		const placement = placeRun(run, 'none');
		return placement.kind === 'inbox' ? placement : {kind: 'elsewhere', with: 'its profile'};
	};

	/** The first that may begin retains its turn: no later one is taken before it. `left`: the number of runs that are left to other gateways. */
	return async (
		next: readonly RunRecord[],
		places: number,
		{elsewhere, signal}: {readonly elsewhere: Elsewhere; readonly signal: AbortSignal},
	) => {
		const chosen: TakenRun[] = [];
		let left = 0;
		let free = places;
		for (const run of next) {
			const placement = await place(run, signal);
			if (placement.kind === 'elsewhere') {
				left++;
				const isWhole = placement.with === 'its profile';
				(isWhole ? elsewhere.profiles : elsewhere.origins).add(isWhole ? run.profile : originName(run));
			} else if (placement.kind === 'inbox') {
				chosen.push({kind: 'parked', run, reason: placement.reason});
			} else if (free > 0) {
				free--;
				await load(run, signal);
				chosen.push({kind: 'begun', run});
			} else {
				break;
			}
		}

		return {chosen, left};
	};
}

/** Runs that were being taken when the journal failed, so that nobody knows whether they left the queue, or when a hold began. */
function createDoubtfulRuns(journal: Pick<Journal, 'requeueRun' | 'findRun'>) {
	let doubtful: readonly TakenRun[] = [];
	const settleOne = async ({kind, run: {id}}: TakenRun, reason: string) => {
		if (kind === 'begun') {
			await journal.requeueRun(id, reason);
			return 'queued';
		}

		const row = await journal.findRun(id);
		if (!row) {
			throw new Problem('storage_unavailable');
		}

		return row.state;
	};

	return {
		set(runs: readonly TakenRun[]) {
			doubtful = runs;
		},
		/** Puts those to be begun back into the queue, if they left it, and returns those that were parked. */
		async settle(reason: string): Promise<readonly TakenRun[]> {
			const states = await Promise.all(doubtful.map(one => settleOne(one, reason)));
			const found = doubtful.filter((_, index) => states[index] === parked);
			doubtful = [];
			return found;
		},
	};
}

import {type Journal} from '../../journal/journal.ts';
import {type NodeFacts, type NodeList, type NodeRow, type RunAbilities} from '../../journal/rows/node-rows.ts';
import {type Publish} from '../../state/event.ts';
import {type Clock, sleep} from '../../util/clock.ts';
import {type Repetition, repeat} from '../../util/repeat.ts';
import {safeText} from '../../util/safe-text.ts';
import {createLastKey, type LastKey} from './last-key.ts';
import {type OthersWatch} from './watch-others.ts';

/** This gateway among those that share its journal (docs/postgresql.md, Several machines). */
export type Nodes = {
	/** As they were when this gateway looked last; undefined: it does not share its journal, or has not looked yet. */
	readonly list: () => NodeList | undefined;
	/** True if a live gateway other than this one has a model for a profile, or the live gateways are not yet known. */
	readonly mayHaveModelElsewhere: (profile: string) => boolean;
	/** The other live gateways, as far as known. */
	readonly others: () => readonly NodeRow[];
	/** See `NodeWork`; undefined before `start`. */
	readonly abilities: (profile: string) => RunAbilities | undefined;
	/** The same for a console that shows what is asked in a profile. */
	readonly hasConsoleElsewhere: (profile: string) => boolean;
	/** The same for a chat that counts as a console (docs/remote.md). */
	readonly hasChannelElsewhere: (profile: string) => boolean;
	/** The last key at the consoles of the gateways, by which a person is there. */
	readonly lastKey: Pick<LastKey, 'pressed' | 'since'>;
	/** Publishes the present work of the others, even without listeners. Resolves within a second; never rejects. */
	readonly showOthers: () => Promise<void>;
	/** Starts heartbeats and polling of the others, in a shared journal. Later calls, and those after an end, change nothing. */
	readonly start: (work: NodeWork) => void;
	/** Another gateway has declared this one dead, which goes on as another incarnation. */
	readonly declaredDead: () => void;
	/** Looks for no more work, and takes up nothing more. The heartbeats go on: what still runs here is not to be taken over. */
	readonly endWork: () => Promise<void>;
	readonly stop: () => Promise<void>;
};

/** The facts that this gateway publishes, its lease, and its work for others. */
type NodeWork = {
	readonly facts: () => NodeFacts;
	/** The parts of runs that a profile has or can have at once: also servers that the first call starts. */
	readonly abilities: (profile: string) => RunAbilities;
	readonly leaseMilliseconds: number;
	/** Ends the runs of this gateway, which another one has interrupted. */
	readonly interrupt: () => void;
	/** Takes up what gateways that are gone have left. Rejects with `storage_unavailable`. */
	readonly recover: () => Promise<void>;
	/** Another gateway may have queued a run. */
	readonly wakeRuns: () => void;
	/** Begins to show what the others do. */
	readonly watchOthers: () => OthersWatch;
};

type NodesOptions = {
	readonly journal: Pick<Journal, 'renewNode' | 'expireNodes' | 'listNodes'>;
	/** Continues as another incarnation after another gateway has declared this one dead. */
	readonly enterAgain: () => Promise<void>;
	/** Milliseconds that the clock of the journal is ahead of the clock of this machine. */
	readonly clockAhead: () => number;
	/** The name of this gateway in the journal; undefined before it has one. */
	readonly name: () => string | undefined;
	readonly clock: Clock;
	readonly publish: Publish;
};

/** A lease is over after three heartbeats that did not come. */
const heartbeatsPerLease = 3;
const pollMilliseconds = 1000;
/**
Interval for recovering work of dead gateways, in milliseconds. It runs even if none was seen to die: the one that marked it dead may have died
itself.
*/
const recoverMilliseconds = 60_000;
/** A clock that differs by more is worth a line in the log. */
const clockMilliseconds = 5000;

/** Creates it for a journal that is open, or will be. */
export function createNodes(options: NodesOptions): Nodes {
	const {clock, publish} = options;
	const poller = createPoller(options);
	let heartbeats: Repetition | undefined;
	let polls: Repetition | undefined;
	let watch: OthersWatch | undefined;
	let interrupt: () => void = () => undefined;
	let abilities: NodeWork['abilities'] | undefined;
	let recovery: ReturnType<typeof createRecovery> | undefined;
	let phase: 'open' | 'started' | 'ended' = 'open';
	const others = () => poller.last()?.nodes.filter(node => isAlive(node) && node.name !== options.name()) ?? [];
	const lastKey = createLastKey(clock, () => sinceKey(others(), poller.last()?.now ?? 0));
	return {
		list: poller.last,
		mayHaveModelElsewhere(profile) {
			const known = poller.last()?.nodes;
			return known
				? known.some(node => isAlive(node) && node.facts?.models.includes(profile))
				: options.name() !== undefined;
		},
		others,
		abilities: profile => abilities?.(profile),
		hasConsoleElsewhere: profile => others().some(({facts}) => facts?.consoles.includes(profile)),
		hasChannelElsewhere: profile => others().some(({facts}) => facts?.channels?.includes(profile) ?? false),
		lastKey,
		async showOthers() {
			await (watch && Promise.race([watch.poll(), sleep(clock, pollMilliseconds)]));
		},
		declaredDead() {
			const text =
				'Another gateway has declared this one dead, because it did not renew its lease: its calls and runs under way are interrupted';
			publish({type: 'log', level: 'warning', area: 'journal', text});
			interrupt();
			recovery?.want();
		},
		start({facts, wakeRuns, watchOthers, leaseMilliseconds: lease, ...work}) {
			if (phase !== 'open') {
				return;
			}

			phase = 'started';
			({interrupt, abilities} = work);
			const taking = createRecovery(clock, work.recover);
			recovery = taking;
			const beat = async () => {
				if ((await poller.once(lease, {...facts(), ...lastKey.facts()})) === 'somebody-left') {
					taking.want();
				}

				taking.poll();
			};

			heartbeats = repeat({clock, firstMilliseconds: 0, everyMilliseconds: lease / heartbeatsPerLease, work: beat});
			polls = repeat({
				clock,
				firstMilliseconds: pollMilliseconds,
				everyMilliseconds: pollMilliseconds,
				work: async () => wakeRuns(),
			});
			watch = watchOthers();
		},
		async endWork() {
			phase = 'ended';
			watch?.stop();
			await Promise.all([polls?.stop(), recovery?.end()]);
		},
		stop: async () => heartbeats?.stop(),
	};
}

/** Takes up what gateways that are gone have left. No heartbeat waits for it: a gateway with much to take up would miss its lease. */
function createRecovery(clock: Pick<Clock, 'elapsed'>, recover: NodeWork['recover']) {
	let begunAt = clock.elapsed();
	let running: Promise<void> | undefined;
	let phase: 'open' | 'ended' = 'open';
	const want = () => {
		begunAt = Number.NEGATIVE_INFINITY;
	};

	return {
		/** Somebody may have left something: the next poll takes it up, also when the last one is still at work. */
		want,
		poll() {
			if (phase === 'open' && !running && clock.elapsed() - begunAt >= recoverMilliseconds) {
				begunAt = clock.elapsed();
				// That the journal cannot be written is said elsewhere.
				running = recover()
					.catch(want)
					.finally(() => {
						running = undefined;
					});
			}
		},
		async end() {
			phase = 'ended';
			await running;
		},
	};
}

/** The milliseconds since the last key at these gateways, by the clock of the journal at `now`. */
function sinceKey(nodes: readonly NodeRow[], now: number): number | undefined {
	const times = nodes.flatMap(({facts, seenAt}) =>
		facts?.sinceKey === undefined ? [] : [facts.sinceKey + Math.max(0, now - seenAt)],
	);
	return times.length === 0 ? undefined : Math.min(...times);
}

function isAlive({state}: NodeRow): boolean {
	return state === 'alive';
}

/** Polls the other nodes and sends a heartbeat of this gateway. */
function createPoller({journal, enterAgain, clockAhead, clock, publish}: NodesOptions) {
	let last: NodeList | undefined;
	let wasFar = false;
	const heartbeats = createHeartbeats(clock);
	const warn = (text: string) => publish({type: 'log', level: 'warning', area: 'journal', text: safeText(text)});

	const heartbeat = async (lease: number, facts: NodeFacts) => {
		const state = await journal.renewNode(facts);
		heartbeats.arrived(lease);
		if (state === 'dead') {
			await enterAgain();
			return;
		}

		for (const name of heartbeats.mayMarkDead(lease) ? await journal.expireNodes() : []) {
			warn(`The gateway ${name} did not renew its lease and counts as dead; its calls and runs under way are settled`);
		}
	};

	const compareClocks = () => {
		const apart = Math.abs(clockAhead());
		const isFar = apart > clockMilliseconds;
		if (isFar && !wasFar) {
			const seconds = Math.round(apart / 1000);
			warn(`The clocks of this machine and of the journal's database differ by ${seconds} seconds`);
		}

		wasFar = isFar;
	};

	return {
		last: () => last,
		/** `somebody-left`: a gateway that was alive before is not any more. Never rejects. */
		async once(lease: number, facts: NodeFacts): Promise<'somebody-left' | 'same'> {
			try {
				await heartbeat(lease, facts);
				compareClocks();
				const former = last?.nodes.filter(isAlive) ?? [];
				last = await journal.listNodes();
				const alive = new Set(last.nodes.filter(isAlive).map(({instanceId}) => instanceId));
				const isAnyGone = former.some(({instanceId}) => !alive.has(instanceId));
				return isAnyGone ? 'somebody-left' : 'same';
			} catch {
				// The journal cannot be reached, which is said elsewhere.
				return 'same';
			}
		},
	};
}

/** True once the own heartbeats were regular for two leases: before that, this gateway may itself have been cut off and marks none dead. */
function createHeartbeats(clock: Pick<Clock, 'elapsed'>) {
	let regularSince = Number.POSITIVE_INFINITY;
	let last = Number.NEGATIVE_INFINITY;
	return {
		/** One is in the journal; those that were only tried count for nothing. */
		arrived(lease: number) {
			const now = clock.elapsed();
			regularSince = now - last > lease ? now : regularSince;
			last = now;
		},
		mayMarkDead: (lease: number) => clock.elapsed() - regularSince >= 2 * lease,
	};
}

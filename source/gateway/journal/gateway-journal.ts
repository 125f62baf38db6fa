import {hostname} from 'node:os';
import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {type JournalConfig} from '../../config/read/settings.ts';
import {type StatePaths} from '../../config/read/state-paths.ts';
import {type Hint, type JournalLimits} from '../../journal/operations/operation-values.ts';
import {type JournalDatabase} from '../../journal/postgres/connection.ts';
import {type RetriedWritesState, usualPatienceMilliseconds} from '../../journal/retried-writes.ts';
import {openRecoverableJournal, type RecoverableJournal} from '../../journal/recoverable-journal.ts';
import {type StorageWorker} from '../../journal/sqlite/storage-thread.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {type Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {configuredDatabase, mayNameDatabase, nodeName} from './configured-journal.ts';
import {listFailedDeliveries, publishFailedDelivery} from './failed-deliveries.ts';
import {createJournalFault, type GatewayFault} from './journal-fault.ts';
import {createJournalReach} from './journal-reach.ts';
import {createJournalWatches} from './journal-watches.ts';
import {createKnownJournals} from './known-journals.ts';
import {createNodes, type Nodes} from './nodes.ts';
import {type ProfileContext, type RuntimeContext} from '../profiles/profile-context.ts';

const pruneMilliseconds = 3_600_000;

/** `status.journal` (docs/json.md, Documents). */
export type JournalState = ReturnType<ReturnType<typeof createJournalFault>['standing']> & {readonly waiting: number};

/** The journal of a gateway. It is opened while the configuration is still being read. */
export type GatewayJournal = RecoverableJournal & {
	/** Removes old rows, now and every hour, by the limits of the configuration in force. */
	readonly startPruning: (limits: () => JournalLimits & Pick<JournalConfig, 'patienceMilliseconds'>) => void;
	/** The present fault of the journal; undefined while it works. */
	readonly fault: () => GatewayFault | undefined;
	/** The state of the journal, since when, and the number of writes that wait for it. */
	readonly standing: () => JournalState;
	/** The kind of journal; `unknown` until config.yaml, which names it, could be read. */
	readonly place: () => 'file' | 'database' | 'unknown';
	/** Calls `listener` when another process on the database says that it changed such things. */
	readonly onHint: (hint: Hint, listener: () => void) => void;
	/** The gateways that share it. */
	readonly nodes: Nodes;
	/** True if the journal was reached lately; may ask it. */
	readonly isReached: () => Promise<boolean>;
	/** The name of this gateway among those that share the journal; undefined while it is a file. */
	readonly sharedAs: () => string | undefined;
	readonly close: () => Promise<void>;
};

/** Until the configuration is read, nothing is removed. */
const firstLimits = {
	maxAgeDays: Number.POSITIVE_INFINITY,
	maxBytes: Number.POSITIVE_INFINITY,
	patienceMilliseconds: usualPatienceMilliseconds,
};

/** The way in which the journal is opened. */
type OpeningOptions = {
	readonly thread: StorageWorker | undefined;
	/** Makes a journal where there was one. */
	readonly emptyJournal?: Parameters<typeof createKnownJournals>[1];
	/** Called when a newer version has changed its tables. */
	readonly onNewer: (problem: Problem) => void;
};

/**
Opens the journal, by the thread that was started for it, if any. What an earlier process could not deliver is published as soon as it can be read.
A file that cannot be used is a fault with a remedy, and everything that needs no journal goes on.
*/
export async function openGatewayJournal(
	{paths, clock, eventBus}: Pick<RuntimeContext, 'paths' | 'clock' | 'eventBus'>,
	loading: Promise<ProfileContext>,
	{thread, emptyJournal, onNewer}: OpeningOptions,
): Promise<GatewayJournal> {
	const publish = eventBus.publishFor(paths.profile);
	let limits: Parameters<GatewayJournal['startPruning']>[0] = () => firstLimits;
	const onFailedDelivery = publishFailedDelivery(eventBus, paths.profile);
	const reach = createJournalReach(clock);
	const choice = createDatabaseChoice(paths, loading);
	const fault = createJournalFault(paths.journal, {publish, clock, place: choice.place});
	const watches = createJournalWatches({clock, path: paths.journal, publish, place: choice.place, fault});
	const known = createKnownJournals(paths.journal, emptyJournal);
	const listeners = new Map<Hint, () => void>();
	const recoverable = await openRecoverableJournal({
		path: paths.journal,
		thread,
		database: choice.database,
		whenEmpty: known.whenEmpty,
		identity: known.identity,
		onHint: hint => listeners.get(hint)?.(),
		clock,
		limits: () => limits(),
		patienceMilliseconds: () => limits().patienceMilliseconds,
		report: fault.countMissing,
		onWrite: problem => [watches, reach].forEach(({setWrite}) => setWrite(problem)),
		onFailedDelivery,
		onRetriedWrites: state => publish({type: 'log', area: 'journal', ...retriedWritesLine(state)}),
		onState: watches.setUnusable,
		onRefusal: watches.poll,
		onNewer,
		node: async () => (mayNameDatabase(paths) ? leasedName((await loading).current().config) : embeddedName),
		onDeclaredDead: () => nodes.declaredDead(),
	});
	const {journal} = recoverable;
	watches.start(recoverable);
	const {sharedAs} = choice;
	const nodes = createNodes({...recoverable, name: sharedAs, clock, publish});
	await recoverable.take(async () => {
		await known.remember(await choice.database(), await journal.findIdentity());
		const failing = await listFailedDeliveries(journal, paths.profile);
		failing.forEach(delivery => onFailedDelivery({kind: 'failing', delivery}));
	});
	const pruning = createPruning(clock, journal);
	return {
		...recoverable,
		place: choice.place,
		onHint: (hint, listener) => void listeners.set(hint, listener),
		startPruning(current) {
			limits = current;
			pruning.start();
		},
		nodes,
		fault: fault.current,
		standing: () => ({...fault.standing(), waiting: recoverable.waiting()}),
		endWaiting() {
			void watches.stop();
			return recoverable.endWaiting();
		},
		isReached: async () => !fault.hasRefusingTable() && reach.isReached(recoverable),
		sharedAs,
		async close() {
			pruning.stop();
			await watches.stop();
			await nodes.stop();
			await journal.close();
			fault.close();
		},
	};
}

/** Removes old rows, at its start and every hour. */
function createPruning(clock: Clock, journal: Pick<RecoverableJournal['journal'], 'prune'>) {
	let timer: Timer | undefined;
	const prune = () => {
		journal.prune();
		timer = clock.after(pruneMilliseconds, prune);
	};

	return {start: prune, stop: () => timer?.cancel()};
}

/** Answers where the journal is, the same all the time once it is known. A configuration without a word of a database is not waited for. */
function createDatabaseChoice(paths: StatePaths, loading: Promise<ProfileContext>) {
	let chosen: {readonly database: JournalDatabase | undefined; readonly node?: string} | undefined = mayNameDatabase(
		paths,
	)
		? undefined
		: {database: undefined};
	return {
		database: async () => {
			if (!chosen) {
				const context = await loading;
				chosen = {database: configuredDatabase(context), node: nodeName(context.current().config)};
			}

			return chosen.database;
		},
		sharedAs: () => chosen?.database && chosen.node,
		place: () => (chosen ? (chosen.database ? 'database' : 'file') : 'unknown'),
	} as const;
}

/** One gateway at a time has a file: the others are dead, whatever they are called, and nobody asks for its lease. */
const embeddedName = {name: hostname(), leaseMilliseconds: 0};

/** The name of this gateway in its journal, and its lease in milliseconds. */
function leasedName(config: Pick<GatewayConfig, 'journal'>) {
	return {name: nodeName(config), leaseMilliseconds: config.journal.leaseMilliseconds};
}

function retriedWritesLine(state: RetriedWritesState): {
	readonly level: 'warning' | 'info' | 'error';
	readonly text: string;
} {
	switch (state.kind) {
		case 'waiting':
			return {
				level: 'warning',
				text: 'The journal cannot store finished runs, calls, deliveries or answers; Sluice tries again until it can',
			};
		case 'written':
			return {level: 'info', text: 'The journal has stored all finished runs, calls, deliveries and answers'};
		case 'given-up': {
			const why = safeText(state.problem.detail ?? state.problem.message);
			return {
				level: 'error',
				text: `${state.count} finished runs, calls, deliveries or answers were not stored: ${why}`,
			};
		}
	}
}

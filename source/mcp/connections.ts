import {type ServerConfig} from '../config/servers/server-entry.ts';
import {type Publish} from '../state/event.ts';
import {createInFlight} from '../util/in-flight.ts';
import {openConnection} from './calls/open-connection.ts';
import {type Connection, type ServerCapabilities} from './connection.ts';
import {entryFingerprint} from './protocol/entry-fingerprint.ts';
import {createCapabilityCache, type SchemaCache} from './protocol/schema-cache.ts';
import {createServerRequestHandlers, type ServerRequestTargets} from './server-requests/server-request-handlers.ts';
import {type Attempts} from './session/connection-state.ts';
import {createChangeSignal} from './session/change-signal.ts';
import {type ConnectorOptions, createConnector} from './session/connector.ts';
import {createServerRow, type ToolCount} from './session/server-row.ts';
import {SessionManager} from './session/session-manager.ts';
import {createChildWatcher} from './transport/child-watcher.ts';

/** The result of a reload, as server names. */
export type ReloadSummary = {
	readonly added: readonly string[];
	readonly removed: readonly string[];
	readonly reconnected: readonly string[];
	readonly unchanged: readonly string[];
};

/** The connections of one profile, in the order of the configuration. */
export type Connections = {
	/** Start and reload: connects, replaces and stops only the servers whose entries changed, or variables that they use. Returns at once; connecting continues in the background. */
	readonly apply: (servers: readonly ServerConfig[]) => ReloadSummary;
	readonly find: (name: string) => Connection | undefined;
	readonly list: () => readonly Connection[];
	/** Resolves when none of these servers (default: all) is connecting any more, or when the signal aborts. */
	readonly settled: (signal: AbortSignal, names?: readonly string[]) => Promise<void>;
	/** Stops all servers in parallel, within bounded time. */
	readonly stop: () => Promise<void>;
};

export type ConnectionsOptions = Omit<ServerOptions, 'random' | 'guard' | 'after'> & {
	/** 0 to 1; default Math.random. */
	readonly random?: () => number;
};

type Entry = {readonly connection: Connection; readonly fingerprint: string};

/** Creates an empty set of connections. */
export function createConnections(options: ConnectionsOptions): Connections {
	const {random = Math.random, publish} = options;
	const watcher = createChildWatcher();
	const changes = createChangeSignal();
	const leaving = createInFlight();
	let entries = new Map<string, Entry>();
	let stopped = false;

	const report: Publish = event => {
		publish(event);
		changes.report();
	};

	const open = (config: ServerConfig, after: Promise<void>): Entry => ({
		connection: openServer(config, {...options, random, publish: report, guard: watcher.guard, after}),
		fingerprint: entryFingerprint(config, options.expand),
	});

	const retire = (entry: Entry): Promise<void> => leaving.track(entry.connection.stop());

	const remove = async (name: string, entry: Entry): Promise<void> => {
		await retire(entry);
		// A new connection may use the name by now.
		if (!entries.has(name)) {
			report({type: 'server.removed', server: name});
		}
	};

	const applyDifference = (servers: readonly ServerConfig[]): ReloadSummary => {
		const summary: Record<keyof ReloadSummary, string[]> = {added: [], removed: [], reconnected: [], unchanged: []};
		const before = entries;
		entries = new Map();
		for (const config of servers) {
			const old = before.get(config.name);
			if (old?.fingerprint === entryFingerprint(config, options.expand)) {
				entries.set(config.name, old);
				summary.unchanged.push(config.name);
			} else {
				entries.set(config.name, open(config, old ? retire(old) : Promise.resolve()));
				summary[old ? 'reconnected' : 'added'].push(config.name);
			}
		}

		for (const [name, entry] of before) {
			if (!entries.has(name)) {
				void leaving.track(remove(name, entry));
				summary.removed.push(name);
			}
		}

		return summary;
	};

	return {
		apply: servers => (stopped ? {added: [], removed: [], reconnected: [], unchanged: []} : applyDifference(servers)),
		find: name => entries.get(name)?.connection,
		list: () => [...entries.values()].map(entry => entry.connection),
		async settled(signal, names) {
			while (isAnyConnecting(entries, names) && !signal.aborted) {
				await changes.next(signal).catch(() => {});
			}
		},
		async stop() {
			stopped = true;
			for (const entry of entries.values()) {
				void retire(entry);
			}

			await leaving.whenEmpty();
			watcher.close();
		},
	};
}

function isAnyConnecting(entries: ReadonlyMap<string, Entry>, names: readonly string[] | undefined): boolean {
	return [...entries].some(
		([name, {connection}]) => (names === undefined || names.includes(name)) && connection.state().kind === 'connecting',
	);
}

type ServerOptions = ConnectorOptions & {
	/** 0 to 1. */
	readonly random: () => number;
	readonly publish: Publish;
	/** Registers the capabilities of a server; undefined removes them. */
	readonly onCapabilities: (config: ServerConfig, offer: ServerCapabilities | undefined) => void;
	/** The registered capabilities of a server. */
	readonly count: (server: string) => ToolCount;
	/** The cached capabilities of lazy servers. */
	readonly schemaCache: SchemaCache;
	/** The recipients of servers' requests; absent: none. */
	readonly asked?: ServerRequestTargets;
	/** The number of first attempts for each server; default: several. */
	readonly attempts?: Attempts;
	/** Nothing is opened before this resolves. */
	readonly after: Promise<void>;
};

/** Assembles and starts one server, and publishes each of its states. */
function openServer(config: ServerConfig, options: ServerOptions): Connection {
	const {clock, random, publish, after, onCapabilities, count} = options;
	const row = createServerRow(config, publish);
	const {
		requests,
		openPages,
		current: handlers,
	} = createServerRequestHandlers(config, options.asked, {clock, warn: row.warn});
	const connector = createConnector(config, {...options, handlers});
	const memory = createCapabilityCache(config, {cache: options.schemaCache, warn: row.warn});
	const remembered = memory.recall();
	/** Ends when the tools listed last are in the cache. */
	let kept = Promise.resolve();

	const show = () =>
		row.show({
			state: manager.state(),
			transport: manager.transport(),
			count: count(config.name),
			output: connector.output,
			fileVariables: connector.fileVariables(),
		});

	const manager = new SessionManager({
		initial: remembered ? 'lazy' : config.enabled ? 'stopped' : 'disabled',
		transport: config.transport.kind,
		clock,
		random,
		after,
		connect: connector.open,
		onState: show,
		onListing({offer, warnings}) {
			onCapabilities(config, offer);
			kept = memory.keep(offer);
			warnings.forEach(row.warn);
		},
		onLost(problem) {
			const last = problem.code === 'server_exited' ? connector.output()?.stderr.at(-1) : undefined;
			if (last !== undefined) {
				row.warn(`${problem.message}; its last line: ${last}`);
			}
		},
		onWarning: row.warn,
	});

	const connection = openConnection({config, clock, session: manager, requests, openPages});
	if (remembered) {
		onCapabilities(config, remembered);
	}

	if (config.enabled && !remembered) {
		manager.start(options.attempts ?? 'several');
	} else {
		show();
	}

	return {
		...connection,
		refresh: show,
		async stop() {
			onCapabilities(config, undefined);
			await connection.stop();
			await connector.close();
			await kept;
		},
	};
}

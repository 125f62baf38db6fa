import {type Publish} from '../state/event.ts';
import {type Connection, type ServerCapabilities} from './connection.ts';
import {openConnection} from './calls/open-connection.ts';
import {type ConnectorOptions, createConnector} from './session/connector.ts';
import {createCapabilityCache, type SchemaCache} from './protocol/capability-cache.ts';
import {type ServerRequestTargets, createServerRequestHandlers} from './server-requests/server-request-handlers.ts';
import {createServerRow, type ToolCount} from './session/server-row.ts';
import {SessionManager} from './session/session-manager.ts';

type ServerConfig = Connection['config'];

export type ServerOptions = ConnectorOptions & {
	/** 0 to 1. */
	readonly random: () => number;
	readonly publish: Publish;
	/** Registers what a server offers; undefined: nothing any more. */
	readonly onCapabilities: (config: ServerConfig, offer: ServerCapabilities | undefined) => void;
	/** What is registered of a server now. */
	readonly count: (server: string) => ToolCount;
	/** What lazy servers offered before. */
	readonly schemaCache: SchemaCache;
	/** Whom servers may ask; absent: nobody. */
	readonly asked?: ServerRequestTargets;
	/** Nothing is opened before this resolves. */
	readonly after: Promise<void>;
};

/** Puts the parts of one server together, starts it, and publishes each of its states. */
export function openServer(config: ServerConfig, options: ServerOptions): Connection {
	const {clock, random, publish, after, onCapabilities, count} = options;
	const row = createServerRow(config, publish);
	const {requests, current: handlers} = createServerRequestHandlers(config, options.asked, {clock, warn: row.warn});
	const connector = createConnector(config, {...options, handlers});
	const memory = createCapabilityCache(config, {cache: options.schemaCache, warn: row.warn});
	const remembered = memory.recall();

	const show = () => row.show({state: manager.state(), transport: manager.transport(), count: count(config.name)});

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
			memory.keep(offer);
			warnings.forEach(row.warn);
		},
		onWarning: row.warn,
	});

	const connection = openConnection({config, clock, session: manager, requests});
	if (remembered) {
		onCapabilities(config, remembered);
	}

	if (config.enabled && !remembered) {
		manager.start();
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
		},
	};
}

import {type Publish} from '../state/event.ts';
import {type Connection, type ServerOffer} from './connection.ts';
import {openConnection} from './open-connection.ts';
import {type ConnectorOptions, createConnector} from './connector.ts';
import {createOfferMemory, type SchemaCache} from './offer-memory.ts';
import {createServerRow} from './server-row.ts';
import {SessionKeeper} from './session-keeper.ts';

type ServerConfig = Connection['config'];

export type ServerOptions = ConnectorOptions & {
	/** 0 to 1. */
	readonly random: () => number;
	readonly publish: Publish;
	/** Registers what a server offers (undefined: nothing any more) and answers how many tools are registered then. */
	readonly onOffer: (config: ServerConfig, offer: ServerOffer | undefined) => number;
	/** What lazy servers offered before. */
	readonly schemaCache: SchemaCache;
	/** Nothing is opened before this resolves. */
	readonly after: Promise<void>;
};

/** Puts the parts of one server together, starts it, and tells the hall about each of its states. */
export function openServer(config: ServerConfig, options: ServerOptions): Connection {
	const {clock, random, publish, after, onOffer} = options;
	const connector = createConnector(config, options);
	const row = createServerRow(config, publish);
	const memory = createOfferMemory(config, {cache: options.schemaCache, remark: row.remark});
	const remembered = memory.recall();
	let tools = remembered ? onOffer(config, remembered) : 0;

	const show = () => row.show({state: keeper.state(), transport: keeper.transport(), tools});

	const keeper = new SessionKeeper({
		initial: remembered ? 'lazy' : config.enabled ? 'stopped' : 'disabled',
		transport: config.transport.kind,
		clock,
		random,
		after,
		connect: connector.open,
		onState: show,
		onListing({offer, remarks}) {
			tools = onOffer(config, offer);
			memory.keep(offer);
			remarks.forEach(row.remark);
		},
		onRemark: row.remark,
	});

	const connection = openConnection({config, clock, keeper});
	if (config.enabled && !remembered) {
		keeper.start();
	} else {
		show();
	}

	return {
		...connection,
		async stop() {
			tools = onOffer(config, undefined);
			await connection.stop();
			await connector.close();
		},
	};
}

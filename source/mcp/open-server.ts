import {type Publish} from '../state/event.ts';
import {type Connection, type ServerOffer} from './connection.ts';
import {openConnection} from './open-connection.ts';
import {type ConnectorOptions, createConnector} from './connector.ts';
import {createOfferMemory, type SchemaCache} from './offer-memory.ts';
import {type AskedParties, createServerAnswerers} from './server-answerers.ts';
import {createServerRow, type Standing} from './server-row.ts';
import {SessionKeeper} from './session-keeper.ts';

type ServerConfig = Connection['config'];

export type ServerOptions = ConnectorOptions & {
	/** 0 to 1. */
	readonly random: () => number;
	readonly publish: Publish;
	/** Registers what a server offers; undefined: nothing any more. */
	readonly onOffer: (config: ServerConfig, offer: ServerOffer | undefined) => void;
	/** What is registered of a server now. */
	readonly standing: (server: string) => Standing;
	/** What lazy servers offered before. */
	readonly schemaCache: SchemaCache;
	/** Whom servers may ask; absent: nobody. */
	readonly asked?: AskedParties;
	/** Nothing is opened before this resolves. */
	readonly after: Promise<void>;
};

/** Puts the parts of one server together, starts it, and tells the hall about each of its states. */
export function openServer(config: ServerConfig, options: ServerOptions): Connection {
	const {clock, random, publish, after, onOffer, standing} = options;
	const row = createServerRow(config, publish);
	const {requests, current: answerers} = createServerAnswerers(config, options.asked, {clock, remark: row.remark});
	const connector = createConnector(config, {...options, answerers});
	const memory = createOfferMemory(config, {cache: options.schemaCache, remark: row.remark});
	const remembered = memory.recall();

	const show = () => row.show({state: keeper.state(), transport: keeper.transport(), standing: standing(config.name)});

	const keeper = new SessionKeeper({
		initial: remembered ? 'lazy' : config.enabled ? 'stopped' : 'disabled',
		transport: config.transport.kind,
		clock,
		random,
		after,
		connect: connector.open,
		onState: show,
		onListing({offer, remarks}) {
			onOffer(config, offer);
			memory.keep(offer);
			remarks.forEach(row.remark);
		},
		onRemark: row.remark,
	});

	const connection = openConnection({config, clock, keeper, requests});
	if (remembered) {
		onOffer(config, remembered);
	}

	if (config.enabled && !remembered) {
		keeper.start();
	} else {
		show();
	}

	return {
		...connection,
		refresh: show,
		async stop() {
			onOffer(config, undefined);
			await connection.stop();
			await connector.close();
		},
	};
}

import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {type Connection, type ServerOffer} from './connection.ts';
import {openConnection} from './open-connection.ts';
import {openServerLog} from './server-log.ts';
import {openSession} from './open-session.ts';
import {createServerRow} from './server-row.ts';
import {SessionKeeper} from './session-keeper.ts';

type ServerConfig = Connection['config'];

export type ServerOptions = {
	readonly clock: Clock;
	readonly random: () => number;
	readonly publish: Publish;
	readonly expand: (text: string) => string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly guard: (group: number) => () => void;
	readonly onOffer: (config: ServerConfig, offer: ServerOffer | undefined) => number;
	readonly serverLogDirectory: string;
	readonly version: string;
	/** Nothing is opened before this resolves. */
	readonly after: Promise<void>;
};

/** Puts the parts of one server together, starts it, and tells the hall about each of its states. */
export function openServer(config: ServerConfig, options: ServerOptions): Connection {
	const {clock, random, publish, after, version, expand, environment, guard, onOffer} = options;
	const log = openServerLog({directory: options.serverLogDirectory, server: config.name, clock});
	const transportOptions = {clock, expand, environment, log, guard};
	const row = createServerRow(config, publish);
	let tools = 0;

	const show = () => row.show({state: keeper.state(), transport: keeper.transport(), tools});

	const keeper = new SessionKeeper({
		initial: config.enabled ? 'stopped' : 'disabled',
		transport: config.transport.kind,
		clock,
		random,
		after,
		connect: (attempt, signal) => openSession({config, version, clock, transportOptions, ...attempt}, signal),
		onState: show,
		onListing({offer, remarks}) {
			tools = onOffer(config, offer);
			remarks.forEach(row.remark);
		},
		onRemark: row.remark,
	});

	const connection = openConnection({config, clock, keeper});
	if (config.enabled) {
		keeper.start();
	} else {
		show();
	}

	return {
		...connection,
		async stop() {
			tools = onOffer(config, undefined);
			await connection.stop();
			await log.close();
		},
	};
}

import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Publish} from '../../state/event.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ConnectionState} from './connection-state.ts';
import {connectionText} from './connection-text.ts';
import {serverAddress} from '../transport/server-address.ts';
import {type TransportKind} from './session.ts';

/** What is registered of a server. */
export type ToolCount = {
	/** How many tools can be called. */
	readonly tools: number;
	/** What keeps others from being called, in words. */
	readonly notice?: string;
};

/** What is published about one server. */
export type ServerRow = {
	readonly show: (now: {
		readonly state: ConnectionState;
		readonly transport: TransportKind;
		readonly count: ToolCount;
	}) => void;
	/** A line of the log. */
	readonly warn: (text: string) => void;
};

/** Opens the row of a server; nothing is published before it is shown. */
export function createServerRow(config: ServerConfig, publish: Publish): ServerRow {
	const {name: server, trust} = config;
	const address = serverAddress(config.transport);
	return {
		show({state, transport, count: {tools, notice}}) {
			const words = connectionText(state);
			const reason = [words.reason, notice].filter(text => text !== undefined).join('; ');
			publish({
				type: 'server.state',
				server,
				...words,
				...(reason !== '' && {reason}),
				tools,
				transport,
				trust,
				address,
			});
		},
		warn(text) {
			publish({type: 'log', level: 'warning', area: 'mcp', text: safeText(`server ${server}: ${text}`)});
		},
	};
}

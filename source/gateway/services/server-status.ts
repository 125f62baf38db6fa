import {type BrokenServer, type ServerConfig} from '../../config/servers/server-entry.ts';
import {type ToolCount} from '../../mcp/session/server-row.ts';
import {type GatewayEvent, type Publish, type ServerState} from '../../state/event.ts';
import {type Catalogue} from '../../tools/catalogue.ts';
import {type Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ToolTokens} from './tool-tokens.ts';

/** The last published state of each server, for listings. */
export type ServerStatusList = {
	/** In order of configuration. */
	readonly list: () => ReadonlyArray<ServerState & {readonly profile: string}>;
	readonly note: (event: GatewayEvent) => void;
};

/** The numbers of registered tools by server, their tokens, and the names it lost, as its row shows them (docs/connections.md, Results). */
export type ToolCounts = {
	/** The counts for the row of a server now. */
	readonly of: (server: string) => ToolCount;
	/** Shows every row again whose server won or lost names since it was shown. */
	readonly bringUpToDate: (options?: {readonly except: string}) => void;
};

/** Opens the empty list of a profile; feed it every event. */
export function createServerStatusList(profile: string): ServerStatusList {
	const states = new Map<string, ServerState & {readonly profile: string}>();
	return {
		list: () => [...states.values()],
		note(event) {
			if (event.profile !== profile) {
				return;
			}

			if (event.type === 'server.state') {
				states.set(event.server, event);
			} else if (event.type === 'server.removed') {
				states.delete(event.server);
			}
		},
	};
}

/** Shows entries that cannot be used as failed servers, and removes those that were fixed or are gone (docs/configuration.md, How values are read). */
export function createBrokenServers(publish: Publish): {
	readonly apply: (broken: ReadonlyArray<BrokenServer>, usable: readonly ServerConfig[]) => void;
} {
	let shown: readonly string[] = [];
	return {
		apply(broken, usable) {
			const names = broken.map(entry => entry.name);
			for (const name of shown.filter(name => !names.includes(name) && !usable.some(server => server.name === name))) {
				publish({type: 'server.removed', server: name});
			}

			for (const {name, problem, transport} of broken) {
				publish({
					type: 'server.state',
					server: name,
					state: 'failed',
					reason: keyedMessage(problem),
					nextActions: [{kind: 'edit', key: safeText(problem.place?.keyPath || `mcp_servers.${name}`)}],
					tools: 0,
					transport,
					trust: 'untrusted',
					address: '',
				});
			}

			shown = names;
		},
	};
}

/** The message of a problem with an entry, its key first. */
function keyedMessage({place, message}: Problem): string {
	return safeText(place?.keyPath ? `${place.keyPath}: ${message}` : message);
}

/** Opens the counts of a catalogue, with the sums of its tokens. `refresh` shows a row again; it asks for its status. */
export function createToolCounts(
	catalogue: Pick<Catalogue, 'list' | 'problemsOf'>,
	sum: ToolTokens['sum'],
	refresh: (server: string) => void,
): ToolCounts {
	const shown = new Map<string, ToolCount>();
	const now = (server: string): ToolCount => {
		const registered = catalogue.list().filter(tool => tool.server === server);
		const tokens = sum(registered);
		const count = {tools: registered.length, ...(tokens !== undefined && {tokens})};
		const [first, ...others] = catalogue.problemsOf(server);
		return first
			? {...count, notice: `${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`}
			: count;
	};

	return {
		of(server) {
			const count = now(server);
			shown.set(server, count);
			return count;
		},
		bringUpToDate(options) {
			for (const [server, {tools, tokens, notice}] of shown) {
				const count = now(server);
				if (
					server !== options?.except &&
					(count.tools !== tools || count.tokens !== tokens || count.notice !== notice)
				) {
					refresh(server);
				}
			}
		},
	};
}

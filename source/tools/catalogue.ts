import {type ServerConfig} from '../config/servers/server-entry.ts';
import {type ServerCapabilities} from '../mcp/connection.ts';
import {Problem} from '../util/problem.ts';
import {type ListedTool, toolAvailability, toolsOf} from './server-tools.ts';
import {type RegisteredTool} from './registered-tool.ts';
import {quoted} from '../util/safe-text.ts';

export {type RegisteredTool};

/** All callable tools, by their registered names. */
export type Catalogue = {
	/** Replaces the tools of a server and returns those that could not be registered, with the reasons. */
	readonly register: (config: ServerConfig, offer: ServerCapabilities) => readonly Problem[];
	readonly unregister: (server: string) => void;
	readonly find: (name: string) => RegisteredTool | undefined;
	/** In configuration order, and within a server in the order it lists them. */
	readonly list: () => readonly RegisteredTool[];
	readonly countOf: (server: string) => number;
	/** The tools of a server whose names are taken. The set changes when another server comes or goes. */
	readonly problemsOf: (server: string) => readonly Problem[];
	/** The servers, in no particular order, with their own words about their use. Untrusted. */
	readonly servers: () => ReadonlyArray<{readonly name: string; readonly instructions: string | undefined}>;
	/** All tools of a server, registered or not; without a name, those of all servers. */
	readonly status: (server?: string) => readonly ListedTool[];
	/** Calls `listener` after every change of the list; the returned function unsubscribes. */
	readonly watch: (listener: () => void) => () => void;
	/** The servers with a tool group: at least one tool is registered (docs/tool-servers.md, Filters). */
	readonly groups: () => readonly string[];
};

/** The tools of a server, and those that passed its filters. */
type CatalogueEntry = {
	readonly config: ServerConfig;
	readonly offer: ServerCapabilities;
	readonly tools: readonly RegisteredTool[];
};

/** The registered names. */
type Naming = {
	readonly byName: ReadonlyMap<string, RegisteredTool>;
	readonly list: readonly RegisteredTool[];
	readonly refused: readonly RegisteredTool[];
};

/**
Creates an empty catalogue. `order` returns the server names in configuration order: of two tools with one name the first there gets it,
whichever server connected first (docs/connections.md, Results).
*/
export function createCatalogue(order: () => readonly string[]): Catalogue {
	const servers = new Map<string, CatalogueEntry>();
	let naming: Naming = giveNames([]);
	const listeners = new Set<() => void>();

	const rename = () => {
		const positions = new Map(order().map((name, index) => [name, index]));
		const position = (server: string) => positions.get(server) ?? Number.POSITIVE_INFINITY;
		const sorted = [...servers].sort(([first], [second]) => compare(position(first), position(second)));
		naming = giveNames(sorted.flatMap(([, {tools}]) => tools));
		listeners.forEach(listener => listener());
	};

	const problemsOf = (server: string) =>
		naming.refused.filter(tool => tool.server === server).map(tool => nameTaken(tool, naming.byName.get(tool.name)));

	return {
		problemsOf,
		register(config, offer) {
			const {tools, problems} = toolsOf(config, offer);
			servers.set(config.name, {config, offer, tools});
			rename();
			return [...problems, ...problemsOf(config.name)];
		},
		unregister(server) {
			servers.delete(server);
			rename();
		},
		status(server) {
			const refused = new Set(naming.refused);
			const refusalOf = (tool: RegisteredTool) =>
				refused.has(tool) ? nameTaken(tool, naming.byName.get(tool.name)).message : undefined;
			return [...servers.values()]
				.filter(({config}) => server === undefined || config.name === server)
				.flatMap(({config, offer, tools}) => toolAvailability(config, offer, {tools, refusalOf}));
		},
		servers: () => [...servers].map(([name, {offer}]) => ({name, instructions: offer.instructions})),
		find: name => naming.byName.get(name),
		list: () => naming.list,
		countOf: server => naming.list.filter(tool => tool.server === server).length,
		watch(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		groups: () => [...new Set(naming.list.map(tool => tool.server))],
	};
}

/** Native tools choose first, so that one wins over a utility tool of the same name. */
function giveNames(tools: readonly RegisteredTool[]): Naming {
	const byName = new Map<string, RegisteredTool>();
	for (const kind of ['native', 'utility'] as const) {
		for (const tool of tools) {
			if (tool.kind === kind && !byName.has(tool.name)) {
				byName.set(tool.name, tool);
			}
		}
	}

	const hasItsName = (tool: RegisteredTool) => byName.get(tool.name) === tool;
	return {byName, list: tools.filter(hasItsName), refused: tools.filter(tool => !hasItsName(tool))};
}

function nameTaken(tool: RegisteredTool, holder: RegisteredTool | undefined): Problem {
	const [own, other] = [tool.tool, holder?.tool ?? ''].map(name => quoted(name, {maximumCharacters: 100}));
	const message = `${own} is not registered, because ${other} of ${holder?.server ?? 'another server'} already has the name ${tool.name}`;
	return new Problem('tool_name_taken', {message, level: 'warning', scope: {kind: 'server', name: tool.server}});
}

function compare(first: number, second: number): number {
	return first === second ? 0 : first < second ? -1 : 1;
}

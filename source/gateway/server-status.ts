import {type ServerConfig} from '../config/servers/server-entry.ts';
import {type GatewayEvent, type Publish, type ServerState} from '../state/event.ts';
import {type Problem} from '../util/problem.ts';

/** The last state each server told, for listings. */
export type ServerStatusList = {
	/** In order of configuration. */
	readonly list: () => ReadonlyArray<ServerState & {readonly profile: string}>;
	readonly note: (event: GatewayEvent) => void;
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

/** Shows entries that cannot be used as failed servers, and takes away those that are mended or gone (docs/configuration.md, How values are read). */
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

			for (const {name, problem} of broken) {
				publish({
					type: 'server.state',
					server: name,
					state: 'failed',
					reason: problem.message,
					nextAction: 'mend config.yaml',
					tools: 0,
					transport: 'stdio',
					trust: 'untrusted',
					address: '',
				});
			}

			shown = names;
		},
	};
}

type BrokenServer = {readonly name: string; readonly problem: Problem};

import {type ServerConfig} from '../config/servers/server-entry.ts';
import {type ServerCapabilities} from '../mcp/connection.ts';
import {isRegistered} from './filter.ts';
import {type RegisteredTool} from './registered-tool.ts';
import {registeredName} from './tool-name.ts';
import {isUsable, unusable} from './usable-definition.ts';

/** A tool of a server, whether it can be called or not, and why not. */
export type ListedTool = {
	readonly tool: Pick<RegisteredTool, 'name' | 'server' | 'tool' | 'definition' | 'fingerprint' | 'trust'>;
	readonly state: 'registered' | 'filtered' | 'name-taken' | 'unusable';
	/** Safe to show. */
	readonly reason?: string;
};

/** Everything a server offers, in its order, then the utility tools. `tools` are those that passed its filters; `refusalOf` says who took a name. */
export function toolAvailability(
	config: ServerConfig,
	offer: ServerCapabilities,
	naming: {
		readonly tools: readonly RegisteredTool[];
		readonly refusalOf: (tool: RegisteredTool) => string | undefined;
	},
): ListedTool[] {
	const named = (tool: RegisteredTool): ListedTool => {
		const reason = naming.refusalOf(tool);
		return reason === undefined ? {tool, state: 'registered'} : {tool, state: 'name-taken', reason};
	};

	const native = new Map(naming.tools.filter(({kind}) => kind === 'native').map(tool => [tool.definition, tool]));
	const left = (definition: ServerCapabilities['tools'][number]): ListedTool => {
		const {name} = definition;
		const tool = {
			name: registeredName(config.name, name),
			server: config.name,
			tool: name,
			definition,
			fingerprint: '',
			trust: config.trust,
		};
		return isUsable(definition) || !isRegistered(name, config.tools)
			? {tool, state: 'filtered', reason: 'left out by the filters of its server'}
			: {tool, state: 'unusable', reason: unusable(config.name, definition).message};
	};

	return [
		...offer.tools.map(definition => {
			const tool = native.get(definition);
			return tool ? named(tool) : left(definition);
		}),
		...naming.tools.filter(({kind}) => kind === 'utility').map(named),
	];
}

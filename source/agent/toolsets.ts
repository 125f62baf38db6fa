import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** The toolsets of Sluice itself; each is one tool of the same name. */
export const builtInNames = ['web_search', 'web_extract', 'vision_analyze', 'clarify'] as const;

export type BuiltInName = (typeof builtInNames)[number];

/** The tools that a run may use. */
export type ToolSelection = {
	readonly builtIns: readonly BuiltInName[];
	/** Servers whose registered tools belong to it. */
	readonly servers: readonly string[];
	/** One warning for each name that was dropped. */
	readonly problems: readonly Problem[];
};

/**
What the names of toolsets stand for: built-ins, and tool servers as `mcp-<server>` or by their own name. A name that is unknown, or not for this
kind of run, is dropped with a warning (docs/webhooks.md, Toolsets and skills). `clarify` needs a person, so an unattended run does without it, silently:
it stands in the default. Pure.
*/
export function selectTools(
	names: readonly string[],
	options: {readonly servers: readonly string[]; readonly attended: boolean},
): ToolSelection {
	const {servers, attended} = options;
	const meant = names.map(name => ({
		name,
		server: servers.find(server => name === server || name === `mcp-${server}`),
	}));
	const builtIns = builtInNames.filter(name => names.includes(name) && (name !== 'clarify' || attended));
	return {
		builtIns,
		servers: [...new Set(meant.flatMap(({name, server}) => (server === undefined || isBuiltIn(name) ? [] : [server])))],
		problems: meant.filter(({name, server}) => server === undefined && !isBuiltIn(name)).map(({name}) => dropped(name)),
	};
}

function isBuiltIn(name: string): boolean {
	return builtInNames.some(builtIn => builtIn === name);
}

function dropped(name: string): Problem {
	const shown = safeText(name, {maximumCharacters: 80});
	const message = `unknown toolset "${shown}" is dropped, known are ${builtInNames.join(', ')} and mcp-<server>`;
	return new Problem('unknown_toolset', {message, level: 'warning'});
}

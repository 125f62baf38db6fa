import {didYouMean} from '../../config/values/did-you-mean.ts';
import {type RegisteredTool} from '../../tools/catalogue.ts';
import {failure, type ToolOutcome} from '../../tools/tool-outcome.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type ToolService} from '../services/tool-service.ts';
import {missingServer} from '../services/wanted-servers.ts';

/** The outcome of a call. For an unknown tool it says why: its server is not there, or the name is not quite one that is registered. */
export function explainUnknownTool(
	outcome: ToolOutcome,
	name: string,
	parts: Pick<ToolService, 'connections' | 'catalogue'> & Pick<ProfileContext, 'current'>,
): ToolOutcome {
	const {connections, catalogue, current} = parts;
	if (outcome.kind !== 'error' || outcome.error.code !== 'unknown_tool' || catalogue.find(name)) {
		return outcome;
	}

	// Nobody knows whether a server that is not there has the tool.
	const missing = missingServer(name, {connections, brokenServers: current().config.brokenServers});
	if (missing) {
		return failure(missing.problem, missing.server);
	}

	const meant = similarTool(name, catalogue.list());
	const hint = meant === undefined ? 'see `sluice mcp tools`' : `did you mean "${meant}"?`;
	return {...outcome, error: {...outcome.error, message: `${outcome.error.message}; ${hint}`}};
}

/** The registered name that a person probably meant: close to what was typed, or that of the one tool whose own name was typed. */
export function similarTool(
	name: string,
	tools: ReadonlyArray<Pick<RegisteredTool, 'name' | 'tool'>>,
): string | undefined {
	const [own, ...others] = tools.filter(({tool}) => tool === name);
	if (own && others.length === 0) {
		return own.name;
	}

	// The names of one server begin alike, so only what comes behind tells them apart.
	const beginning = /^mcp__.+?__/u.exec(name)?.[0] ?? '';
	const names = tools.map(tool => tool.name);
	const siblings = names.filter(full => full.startsWith(beginning)).map(full => full.slice(beginning.length));
	const sibling = beginning === '' ? undefined : didYouMean(name.slice(beginning.length), siblings);
	return sibling === undefined ? didYouMean(name, names) : `${beginning}${sibling}`;
}

import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {registeredName} from '../../tools/registered-tool.ts';
import {isRegistered} from '../../tools/server-tools.ts';
import {fnmatch} from '../../util/fnmatch.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, trouble} from './finding.ts';
import {shownName, toolText} from '../../util/safe-text.ts';

/** The part of a profile that findings about tools are made of. */
type FindingContext = Pick<CheckedProfile, 'checkName' | 'command' | 'keyPlace'>;

/** Tools that are both included and excluded, and names in `include` that the server does not have. */
export function filterFindings(
	{name, tools: policy}: Pick<ServerConfig, 'name' | 'tools'>,
	{checkName, command, keyPlace}: FindingContext,
	tools?: readonly string[],
): readonly Finding[] {
	const {include = [], exclude} = policy;
	const check = checkName(`server ${name}`);
	const named = tools ?? [...include, ...exclude].filter(isExact);
	const both = [...new Set(named)].filter(tool => matchesAny(tool, include) && matchesAny(tool, exclude));
	const missing = tools ? include.filter(pattern => !tools.some(tool => fnmatch(tool, pattern))) : [];
	return [
		...(both.length === 0
			? []
			: [
					trouble(check, 'warning', {
						message: `\`include\` and \`exclude\` both name ${both.slice(0, 5).join(', ')}; include wins, so they are registered`,
						remedy: `Remove them from ${keyPlace('mcp_servers', name, 'tools', 'exclude')}`,
					}),
				]),
		...missing.map(pattern =>
			trouble(check, 'warning', {
				message: `\`include\` has ${pattern}, but the server has no such tool`,
				remedy: `Correct ${keyPlace('mcp_servers', name, 'tools', 'include')}; ${command('mcp', 'test', name)} shows the names, which have no prefix`,
			}),
		),
	];
}

const maxNamedTools = 5;

/** Registered tools with a description that programs may cut: the model then misses the end of it. */
export function descriptionFindings(
	{name, tools: policy}: Pick<ServerConfig, 'name' | 'tools'>,
	{checkName, keyPlace}: FindingContext,
	long: readonly string[] = [],
): readonly Finding[] {
	const tools = long.filter(tool => isRegistered(tool, policy));
	const named = tools.slice(0, maxNamedTools).map(tool => shownName(tool, {maximumCharacters: 60}));
	const more = tools.length > named.length ? ` and ${tools.length - named.length} more` : '';
	return tools.length === 0
		? []
		: [
				trouble(checkName(`server ${name}`), 'warning', {
					message: `A description of more than 2 KB, which programs may cut, ${tools.length === 1 ? 'is that of' : 'have'} ${named.join(', ')}${more}`,
					remedy: `Name what nobody calls in ${keyPlace('mcp_servers', name, 'tools', 'exclude')}`,
				}),
			];
}

/** Tools of different servers that end in one registered name. */
export function collisionFindings(
	checks: ReadonlyArray<{readonly name: string; readonly tools?: readonly string[]}>,
	{checkName, keyPlace}: FindingContext,
): readonly Finding[] {
	const owners = new Map<string, ReadonlyArray<{readonly server: string; readonly tool: string}>>();
	for (const {name, tools = []} of checks) {
		for (const tool of tools) {
			const registered = registeredName(name, tool);
			owners.set(registered, [...(owners.get(registered) ?? []), {server: name, tool}]);
		}
	}

	return [...owners].flatMap(([registered, tools]) => {
		const [, second] = tools;
		return second === undefined
			? []
			: [
					trouble(checkName('tools'), 'warning', {
						message: `${tools.map(({server, tool}) => toolText({server, tool})).join(' and ')} have the same name, ${registered}; the first one keeps it`,
						remedy: `Rename ${keyPlace('mcp_servers', second.server)}, or add ${shownName(second.tool)} to its \`tools.exclude\``,
					}),
				];
	});
}

function matchesAny(tool: string, patterns: readonly string[]): boolean {
	return patterns.some(pattern => fnmatch(tool, pattern));
}

function isExact(pattern: string): boolean {
	return !/[*?[]/u.test(pattern);
}

import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {referencesIn} from '../../config/secrets/variables.ts';
import {registeredName} from '../../tools/registered-tool.ts';
import {fnmatch} from '../../util/fnmatch.ts';
import {type Finding, fine, trouble} from './finding.ts';

/** How a server stands: as the running gateway says, or as it answered just now. */
export type ServerCheck = {
	readonly name: string;
	readonly state: string;
	readonly reason: string | null;
	readonly nextAction: string | null;
	/** `http, legacy protocol, 34 ms, 14 tools`. */
	readonly facts: string;
	/** Its own names of its tools; undefined when nobody asked for them. */
	readonly tools?: readonly string[];
};

/** How a server stands, as a finding. */
export function statusFinding({name, state, reason, nextAction, facts}: ServerCheck): Finding {
	const check = `server ${name}`;
	if (state === 'connected' || state === 'lazy' || state === 'disabled') {
		return fine(check, state === 'connected' ? `It answers: ${facts}` : state);
	}

	const level = state === 'connecting' || state === 'needs-login' ? 'warning' : 'error';
	return trouble(check, level, {
		message: reason ?? state,
		remedy: nextAction ?? 'Look at its log below logs/mcp-stderr',
	});
}

/** Variables that the entry of a server refers to and that are not set. */
export function referenceFindings(
	{name, transport}: ServerConfig,
	variable: (name: string) => string | undefined,
): readonly Finding[] {
	const unset = referencesIn(transport).filter(reference => variable(reference) === undefined);
	return unset.map(reference =>
		trouble(`server ${name}`, 'warning', {
			message: `It refers to \${${reference}}, which is not set`,
			remedy: `Add ${reference}=… to .env`,
		}),
	);
}

/** Tools that are both included and excluded, and names in `include` that the server does not have. */
export function filterFindings({name, tools: policy}: ServerConfig, tools?: readonly string[]): readonly Finding[] {
	const {include = [], exclude} = policy;
	const check = `server ${name}`;
	const named = tools ?? [...include, ...exclude].filter(isExact);
	const both = [...new Set(named)].filter(tool => matchesAny(tool, include) && matchesAny(tool, exclude));
	const missing = tools ? include.filter(pattern => !tools.some(tool => fnmatch(tool, pattern))) : [];
	return [
		...(both.length === 0
			? []
			: [
					trouble(check, 'warning', {
						message: `\`include\` and \`exclude\` both name ${both.slice(0, 5).join(', ')}; include wins, they are registered`,
						remedy: 'Take them out of one of the two lists',
					}),
				]),
		...missing.map(pattern =>
			trouble(check, 'warning', {
				message: `\`include\` names ${pattern}, which the server does not offer`,
				remedy: 'Check the name with `sluice mcp test`: it is the name the server uses, without the prefix',
			}),
		),
	];
}

/** Tools of different servers that end in one registered name. */
export function collisionFindings(standings: readonly ServerCheck[]): readonly Finding[] {
	const owners = new Map<string, readonly string[]>();
	for (const {name, tools = []} of standings) {
		for (const tool of tools) {
			const registered = registeredName(name, tool);
			owners.set(registered, [...(owners.get(registered) ?? []), `${name}/${tool}`]);
		}
	}

	return [...owners]
		.filter(([, tools]) => tools.length > 1)
		.map(([registered, tools]) =>
			trouble('tools', 'warning', {
				message: `${tools.join(' and ')} end in one name, ${registered}; the first keeps it`,
				remedy: 'Rename one of the servers, or exclude one of the tools',
			}),
		);
}

function matchesAny(tool: string, patterns: readonly string[]): boolean {
	return patterns.some(pattern => fnmatch(tool, pattern));
}

function isExact(pattern: string): boolean {
	return !/[*?[]/u.test(pattern);
}

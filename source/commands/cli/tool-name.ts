import {type ToolJson} from '../../state/json/server.ts';
import {registeredName} from '../../tools/registered-tool.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** The tool that a person named: by its registered name, else by `SERVER/TOOL`. Undefined: there is none. Throws `bad_usage` where several fit. */
export function findTool(typed: string, tools: readonly ToolJson[]): ToolJson | undefined {
	const exact = tools.find(({name}) => name === typed);
	const named = exact ? [exact] : tools.filter(({server, tool}) => `${server}/${tool}` === typed);
	if (named.length > 1) {
		throw severalTools(
			typed,
			named.map(({name}) => name),
		);
	}

	return named[0];
}

/** The server and the tool that `SERVER/TOOL` names, by the names of the servers; a server that is not among them ends at the first slash. Throws `bad_usage` where several fit. */
export function splitToolName(
	typed: string,
	servers: readonly string[],
): {readonly server: string; readonly tool: string} | undefined {
	const known = servers.filter(server => typed.startsWith(`${server}/`) && typed.length > server.length + 1);
	if (known.length > 1) {
		throw severalTools(
			typed,
			known.map(server => `--server ${server} --tool ${typed.slice(server.length + 1)}`),
		);
	}

	const [server = typed.split('/', 1)[0] ?? ''] = known;
	const tool = typed.slice(server.length + 1);
	return server === '' || tool === '' ? undefined : {server, tool};
}

/** The one server that a tool's name belongs to; undefined: none, or more than one may be meant. */
export function serverOfTool(typed: string, servers: readonly string[]): string | undefined {
	const known = servers.filter(name => typed.startsWith(`${name}/`) || typed.startsWith(registeredName(name, '')));
	return known.length === 1 ? known[0] : undefined;
}

function severalTools(typed: string, candidates: readonly string[]): Problem {
	const shown = (text: string) => safeText(text, {maximumCharacters: 200});
	return new Problem('bad_usage', {
		message: `"${shown(typed)}" matches more than one tool: ${candidates.map(shown).join(', ')}`,
		remedy: 'Type one of these names',
	});
}

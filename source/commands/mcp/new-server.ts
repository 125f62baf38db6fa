import {resolve} from 'node:path';
import {isVariableName, programOfLine} from '../../config/servers/server-transport.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandFlags} from '../cli/command.ts';
import {listOf} from '../cli/words.ts';

/** The name of a server as commands take it; the gateway itself takes any. */
const namePattern = /^[\w.-]{1,64}$/u;

/**
A server as typed: its name, then an address, or a command and its arguments. It is untrusted unless a flag says otherwise
(docs/tool-servers.md, Trust). Throws `bad_usage` for what is missing or goes with nothing.
*/
export function newServer(
	words: readonly string[],
	flags: CommandFlags,
	workingDirectory = process.cwd(),
): {readonly name: string; readonly entry: JsonObject} {
	const [name, target, ...args] = words;
	if (name === undefined || target === undefined) {
		throw refused('A server needs a name, and a URL or a command');
	}

	checkServerName(name);
	const isAddress = /^[a-z][a-z\d+.-]*:\/\//iu.test(target);
	const way = isAddress
		? addressEntry(target, args, flags)
		: commandEntry(target, args, {...flags, ...absolutePaths(flags, workingDirectory)});
	const {trust = 'untrusted', tools} = flags;
	if (trust === '') {
		throw refused('--trust needs a value');
	}

	if (trust !== 'untrusted' && trust !== 'full') {
		throw refused('--trust must be untrusted or full');
	}

	return {name, entry: {...way, trust, ...(tools !== undefined && {tools: {include: listOf(tools)}})}};
}

/** Throws `bad_usage` for a name that cannot be typed or shown well. */
export function checkServerName(name: string): void {
	if (!namePattern.test(name)) {
		throw refused('The name of a server has 1 to 64 letters, digits, dots, underscores or hyphens');
	}
}

function addressEntry(url: string, args: readonly string[], flags: CommandFlags): JsonObject {
	const {header, env, passEnv, cwd, envFile, transport} = flags;
	if (cwd !== undefined || envFile !== undefined) {
		throw refused('--cwd and --env-file are for a command, not for a URL');
	}

	if (isGiven(env) || isGiven(passEnv)) {
		throw refused('--env and --pass-env are for a command, not for a URL');
	}

	if (!/^https?:/iu.test(url)) {
		throw refused('The URL of a server begins with http:// or https://');
	}

	if (args.length > 0 || !URL.canParse(url)) {
		throw refused(args.length > 0 ? 'A URL takes no arguments' : 'The URL is not valid');
	}

	if (transport !== undefined && transport !== 'http' && transport !== 'sse') {
		throw refused('--transport must be http or sse');
	}

	const headers = membersOf(header, /^([^:\s]+)\s*:\s*(.*)$/su, "--header must be 'NAME: VALUE'");
	return {url, ...(transport === 'sse' && {transport}), ...(isGiven(header) && {headers}), ...loginEntry(flags)};
}

/** The keys for a login (docs/logins.md, Add a server with a login). */
function loginEntry({auth, flow, scope}: CommandFlags): JsonObject {
	if (auth === undefined) {
		if (flow !== undefined || scope !== undefined) {
			throw refused('--flow and --scope need --auth oauth');
		}

		return {};
	}

	if (auth !== 'oauth') {
		throw refused('--auth must be oauth');
	}

	if (flow !== undefined && flow !== 'device' && flow !== 'browser') {
		throw refused('--flow must be device or browser');
	}

	const oauth = {...(flow !== undefined && {flow}), ...(scope !== undefined && {scope})};
	return {auth, ...(Object.keys(oauth).length > 0 && {oauth})};
}

function commandEntry(command: string, args: readonly string[], flags: CommandFlags): JsonObject {
	const {header, env, passEnv, cwd, envFile, transport, auth, flow, scope} = flags;
	if (auth !== undefined || flow !== undefined || scope !== undefined) {
		throw refused('--auth, --flow and --scope are for a URL, not for a command');
	}

	if (isGiven(header) || transport !== undefined) {
		throw refused('--header and --transport are for a URL, not for a command');
	}

	const program = programOfLine(command);
	if (program !== undefined) {
		throw refused(
			`Write the program and its arguments as separate words: sluice mcp add NAME -- ${safeText(command, {maximumCharacters: 200})}`,
		);
	}

	const variables = membersOf(env, /^([^=\s]+)=(.*)$/su, '--env must be NAME=VALUE');
	if (!(passEnv ?? []).every(isVariableName)) {
		throw refused('--pass-env must be the NAME of a variable; --env NAME=VALUE sets one');
	}

	return {
		command,
		...(args.length > 0 && {args}),
		...(isGiven(env) && {env: variables}),
		...(passEnv && isGiven(passEnv) && {pass_env: [...new Set(passEnv)]}),
		...(cwd !== undefined && {cwd}),
		...(envFile !== undefined && {env_file: envFile}),
	};
}

/** The paths of --cwd and --env-file as an entry has them; a reference or `~` stays as it was typed. */
function absolutePaths({cwd, envFile}: CommandFlags, folder: string): Pick<CommandFlags, 'cwd' | 'envFile'> {
	const absolute = (path: string) => (/^(?:~(?:\/|$)|\$\{)/u.test(path) ? path : resolve(folder, path));
	if (cwd === '' || envFile === '') {
		throw refused('--cwd and --env-file need a path');
	}

	return {
		...(cwd !== undefined && {cwd: absolute(cwd)}),
		...(envFile !== undefined && {envFile: absolute(envFile)}),
	};
}

function membersOf(given: readonly string[] | undefined, pattern: RegExp, usage: string): JsonObject {
	const members = (given ?? []).map(text => {
		const [, name, value] = pattern.exec(text) ?? [];
		if (name === undefined || value === undefined) {
			throw refused(usage);
		}

		return [name, value];
	});
	const object: unknown = Object.fromEntries(members);
	return isJsonObject(object) ? object : {};
}

function isGiven(list: readonly string[] | undefined): boolean {
	return list !== undefined && list.length > 0;
}

function refused(message: string): Problem {
	return new Problem('bad_usage', {message});
}

import {basename, dirname, isAbsolute, join} from 'node:path';
import {type GatewayConfig} from '../read/gateway-config.ts';
import {defaultProfile, type StatePaths} from '../read/state-paths.ts';
import {serverDefaults} from '../servers/server-schema.ts';
import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {type ProgramName} from './program-names.ts';
import {type AgentProgram, type StartedServer} from './programs.ts';

/** The name of our entry in the settings of every program. */
export const ownEntryName = 'sluice';

/** Our entry as a program has it. `stdio`: it starts Sluice; `http`: it goes to the endpoint. */
export type OwnEntry = {readonly way: 'stdio'; readonly words: readonly string[]} | {readonly way: 'http'};

/** Reads an entry; undefined: it is that of another server. Files are not looked at. */
export function readOwnEntry(entry: JsonValue | undefined): OwnEntry | undefined {
	if (!isJsonObject(entry)) {
		return undefined;
	}

	const [command, args] = [ownMember(entry, 'command'), ownMember(entry, 'args')];
	const words = [command, args].flat().filter(word => typeof word === 'string');
	const serve = words.findIndex((word, index) => word === 'mcp' && words[index + 1] === 'serve');
	if (serve > 0) {
		return isOwnProgram(words.slice(0, serve)) ? {way: 'stdio', words} : undefined;
	}

	const address = ['url', 'httpUrl', 'serverUrl'].some(key => typeof ownMember(entry, key) === 'string');
	const text = JSON.stringify(entry);
	return address && / clients headers |SLUICE_(?:CLIENT|ENDPOINT)_/u.test(text) ? {way: 'http'} : undefined;
}

/** True if one of these words is the path of Sluice. */
export function isOwnProgram(words: readonly string[]): boolean {
	return words.some(word => /^sluice(?:\.\w+)?$/u.test(basename(word)) || /[/\\]dist[/\\]bin\.js$/u.test(word));
}

/** The file that a command line starts, and the one that it gives Node.js to run. */
export function startedFiles([command = '', ...words]: readonly string[]): readonly string[] {
	const script = words.find(word => isAbsolute(word) && word.endsWith('.js'));
	return script === undefined ? [command] : [command, script];
}

/** Folders that are on the PATH of programs that no shell started. */
const commonFolders = new Set(['/usr/bin', '/bin', '/usr/local/bin']);

/** The program that other programs start. `flags`: those of this start that name the state directory and the profile. */
type OwnProgram = {readonly node: string; readonly program: string; readonly flags: readonly string[]};

/** The command line that serves a client. */
export function ownServer(
	client: string,
	{nodeFlags, ...own}: OwnProgram & {readonly nodeFlags: readonly string[]},
): StartedServer {
	const [command, ...args] = ownWords(own, {nodeFlags, words: ['mcp', 'serve', '--client', client]});
	return {command, args};
}

/** The command line that answers the hooks of a program. It has no flags of Node.js, which differ between versions: Codex trusts one line. */
export function ownHook(program: ProgramName, own: OwnProgram): readonly [string, ...string[]] {
	return ownWords(own, {nodeFlags: [], words: ['hook', program]});
}

/** Sluice itself finds Node.js on PATH; where Node.js is in no folder that every program has there, it is named. */
function ownWords(
	{node, program, flags}: OwnProgram,
	{nodeFlags, words}: {readonly nodeFlags: readonly string[]; readonly words: readonly string[]},
): readonly [string, ...string[]] {
	const own = [...flags, ...words];
	return commonFolders.has(dirname(node)) ? [program, ...own] : [node, ...nodeFlags, program, ...own];
}

/** The flags that name this state directory and profile to a program that starts with no variables of ours. */
export function stateFlags({root, profile}: Pick<StatePaths, 'root' | 'profile'>, home: string): readonly string[] {
	return [
		...(root === join(home, '.sluice') ? [] : ['--home', root]),
		...(profile === defaultProfile ? [] : ['--profile', profile]),
	];
}

/** A person may be asked in another place than this one, which takes longer. */
const longestQuestionSeconds = 900;
const marginSeconds = 60;

/** The time that a program has to give a call: that of the longest question, of the longest call, and a margin. */
export function wantedTimeoutSeconds({approvals, servers}: Pick<GatewayConfig, 'approvals' | 'servers'>): number {
	const longestCall = Math.max(serverDefaults.timeoutSeconds, ...servers.map(({timeoutSeconds}) => timeoutSeconds));
	return Math.ceil(Math.max(approvals.timeoutSeconds, longestQuestionSeconds) + longestCall + marginSeconds);
}

/** Members of an entry that say how a server is reached. */
const transportKeys: ReadonlySet<string> = new Set([
	'type',
	'command',
	'args',
	'url',
	'httpUrl',
	'serverUrl',
	'headers',
	'http_headers',
	'env_http_headers',
	'bearer_token_env_var',
	'headersHelper',
]);
const startedKeys: ReadonlySet<string> = new Set(['env', 'environment', 'cwd', 'env_vars']);

/** Our new entry with what a person has added to the former one. */
export function renewedEntry(former: JsonValue | undefined, entry: JsonObject): JsonObject {
	const isStarted = ownMember(entry, 'command') !== undefined;
	const members = isJsonObject(former) ? Object.entries(former) : [];
	const own = members.filter(([key]) => !transportKeys.has(key) && (isStarted || !startedKeys.has(key)));
	return {...entry, ...Object.fromEntries(own.filter(([key]) => !(key in entry)))};
}

/** A limit as the program writes it: at least so many seconds, or its maximum. Empty: no key is known. */
export function timeoutMember({timeout}: Pick<AgentProgram, 'timeout'>, seconds: number): JsonObject {
	if (!timeout) {
		return {};
	}

	const bounded = Math.min(seconds, timeout.maximumSeconds ?? seconds);
	return {[timeout.key]: timeout.unit === 'seconds' ? bounded : bounded * 1000};
}

/** The seconds that an entry gives a call; undefined: the default of its program. */
export function timeoutSecondsOf({timeout}: Pick<AgentProgram, 'timeout'>, entry: JsonObject): number | undefined {
	const value = timeout ? ownMember(entry, timeout.key) : undefined;
	return typeof value === 'number' ? (timeout?.unit === 'milliseconds' ? value / 1000 : value) : undefined;
}

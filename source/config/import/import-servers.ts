import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {shellWord} from '../../util/named-commands.ts';
import {isVisible} from '../../util/safe-text.ts';
import {valueAt} from '../values/plain-value.ts';
import {keyPathText} from '../values/problem-list.ts';

/** A server of another program, converted to our keys; still with its secrets. */
export type ImportedServer = {
	readonly name: string;
	readonly entry: JsonObject;
	/** The parts that could not be imported, in words. */
	readonly warnings: readonly string[];
};

/** The format in which a program writes its servers. */
export type ClientConfigShape = 'mcp-servers' | 'vs-code' | 'gemini' | 'codex' | 'zed' | 'opencode' | 'crush';

/** The servers in another program's file, including those of the project at `folder` if the file has projects. Invalid entries are left out. */
export function importServers(file: unknown, shape: ClientConfigShape, folder: string): readonly ImportedServer[] {
	const lists = listPaths[shape].map(path => valueAt(file, path(folder)));
	return lists.filter(isJsonObject).flatMap(list =>
		Object.entries(list).flatMap(([name, written]) => {
			const translated = isJsonObject(written) ? translate(name, written, shape) : undefined;
			return translated ? [{name, ...translated}] : [];
		}),
	);
}

const listPaths: Readonly<Record<ClientConfigShape, ReadonlyArray<(folder: string) => readonly string[]>>> = {
	'mcp-servers': [() => ['mcpServers'], folder => ['projects', folder, 'mcpServers']],
	'vs-code': [() => ['servers'], () => ['mcp', 'servers']],
	gemini: [() => ['mcpServers']],
	codex: [() => ['mcp_servers']],
	zed: [() => ['context_servers']],
	opencode: [() => ['mcp'], () => ['mcp', 'servers']],
	crush: [() => ['mcp']],
};

type Translated = Pick<ImportedServer, 'entry' | 'warnings'>;

function translate(name: string, written: JsonObject, shape: ClientConfigShape): Translated | undefined {
	const address = addressOf(written, shape);
	const command = commandOf(written);
	if (address === undefined && command === undefined) {
		return undefined;
	}

	const members: Readonly<Record<string, JsonValue | undefined>> = address
		? {...address, headers: headersOf(written)}
		: {...command, env: environmentOf(written)};
	const entry = Object.fromEntries(
		Object.entries({...members, ...limitsOf(written), trust: 'untrusted'}).flatMap(([key, value]) =>
			value === undefined || isHollow(value) ? [] : [[key, value]],
		),
	);
	return {entry: withOurReferences(entry, shape), warnings: warningsFor(name, written)};
}

/** The command with its arguments; opencode has both in one list. */
function commandOf(written: JsonObject): Readonly<Record<string, JsonValue | undefined>> | undefined {
	const command = ownMember(written, 'command');
	const [first, ...rest] = Array.isArray(command) ? command : [command];
	if (typeof first !== 'string' || first === '') {
		return undefined;
	}

	return {command: first, args: Array.isArray(command) ? rest : ownMember(written, 'args')};
}

/** `httpUrl` is Streamable HTTP in the files of Gemini CLI, and `url` is SSE; Windsurf and Antigravity write `serverUrl`. */
function addressOf(written: JsonObject, shape: ClientConfigShape): JsonObject | undefined {
	const [url, httpUrl, serverUrl, type] = ['url', 'httpUrl', 'serverUrl', 'type'].map(name => ownMember(written, name));
	const streamable = [httpUrl, serverUrl].find(address => typeof address === 'string' && address !== '');
	if (streamable !== undefined) {
		return {url: streamable};
	}

	const isSse = type === 'sse' || (shape === 'gemini' && type !== 'http');
	return typeof url === 'string' && url !== '' ? {url, ...(isSse && {transport: 'sse'})} : undefined;
}

/** Headers, and the variables from which Codex takes them. */
function headersOf(written: JsonObject): JsonObject {
	const token = ownMember(written, 'bearer_token_env_var');
	const fromVariables = ownMember(written, 'env_http_headers');
	const named = Object.entries(textsOf(fromVariables));
	return {
		...textsOf(ownMember(written, 'headers')),
		...textsOf(ownMember(written, 'http_headers')),
		...Object.fromEntries(named.map(([header, variable]) => [header, `\${${variable}}`])),
		...(typeof token === 'string' && {Authorization: `Bearer \${${token}}`}),
	};
}

/** `env`, and the variables that Codex passes on by name. */
function environmentOf(written: JsonObject): JsonObject {
	const names = ownMember(written, 'env_vars');
	const passedOn = Array.isArray(names) ? names.filter(name => typeof name === 'string') : [];
	return {
		...Object.fromEntries(passedOn.map(name => [name, `\${${name}}`])),
		...textsOf(ownMember(written, 'environment')),
		...textsOf(ownMember(written, 'env')),
	};
}

function limitsOf(written: JsonObject): Readonly<Record<string, JsonValue | undefined>> {
	const member = (...names: readonly string[]) => names.map(name => ownMember(written, name)).find(isSet);
	const tools = {
		include: member('includeTools', 'enabled_tools'),
		exclude: member('excludeTools', 'disabled_tools'),
	};
	const filters = Object.entries(tools).flatMap(([key, value]) =>
		Array.isArray(value) ? [[key, value] as const] : [],
	);
	const milliseconds = ownMember(written, 'timeout');
	return {
		tools: Object.fromEntries(filters),
		enabled: member('enabled') === false || member('disabled') === true ? false : undefined,
		connect_timeout: member('startup_timeout_sec'),
		timeout: member('tool_timeout_sec') ?? (typeof milliseconds === 'number' ? milliseconds / 1000 : undefined),
	};
}

function isSet(value: JsonValue | undefined): boolean {
	return value !== undefined && value !== null;
}

function textsOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
	const members = isJsonObject(value) ? Object.entries(value) : [];
	return Object.fromEntries(
		members.flatMap(([name, text]) => (typeof text === 'object' ? [] : [[name, String(text)] as const])),
	);
}

function isHollow(value: JsonValue): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** References to variables as programs write them; those of Claude Code may have a default. */
const variableForms: Readonly<Record<ClientConfigShape, RegExp>> = {
	'mcp-servers': /\$\{([A-Za-z_]\w*):-[^}]*\}/gu,
	'vs-code': /\$\{([A-Za-z_]\w*):-[^}]*\}/gu,
	codex: /\$\{([A-Za-z_]\w*):-[^}]*\}/gu,
	zed: /\$\{([A-Za-z_]\w*):-[^}]*\}/gu,
	gemini: /\$([A-Za-z_]\w*)/gu,
	crush: /\$([A-Za-z_]\w*)/gu,
	opencode: /\{env:([A-Za-z_]\w*)\}/gu,
};

/** Converts the references of a program to ours. */
function withOurReferences(entry: JsonObject, shape: ClientConfigShape): JsonObject {
	const theirs = variableForms[shape];
	const rewrite = (value: JsonValue): JsonValue => {
		if (typeof value === 'string') {
			return value.replaceAll(theirs, '$${$1}');
		}

		return Array.isArray(value) ? value.map(rewrite) : isJsonObject(value) ? rewriteMembers(value) : value;
	};

	const rewriteMembers = (members: JsonObject) =>
		Object.fromEntries(Object.entries(members).map(([key, value]) => [key, rewrite(value)]));
	return rewriteMembers(entry);
}

/** Keys of other programs that have no counterpart here. */
const leftOut = ['cwd', 'envFile', 'oauth', 'authProviderType', 'targetAudience', 'dev', 'experimental_environment'];

/** The keys here for those that a person may add after an import. */
const addedByHand: Readonly<Record<string, string>> = {cwd: 'cwd', envFile: 'env_file'};

function leftOutText(server: string, key: string, written: JsonObject): string {
	const [own, value] = [addedByHand[key], ownMember(written, key)];
	if (own === undefined || typeof value !== 'string' || !isVisible(value) || /[`\n]/u.test(value)) {
		return `\`${key}\` is not imported`;
	}

	const words = [keyPathText(['mcp_servers', server, own]), value].map(shellWord);
	return `\`${key}\` is not imported; after the import, \`sluice config set ${words.join(' ')}\` adds it`;
}

function warningsFor(name: string, written: JsonObject): readonly string[] {
	const keys = leftOut.filter(key => isSet(ownMember(written, key)));
	const asks = [...new Set(JSON.stringify(written).match(/\$\{input:[^}"]*\}/gu))];
	return [
		...keys.map(key => leftOutText(name, key, written)),
		...asks.map(reference => `${reference} is not set; add it to .env`),
		...(ownMember(written, 'trust') === true ? ['its full trust is not imported'] : []),
	];
}

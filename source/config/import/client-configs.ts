import {existsSync} from 'node:fs';
import {isAbsolute, join, resolve} from 'node:path';
import stripJsonComments from 'strip-json-comments';
import {type JsonValue, parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {didYouMean} from '../values/did-you-mean.ts';
import {readTextFile} from '../values/text-file.ts';
import {type ClientConfigShape, type ImportedServer, importServers} from './import-servers.ts';

/** Programs whose servers can be imported. */
export const clientNames = ['claude-desktop', 'claude-code', 'vscode', 'cursor', 'gemini', 'codex'] as const;

export type ClientName = (typeof clientNames)[number];

/** An existing file of another program, and its servers; `unreadable`: it cannot be parsed. */
export type ClientConfigFile = {
	readonly host: ClientName | 'file';
	readonly path: string;
	readonly state: 'read' | 'unreadable';
	readonly servers: readonly ImportedServer[];
};

/** One program, or one file. */
export type ClientConfigSource = {readonly host: ClientName} | {readonly path: string};

type Candidate = {readonly host: ClientName | 'file'; readonly shape: ClientConfigShape; readonly path: string};

type Surroundings = {
	readonly home: string;
	readonly workingDirectory: string;
	readonly variables: Readonly<Record<string, string>>;
};

/**
Parses an argument: the name of a program or the path of a file. Throws `bad_usage` for a word that is neither: not a program whose servers can be
imported, and not the name of a file that is there.
*/
export function clientConfigSource(wanted: string | undefined, folder: string): ClientConfigSource | undefined {
	if (wanted === undefined) {
		return undefined;
	}

	const host = clientNames.find(name => name === wanted);
	const path = resolve(folder, wanted);
	if (!host && !/[./\\]/u.test(wanted) && !existsSync(path)) {
		const meant = didYouMean(wanted, clientNames);
		const hint = meant === undefined ? '.' : `; did you mean "${meant}"?`;
		const shown = safeText(wanted, {maximumCharacters: 100});
		throw new Problem('bad_usage', {
			message: `"${shown}" is not a known program${hint} Allowed: ${clientNames.join(', ')}, or the path of a file`,
		});
	}

	return host ? {host} : {path};
}

/** All files in which these programs may define servers, for this user and for the project in the working directory. */
function knownFiles({home, workingDirectory, variables}: Surroundings): readonly Candidate[] {
	const settings = variables['XDG_CONFIG_HOME'] || join(home, '.config');
	const application = join(home, 'Library', 'Application Support');
	const roaming = variables['APPDATA'] === undefined ? [] : [variables['APPDATA']];
	const everySystem = [settings, application, ...roaming];
	const codexHome = variables['CODEX_HOME'] || join(home, '.codex');
	const candidates: ReadonlyArray<readonly [ClientName, ClientConfigShape, readonly string[]]> = [
		['claude-desktop', 'mcp-servers', everySystem.map(folder => join(folder, 'Claude', 'claude_desktop_config.json'))],
		['claude-code', 'mcp-servers', [join(home, '.claude.json'), join(workingDirectory, '.mcp.json')]],
		[
			'vscode',
			'vs-code',
			[
				...everySystem.flatMap(folder => ['mcp.json', 'settings.json'].map(name => join(folder, 'Code', 'User', name))),
				join(workingDirectory, '.vscode', 'mcp.json'),
			],
		],
		['cursor', 'mcp-servers', [join(home, '.cursor', 'mcp.json'), join(workingDirectory, '.cursor', 'mcp.json')]],
		['gemini', 'gemini', [join(home, '.gemini', 'settings.json'), join(workingDirectory, '.gemini', 'settings.json')]],
		['codex', 'codex', [join(codexHome, 'config.toml')]],
	];
	// With an empty HOME these paths are relative, and files of the working folder would pass for those of the user.
	return candidates.flatMap(([host, shape, paths]) =>
		[...new Set(paths)].filter(path => isAbsolute(path)).map(path => ({host, shape, path})),
	);
}

/** Reads the existing files of one program, of all, or one file of any format by its path. Nothing is started and nothing is written. */
export async function findClientConfigs(
	surroundings: Surroundings,
	wanted?: ClientConfigSource,
): Promise<readonly ClientConfigFile[]> {
	const candidates =
		wanted && 'path' in wanted
			? [{host: 'file' as const, shape: shapeOf(wanted.path), path: wanted.path}]
			: knownFiles(surroundings).filter(({host}) => !wanted || host === wanted.host);
	const files = await Promise.all(candidates.map(candidate => readCandidate(candidate, surroundings.workingDirectory)));
	return files.filter(file => file !== undefined);
}

function shapeOf(path: string): ClientConfigShape | undefined {
	return path.endsWith('.toml') ? 'codex' : undefined;
}

async function readCandidate(
	{host, shape, path}: Omit<Candidate, 'shape'> & {readonly shape: ClientConfigShape | undefined},
	folder: string,
): Promise<ClientConfigFile | undefined> {
	let text: string | undefined;
	try {
		text = await readTextFile(path);
	} catch {
		return {host, path, state: 'unreadable', servers: []};
	}

	if (text === undefined) {
		return undefined;
	}

	const value = shape === 'codex' ? await readToml(text) : parseJsonWithComments(text);
	// A file named by a person may have either format.
	const shapes: readonly ClientConfigShape[] = shape === undefined ? ['mcp-servers', 'vs-code', 'codex'] : [shape];
	return {
		host,
		path,
		state: value === undefined ? 'unreadable' : 'read',
		servers: shapes.flatMap(one => importServers(value, one, folder)),
	};
}

/** Loads the parser only for a TOML file. */
async function readToml(text: string): Promise<JsonValue | undefined> {
	const {parseToml} = await import('./toml.ts');
	return parseToml(text);
}

/** Parses JSON with comments and trailing commas. Undefined when it is invalid. */
export function parseJsonWithComments(text: string): JsonValue | undefined {
	return parseJson(stripJsonComments(text.replace(/^\uFEFF/u, ''), {trailingCommas: true}));
}

import {existsSync} from 'node:fs';
import {isAbsolute, resolve} from 'node:path';
import stripJsonComments from 'strip-json-comments';
import {type JsonValue, parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {settingsFiles} from '../programs/find-program.ts';
import {ownEntryName, readOwnEntry} from '../programs/own-entry.ts';
import {type ProgramName, programNames} from '../programs/program-names.ts';
import {allPrograms} from '../programs/programs.ts';
import {didYouMean} from '../values/did-you-mean.ts';
import {readTextFile} from '../values/text-file.ts';
import {type ClientConfigShape, type ImportedServer, importServers} from './import-servers.ts';

/** An existing file of another program, and its servers; `unreadable`: it cannot be parsed. */
export type ClientConfigFile = {
	readonly host: ProgramName | 'file';
	readonly path: string;
	readonly state: 'read' | 'unreadable';
	readonly servers: readonly ImportedServer[];
};

/** One program, or one file. */
export type ClientConfigSource = {readonly host: ProgramName} | {readonly path: string};

type Candidate = {readonly host: ProgramName | 'file'; readonly shape: ClientConfigShape; readonly path: string};

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

	const host = programNames.find(name => name === wanted);
	const path = resolve(folder, wanted);
	if (!host && !/[./\\]/u.test(wanted) && !existsSync(path)) {
		const meant = didYouMean(wanted, programNames);
		const hint = meant === undefined ? '.' : `; did you mean "${meant}"?`;
		const shown = safeText(wanted, {maximumCharacters: 100});
		throw new Problem('bad_usage', {
			message: `"${shown}" is not a known program${hint} Allowed: ${programNames.join(', ')}, or the path of a file`,
		});
	}

	return host ? {host} : {path};
}

/** All files in which these programs may define servers, for this user and for the project in the working directory. */
function knownFiles(surroundings: Surroundings): readonly Candidate[] {
	const places = {...surroundings, platform: process.platform};
	return allPrograms.flatMap(program => {
		const {name: host, shape, importedFiles} = program;
		const others = (importedFiles?.(places) ?? []).filter(path => isAbsolute(path));
		const paths = [...settingsFiles(program, places, 'user'), ...others, ...settingsFiles(program, places, 'project')];
		return paths.map(path => ({host, shape, path}));
	});
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

/** A file that a person names may be of any program. */
const anyShape: readonly ClientConfigShape[] = ['mcp-servers', 'vs-code', 'codex', 'zed', 'opencode'];

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
	const shapes: readonly ClientConfigShape[] = shape === undefined ? anyShape : [shape];
	return {
		host,
		path,
		state: value === undefined ? 'unreadable' : 'read',
		// Our own entry there would call this gateway from itself.
		servers: shapes
			.flatMap(one => importServers(value, one, folder))
			.filter(({name, entry}) => name !== ownEntryName || readOwnEntry(entry) === undefined),
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

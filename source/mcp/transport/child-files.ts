import {constants} from 'node:fs';
import {type FileHandle, open, stat} from 'node:fs/promises';
import {isAbsolute} from 'node:path';
import {parseEnv} from 'node:util';
import {type TransportConfig} from '../../config/servers/server-transport.ts';
import {errorText, Problem, systemErrorCode} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

type StdioConfig = Extract<TransportConfig, {kind: 'stdio'}>;
type Expand = (text: string) => string;

const largestFileBytes = 65_536;

/** A path of an entry, its references and a leading `~` replaced. */
export function expandPath(written: string, expand: Expand): string {
	return expand(written.replace(/^~(?=\/|$)/u, () => '${userHome}'));
}

/** The folder that a stdio server starts in; undefined: that of Sluice. Rejects with `config_invalid` or `file_missing`. */
export async function findWorkingDirectory(
	{cwd}: Pick<StdioConfig, 'cwd'>,
	expand: Expand,
): Promise<string | undefined> {
	if (cwd === undefined) {
		return undefined;
	}

	const path = absolutePath('cwd', cwd, expand);
	const found = await stat(path).catch((error: unknown) => {
		throw unreadable('cwd', `the folder ${shown(path)}`, error);
	});
	if (!found.isDirectory()) {
		throw new Problem('config_invalid', {message: `cwd: ${shown(path)} is not a folder`});
	}

	return path;
}

/**
The variables of the `env_file` of a stdio server, read as `.env` is; none without one. Rejects with `config_invalid` or `file_missing`
for anything but a regular file of this user, at most 64 KB; a symbolic link is refused.
*/
export async function readFileVariables(
	{envFile}: Pick<StdioConfig, 'envFile'>,
	expand: Expand,
): Promise<Readonly<Record<string, string>>> {
	if (envFile === undefined) {
		return {};
	}

	const path = absolutePath('env_file', envFile, expand);
	// A pipe would hold up the opening without O_NONBLOCK.
	const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
	const file = await open(path, flags).catch((error: unknown) => {
		throw systemErrorCode(error) === 'ELOOP'
			? refused(path, 'is a symbolic link; name the file itself')
			: unreadable('env_file', `the file ${shown(path)}`, error);
	});
	try {
		const variables = parseEnv(await readOwnFile(file, path));
		return Object.fromEntries(Object.entries(variables).map(([name, value = '']) => [name, value]));
	} finally {
		await file.close();
	}
}

/** The names of the variables of an `env_file`, in one line; never their values. */
export function fileVariablesText(variables: Readonly<Record<string, string>>): string {
	const names = Object.keys(variables).map(name => safeText(name, {maximumCharacters: 100}));
	return names.length === 0 ? 'Its `env_file` has no variables' : `Its \`env_file\` sets ${names.join(', ')}`;
}

async function readOwnFile(file: FileHandle, path: string): Promise<string> {
	const found = await file.stat();
	if (!found.isFile()) {
		throw refused(path, 'is not a regular file');
	}

	if (found.uid !== process.getuid?.()) {
		throw refused(path, 'belongs to another user');
	}

	const {buffer, bytesRead} = await file.read(Buffer.alloc(largestFileBytes + 1), 0, largestFileBytes + 1, 0);
	if (bytesRead > largestFileBytes) {
		throw refused(path, 'is larger than 64 KB');
	}

	return buffer.toString('utf8', 0, bytesRead);
}

function absolutePath(key: string, written: string, expand: Expand): string {
	const path = expandPath(written, expand);
	if (!isAbsolute(path)) {
		throw new Problem('config_invalid', {message: `${key}: ${shown(path)} is not an absolute path`});
	}

	return path;
}

function refused(path: string, fault: string): Problem {
	return new Problem('config_invalid', {message: `env_file: ${shown(path)} ${fault}`});
}

function unreadable(key: string, subject: string, cause: unknown): Problem {
	const fault = systemErrorCode(cause) === 'ENOENT' ? 'does not exist' : 'cannot be read';
	return new Problem('file_missing', {message: `${key}: ${subject} ${fault}`, detail: errorText(cause), cause});
}

function shown(path: string): string {
	return safeText(path, {maximumCharacters: 300});
}

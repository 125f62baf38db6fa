import {type Stats} from 'node:fs';
import {access, constants, readdir, stat, statfs} from 'node:fs/promises';
import {join} from 'node:path';
import {type StatePaths} from '../../config/read/state-paths.ts';
import {shellWord} from '../../util/named-commands.ts';
import {type Finding, fine, trouble} from './finding.ts';

/** Below this the journal may soon refuse events. */
const leastFreeBytes = 100 * 1_048_576;

/** The state directory: there, this user's alone, writable, on a disk with room. */
export async function checkFiles(paths: StatePaths, checkName: (check: string) => string): Promise<readonly Finding[]> {
	const check = checkName('files');
	const found = await statsOf(paths.directory);
	if (!found) {
		return [fine(check, `${paths.directory} does not exist yet; the first start creates it`)];
	}

	if (!found.isDirectory()) {
		const file = shellWord(paths.directory);
		const remedy = `mv ${file} ${shellWord(`${paths.directory}.file`)}, or choose another folder with --home`;
		return [trouble(check, 'error', {message: `${paths.directory} is not a folder`, remedy})];
	}

	const rights = (await Promise.all((await privatePaths(paths)).map(path => checkRights(path, check)))).flat();
	const findings = [
		...rights,
		...(await checkWritable(paths.directory, check)),
		...(await checkSpace(paths.directory, check)),
	];
	return findings.length > 0 ? findings : [fine(check, `${paths.directory} is readable only by you`)];
}

async function privatePaths(paths: StatePaths): Promise<readonly string[]> {
	const tokens = await readdir(paths.tokens).catch(() => []);
	return [
		paths.directory,
		paths.config,
		paths.env,
		paths.tokens,
		...tokens.map(name => join(paths.tokens, name)),
		paths.subscriptions,
		paths.approvalRules,
		paths.hold,
		paths.cronJobs,
		paths.journal,
		paths.logs,
	];
}

async function checkRights(path: string, check: string): Promise<readonly Finding[]> {
	const stats = await statsOf(path);
	if (!stats) {
		return [];
	}

	const own = process.getuid?.() ?? stats.uid;
	if (stats.uid !== own) {
		const message = `${path} belongs to another user (${stats.uid})`;
		return [trouble(check, 'error', {message, remedy: `sudo chown -R ${own} ${shellWord(path)}`})];
	}

	const loose = stats.mode & 0o077;
	const remedy = `chmod ${stats.isDirectory() ? '700' : '600'} ${shellWord(path)}`;
	return loose === 0 ? [] : [trouble(check, 'warning', {message: `Other users can open ${path}`, remedy})];
}

async function checkWritable(directory: string, check: string): Promise<readonly Finding[]> {
	try {
		await access(directory, constants.W_OK);
		return [];
	} catch {
		const remedy = `chmod u+w ${shellWord(directory)}, or mount its file system read-write`;
		return [trouble(check, 'error', {message: `${directory} is not writable`, remedy})];
	}
}

async function checkSpace(directory: string, check: string): Promise<readonly Finding[]> {
	const system = await statfs(directory).catch(() => undefined);
	const free = system ? system.bavail * system.bsize : leastFreeBytes;
	const message = `Only ${Math.floor(free / 1_048_576)} MB are free for ${directory}`;
	const remedy = `Free some disk space (\`df -h ${shellWord(directory)}\` shows it); events are refused while the journal cannot be written`;
	return free < leastFreeBytes ? [trouble(check, 'warning', {message, remedy})] : [];
}

async function statsOf(path: string): Promise<Stats | undefined> {
	try {
		return await stat(path);
	} catch {
		return undefined;
	}
}

import {realpathSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {defaultProfile, type StatePaths} from '../../config/read/state-paths.ts';
import {Problem} from '../../util/problem.ts';
import {longestStop} from './stop-time.ts';

/** The program that a service runs, for every service manager (docs/deployment.md, The unit). */
export type ServiceTarget = {
	/** Node.js with its flags, the program, its words. */
	readonly command: readonly [string, ...string[]];
	/** PATH of the gateway and of the tool servers it starts. */
	readonly path: string;
	/** The home directory of the user, as the service has it. */
	readonly userHome: string;
	/** The state directory of all profiles. */
	readonly root: string;
	readonly profile: string;
	readonly logs: string;
	/** Time limit of a stop. */
	readonly stopSeconds: number;
	/** The folder of the control socket: the state directory, or the runtime directory for a long path. */
	readonly socket: 'state' | 'runtime';
};

/** The parts of this process that a service repeats. */
export type Program = {
	readonly node: string;
	readonly program: string;
	readonly platform: NodeJS.Platform;
	/** The home directory of its user. */
	readonly home: string;
};

/** The arguments of Node.js with which `bin.ts` starts itself. */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];

/** The target of a service for the profile of this start. Throws `bad_usage` for paths that no unit can name. */
export function serviceTarget(
	paths: StatePaths,
	{node, program, platform, home: userHome}: Program,
	drainDelaySeconds: number,
): ServiceTarget {
	const {root, profile, logs, controlSocket, directory} = paths;
	for (const path of [root, node, program, userHome]) {
		if (/[\u0000-\u001F\u007F]/u.test(path)) {
			throw new Problem('bad_usage', {message: 'A path with control characters cannot be written into a service file'});
		}
	}

	const home = root === join(userHome, '.sluice') ? [] : ['--home', root];
	const named = profile === defaultProfile ? [] : ['--profile', profile];
	return {
		command: [node, ...nodeFlags, program, ...home, ...named, 'gateway', 'run', '--log', 'json'],
		path: searchPath({node, userHome, platform}),
		userHome,
		root,
		profile,
		logs,
		stopSeconds: longestStop(drainDelaySeconds),
		socket: controlSocket.startsWith(join(directory, '/')) ? 'state' : 'runtime',
	};
}

/** A service does not get the PATH of a shell: npx is beside node, uvx in ~/.local/bin. The same from every shell, so that the file is too. */
function searchPath({
	node,
	userHome,
	platform,
}: {
	readonly node: string;
	readonly userHome: string;
	readonly platform: NodeJS.Platform;
}): string {
	const brewed = platform === 'darwin' ? ['/opt/homebrew/bin'] : [];
	const system = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];
	return [...new Set([dirname(node), join(userHome, '.local', 'bin'), ...brewed, ...system])].join(':');
}

/** Names of Node.js that stay when it is updated. */
const stableNodes = [
	'/opt/homebrew/bin/node',
	'/usr/local/bin/node',
	'/home/linuxbrew/.linuxbrew/bin/node',
	'/usr/bin/node',
];

/** This Node.js by the name that outlives an update, else as it runs. */
export function stableNode(execPath: string): string {
	return stableNodes.find(path => realPath(path) === realPath(execPath)) ?? execPath;
}

/** The program as it was started, and under its real path: both mean the same. */
export function programPaths(started: string): readonly [string, ...string[]] {
	const real = realPath(started);
	return real === undefined || real === started ? [started] : [started, real];
}

/** npm removes what npx fetched after some time. */
export function isTemporaryProgram(program: string): boolean {
	return /[/\\]_npx[/\\]/u.test(program);
}

function realPath(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}

/** The file of a service as it was found, beside what this version would write. */
export type ServiceFile =
	| {readonly kind: 'absent'}
	| {readonly kind: 'same'}
	| {readonly kind: 'changed'; readonly text: string}
	/** Nothing says that we wrote it. */
	| {readonly kind: 'by-hand'; readonly text: string}
	/** We wrote it for another state directory. */
	| {readonly kind: 'other-home'; readonly home: string; readonly text: string};

const mark = /Written by `sluice service install` for ("(?:[^"\\\n]|\\.)*")/u;

/** The words by which we know our own files. Both a unit and a property list may have them in a comment. */
export function writtenFor(root: string): string {
	// Two hyphens end a comment in XML.
	return `Written by \`sluice service install\` for ${JSON.stringify(root).replaceAll('--', String.raw`-\u002d`)}`;
}

/** Decides what a file is. `wanted` are texts that mean the same; the first is the one that is written. */
export function compareFile(
	found: string | undefined,
	{wanted, root}: {readonly wanted: readonly string[]; readonly root: string},
): ServiceFile {
	if (found === undefined) {
		return {kind: 'absent'};
	}

	if (wanted.includes(found)) {
		return {kind: 'same'};
	}

	const home = homeOf(found);
	if (home === undefined) {
		return {kind: 'by-hand', text: found};
	}

	return home === root ? {kind: 'changed', text: found} : {kind: 'other-home', home, text: found};
}

/** The state directory that one of our files is for. */
function homeOf(text: string): string | undefined {
	try {
		const home: unknown = JSON.parse(mark.exec(text)?.[1] ?? 'null');
		return typeof home === 'string' ? home : undefined;
	} catch {
		return undefined;
	}
}

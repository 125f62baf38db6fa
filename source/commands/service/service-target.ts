import {realpathSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {defaultProfile, type StatePaths} from '../../config/read/state-paths.ts';
import {Problem} from '../../util/problem.ts';
import {longestStop} from './stop-time.ts';

/** The program that a service runs, whichever service manager starts it (docs/deployment.md, What is written). */
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
	/** Seconds that a stop may take. */
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

/** The flags with which `bin.ts` starts itself. */
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
			throw new Problem('bad_usage', {message: 'A path with control characters cannot stand in a service file'});
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

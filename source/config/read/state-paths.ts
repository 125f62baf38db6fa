import {createHash} from 'node:crypto';
import {isAbsolute, join, resolve} from 'node:path';
import {Problem} from '../../util/problem.ts';
import {type Environment} from './environment.ts';

/** The paths of one profile (docs/configuration.md, State directory). */
export type StatePaths = {
	/** The state directory of all profiles. */
	readonly root: string;
	readonly profile: string;
	/** The state directory of this profile. */
	readonly directory: string;
	readonly config: string;
	readonly env: string;
	readonly tokens: string;
	readonly subscriptions: string;
	readonly approvalRules: string;
	readonly hold: string;
	readonly cronJobs: string;
	readonly schemaCache: string;
	readonly media: string;
	readonly scripts: string;
	readonly skills: string;
	readonly journal: string;
	readonly logs: string;
	readonly serverLogs: string;
	readonly preferences: string;
	readonly controlSocket: string;
	readonly lock: string;
	/** The socket and profile name of a gateway that serves this profile beside the default one; undefined for the default profile itself. */
	readonly multiplexer?: {readonly controlSocket: string; readonly profile: string};
};

/** The name of the profile in the state directory itself. */
export const defaultProfile = 'default';

/**
The state directory: the requested one, else `SLUICE_HOME`, else `~/.sluice`. Throws `bad_usage` where only the home folder could name it
and its path is empty or relative: the working folder may hold a `.sluice` of somebody else, whose servers would start.
*/
export function stateRoot(environment: Pick<Environment, 'home' | 'sluiceHome'>, asked?: string): string {
	const named = asked ?? environment.sluiceHome;
	if (named === undefined && !isAbsolute(environment.home)) {
		throw new Problem('bad_usage', {
			message: `There is no state directory: HOME is ${environment.home === '' ? 'empty' : 'a relative path'}, and SLUICE_HOME is not set`,
			remedy: 'Set HOME or SLUICE_HOME to an absolute path, or pass the directory: `sluice --home DIR`',
		});
	}

	return resolve(named ?? join(environment.home, '.sluice'));
}

/** All paths of a profile. Throws a Problem `bad_usage` for a name that could escape the profiles folder. */
export function statePaths(options: {
	readonly root: string;
	readonly profile: string;
	readonly runtimeDirectory?: string;
}): StatePaths {
	const {root, profile} = options;
	if (!isProfileName(profile)) {
		throw new Problem('bad_usage', {message: 'A profile name has 1 to 64 letters, digits, hyphens and underscores'});
	}

	const directory = profile === defaultProfile ? root : join(root, 'profiles', profile);
	return {
		root,
		profile,
		directory,
		config: join(directory, 'config.yaml'),
		env: join(directory, '.env'),
		tokens: join(directory, 'mcp-tokens'),
		subscriptions: join(directory, 'webhook_subscriptions.json'),
		approvalRules: join(directory, 'approval-rules.json'),
		hold: join(directory, 'hold.json'),
		cronJobs: join(directory, 'cron', 'jobs.json'),
		schemaCache: join(directory, 'cache', 'mcp-schemas.json'),
		media: join(directory, 'cache', 'media'),
		scripts: join(directory, 'scripts'),
		skills: join(directory, 'skills'),
		journal: join(directory, 'journal.db'),
		logs: join(directory, 'logs'),
		serverLogs: join(directory, 'logs', 'mcp-stderr'),
		preferences: join(directory, 'preferences.json'),
		controlSocket: socketPath(directory, options.runtimeDirectory),
		lock: join(directory, 'gateway.lock'),
		...(profile !== defaultProfile && {
			multiplexer: {controlSocket: socketPath(root, options.runtimeDirectory), profile},
		}),
	};
}

/** True for names that cannot escape the profiles folder or a URL path segment. */
export function isProfileName(name: string): boolean {
	return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u.test(name);
}

/** Systems truncate or refuse socket paths of a little over 100 bytes (104 on macOS, 108 on Linux). */
const longestSocketBytes = 100;

function socketPath(directory: string, runtimeDirectory: string | undefined): string {
	const path = join(directory, 'control.sock');
	if (runtimeDirectory === undefined || Buffer.byteLength(path) <= longestSocketBytes) {
		return path;
	}

	const hash = createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 16);
	return join(runtimeDirectory, `sluice-${hash}.sock`);
}

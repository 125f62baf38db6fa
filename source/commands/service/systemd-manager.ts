import {existsSync, readFileSync} from 'node:fs';
import {findPackageJSON} from 'node:module';
import {dirname, isAbsolute, join} from 'node:path';
import {defaultProfile} from '../../config/read/state-paths.ts';
import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {createManagerTool, firstLine, type RunTool} from '../cli/run-tool.ts';
import {type ServiceTarget, writtenFor} from './service-file.ts';
import {type ServiceManager, type ServiceParts, type ServiceState} from './service-manager.ts';
import {timeSpanSeconds} from './stop-time.ts';

type Options = ServiceParts & {
	readonly run: RunTool;
	readonly clock: Pick<Clock, 'now'>;
	readonly variables: Readonly<Record<string, string>>;
};

const lastLineCount = 10;

/** A unit of the user's own systemd: systemctl(1), `--user`. */
export function systemdManager(options: Options): ServiceManager {
	const {target, sameTargets, run, clock, variables, uid} = options;
	const name = unitName(target.profile);
	const shipped = shippedUnit();
	const {call: systemctl, must} = createManagerTool(run, {
		program: 'systemctl',
		words: ['--user'],
		missing: () => unreachableProblem(undefined, options),
	});
	const state: ServiceManager['state'] = async () => {
		const {stdout} = await systemctl('show', name, `--property=${unitProperties}`);
		return readUnitState(stdout, {uptime: Number(process.hrtime.bigint() / 1_000_000n), now: clock.now()});
	};

	return {
		kind: 'systemd',
		name,
		path: join(configHome(variables, target.userHome), 'systemd', 'user', name),
		texts: [unitText(shipped, target), ...sameTargets.map(same => unitText(shipped, same))],
		startCommands: ['systemctl --user daemon-reload', `systemctl --user enable --now ${name}`],
		logs: target.logs,
		async check() {
			const result = await systemctl('show', '--property=Version');
			if (result.code !== 0) {
				throw unreachableProblem(firstLine(result), options);
			}
		},
		state,
		async start() {
			await must('daemon-reload');
			const {run: before} = await state();
			await must('enable', '--now', name);
			if (before === 'running') {
				await must('restart', name);
			}
		},
		stop: () => must('disable', '--now', name),
		async forget() {
			await must('daemon-reload');
			// A failure of a unit that is gone would go on standing in lists.
			await systemctl('reset-failed', name);
		},
		lastLines: () => lastLines(run, name),
		logCommand: `journalctl --user --unit ${name.replace('.service', '')}`,
		lingers: () => lingers(run, uid),
		notes,
	};
}

async function lastLines(run: RunTool, name: string): Promise<readonly string[]> {
	const lines = ['--lines', String(lastLineCount), '--output', 'cat', '--no-pager', '--quiet'];
	const result = await run('journalctl', ['--user', '--unit', name, ...lines]);
	return result.kind === 'ended' && result.code === 0 ? result.stdout.split('\n').filter(Boolean) : [];
}

/** True if systemd runs for this user without a session; null: unknown. loginctl(1), enable-linger. */
async function lingers(run: RunTool, uid: number): Promise<boolean | null> {
	const result = await run('loginctl', ['show-user', String(uid), '--property=Linger', '--value']);
	if (result.kind === 'missing') {
		return null;
	}

	const isOff = /not logged in or lingering/u.test(result.stderr) || result.stdout.trim() === 'no';
	return isOff ? false : result.stdout.trim() === 'yes' ? true : null;
}

function notes(linger: boolean | null): readonly string[] {
	const login =
		'It stops when your last session ends, and starts at your next login. `loginctl enable-linger` keeps it running, and starts it at boot.';
	return [
		...(linger === true ? [] : [login]),
		'Variables of your shell do not reach it: keep keys in `.env` of the state directory.',
		'Servers that start with npx or uvx need a writable cache: add `pass_env: [npm_config_cache, UV_CACHE_DIR]` to their entries. Other folders are read-only to it; `ReadWritePaths=` in a drop-in allows more.',
		'To keep agents with a shell as your user out, run it as another user (docs/deployment.md, Another user).',
	];
}

/** The folder of user units: systemd.unit(5), User Unit Search Path. A relative path counts as unset, by the XDG specification. */
function configHome(variables: Readonly<Record<string, string>>, userHome: string): string {
	const set = variables['XDG_CONFIG_HOME'] ?? '';
	return isAbsolute(set) ? set : join(userHome, '.config');
}

/** The unit in the package. */
function shippedUnit(): string {
	const manifest = findPackageJSON(import.meta.url) ?? '';
	return readFileSync(join(dirname(manifest), 'assets', 'sluice.service'), 'utf8');
}

function unreachableProblem(said: string | undefined, {variables, uid}: Options): Problem {
	return new Problem(
		'service_unavailable',
		unreachable({
			said: said === undefined ? undefined : safeText(said),
			booted: existsSync('/run/systemd/system'),
			runtimeDirectory: variables['XDG_RUNTIME_DIR'],
			uid,
		}),
	);
}

/** The properties to ask `systemctl show` for. */
const unitProperties = [
	'LoadState',
	'ActiveState',
	'SubState',
	'UnitFileState',
	'MainPID',
	'ActiveEnterTimestampMonotonic',
	'Result',
	'ExecMainStatus',
	'TimeoutStopUSec',
].join(',');

/** Reads what `systemctl show` says of a unit. `uptime` and `now` are milliseconds: the monotonic clock of the system, and the time. */
export function readUnitState(
	text: string,
	{uptime, now}: {readonly uptime: number; readonly now: number},
): ServiceState {
	const properties = new Map(
		text.split('\n').map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
	);
	const of = (name: string) => properties.get(name) ?? '';
	const active = of('ActiveState');
	const pid = Number(of('MainPID'));
	const entered = Number(of('ActiveEnterTimestampMonotonic')) / 1000;
	const isRunning = active === 'active' || active === 'reloading';
	const stopSeconds = timeSpanSeconds(of('TimeoutStopUSec'));
	const isFailed = active === 'failed' || of('SubState') === 'auto-restart';
	return {
		enabled: of('UnitFileState').startsWith('enabled'),
		run: isRunning ? 'running' : isFailed ? 'failed' : active === 'activating' ? 'starting' : 'stopped',
		state: active === '' ? 'unknown' : `${active} (${of('SubState')})`,
		pid: Number.isSafeInteger(pid) && pid > 0 ? pid : null,
		since: isRunning && entered > 0 ? Math.round(now - (uptime - entered)) : null,
		...(stopSeconds !== undefined && {stopSeconds}),
		...(isFailed && {failure: unitFailure(of('Result'), of('ExecMainStatus'))}),
		...(of('LoadState') === 'masked' && {masked: true}),
	};
}

/** The exit codes by which systemd says that it could not start a program: systemd.exec(5), Process Exit Codes. */
const setUpFailures: Readonly<Record<string, readonly [message: string, remedy: string]>> = {
	'203': [
		'systemd cannot start Node.js from the path of the unit',
		'Run `sluice service install` again with the Node.js to use',
	],
	'218': [
		'systemd cannot take rights away from it in a user service on this system (218/CAPABILITIES)',
		'Turn these limits off (docs/deployment.md, When limits cannot be set)',
	],
	'226': [
		'systemd cannot set its limits up (226/NAMESPACE): this system gives users no namespaces, or a folder of ReadWritePaths is missing',
		'Create the folder, or turn these limits off (docs/deployment.md, When limits cannot be set)',
	],
};

function unitFailure(result: string, status: string): NonNullable<ServiceState['failure']> {
	const [message, remedy] = setUpFailures[status] ?? [];
	if (message !== undefined && remedy !== undefined) {
		return {message, remedy};
	}

	const words: Readonly<Record<string, string>> = {
		'exit-code': `It exited with ${status}`,
		signal: `Signal ${status} ended it`,
		'oom-kill': 'It was ended because memory ran out',
		timeout: 'It did not start or stop in time',
		'start-limit-hit': 'It failed too often in a short time',
	};
	return {message: words[result] ?? `systemd says: ${result}`};
}

/** Why the systemd of a user cannot be reached, and what to do. `said` is what systemctl wrote; undefined: there is no systemctl. */
export function unreachable({
	said,
	booted,
	runtimeDirectory,
	uid,
}: {
	readonly said: string | undefined;
	/** True if this system was booted with systemd. */
	readonly booted: boolean;
	readonly runtimeDirectory: string | undefined;
	readonly uid: number;
}): {readonly message: string; readonly remedy: string} {
	if (said === undefined) {
		return {
			message: 'This system has no systemd: `systemctl` was not found',
			remedy:
				'Have the service manager of this system start `sluice gateway run`, or use a container (docs/deployment.md)',
		};
	}

	if (!booted) {
		return {
			message: `systemd does not run this system, as in most containers (${said})`,
			remedy:
				'In a container make `sluice gateway run` its program; in WSL set `systemd=true` under [boot] of /etc/wsl.conf, and start WSL again',
		};
	}

	const message =
		runtimeDirectory === undefined
			? 'The systemd of this user cannot be reached: XDG_RUNTIME_DIR is not set, as after su or sudo'
			: `The systemd of this user cannot be reached: ${said}`;
	return {
		message,
		remedy: `Log in as this user through ssh and run it there, or first: sudo loginctl enable-linger ${uid}; export XDG_RUNTIME_DIR=/run/user/${uid}`,
	};
}

/** The name of the unit of a profile (docs/deployment.md, The unit). */
export function unitName(profile: string): string {
	return profile === defaultProfile ? 'sluice.service' : `sluice-${profile}.service`;
}

/** The shipped unit, for this program, state directory and profile; its comments explain its limits. */
export function unitText(shipped: string, target: ServiceTarget): string {
	const {root, profile, userHome, path, socket, stopSeconds} = target;
	const head = [
		`# ${writtenFor(root)}`,
		`# Changes of your own belong into a drop-in, which the next install keeps: systemctl --user edit ${unitName(profile)}`,
	];
	const body = shipped.slice(shipped.indexOf('[Unit]'));
	const home = root === join(userHome, '.sluice') ? '%h/.sluice' : unitWord(root);
	const lines = body.split('\n').flatMap(line => {
		if (line.startsWith('Description=') && profile !== defaultProfile) {
			return [`${line} (profile ${profile})`];
		}

		if (line.startsWith('ExecStart=')) {
			return [`ExecStart=${execLine(target.command)}`, `Environment=${unitWord(`PATH=${path}`)}`];
		}

		if (line.startsWith('ReadWritePaths=')) {
			return [`ReadWritePaths=${home}${socket === 'runtime' ? ' %t' : ''}`];
		}

		if (line.startsWith('TimeoutStopSec=')) {
			return [`TimeoutStopSec=${stopSeconds}`];
		}

		return [line];
	});
	return [...head, ...lines].join('\n');
}

/** A command line as `ExecStart=` takes it: systemd.service(5), Command lines. */
export function execLine([executable, ...words]: readonly [string, ...string[]]): string {
	const args = words.map(word => unitWord(word).replaceAll('$', '$$$$'));
	// systemd refuses quotes and back slashes in the name of an executable, and expands nothing in it.
	return /["'\\]/u.test(executable)
		? ['/usr/bin/env', unitWord(executable).replaceAll('$', '$$$$'), ...args].join(' ')
		: [unitWord(executable), ...args].join(' ');
}

/** A word of a unit: quoted where it has to be, `%` doubled (systemd.syntax(7), Quoting; systemd.unit(5), Specifiers). */
export function unitWord(word: string): string {
	const escaped = word.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`).replaceAll('%', '%%');
	return /^[\w@%+=:,./$-]+$/u.test(word) ? escaped : `"${escaped}"`;
}

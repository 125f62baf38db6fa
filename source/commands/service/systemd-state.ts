import {timeSpanSeconds} from './stop-time.ts';
import {type ServiceState} from './service-manager.ts';

/** The properties to ask `systemctl show` for. */
export const unitProperties = [
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
		'Run `sluice service install` again with the Node.js that is to be used',
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
		'oom-kill': 'It was ended for want of memory',
		timeout: 'It did not start or stop in time',
		'start-limit-hit': 'It failed too often in a short time',
	};
	return {message: words[result] ?? `systemd says: ${result}`};
}

/** The problem of a user's systemd that cannot be reached, with its remedy. `said`: the output of systemctl; undefined: not installed. */
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

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, openSync, closeSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const program = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const flags = ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];

/** A built gateway in a process of its own, on its own state directory, that may be ended and started again. */
export type GatewayProcess = {
	readonly name: string;
	readonly port: number;
	readonly home: string;
	readonly start: () => void;
	/** Ends it by SIGKILL, also while it is frozen; resolves when it is gone. */
	readonly kill: () => Promise<void>;
	/** Stops it in the middle of whatever it does. */
	readonly freeze: () => void;
	readonly thaw: () => void;
};

/** Writes the configuration and starts nothing yet. What the gateway prints is in `output.log` of its state directory. */
export function createGatewayProcess(options: {
	readonly name: string;
	readonly port: number;
	readonly home: string;
	readonly config: object;
	/** Configurations of further profiles. */
	readonly profiles?: Readonly<Record<string, object>>;
	readonly env?: Readonly<Record<string, string>> | undefined;
}): GatewayProcess {
	const {home, config, profiles = {}, env} = options;
	mkdirSync(home, {recursive: true});
	writeFileSync(join(home, 'config.yaml'), JSON.stringify(config));
	for (const [name, profile] of Object.entries(profiles)) {
		mkdirSync(join(home, 'profiles', name), {recursive: true});
		writeFileSync(join(home, 'profiles', name, 'config.yaml'), JSON.stringify(profile));
	}

	let child: ChildProcess | undefined;
	// Whatever ends this process, the gateway does not outlive it.
	const endWithUs = () => void child?.kill('SIGKILL');
	process.on('exit', endWithUs);
	const end = async (signal: NodeJS.Signals) => {
		if (child && child.exitCode === null && child.signalCode === null) {
			const ended = once(child, 'exit');
			child.kill(signal);
			await ended;
		}
	};

	return {
		...options,
		start() {
			const output = openSync(join(home, 'output.log'), 'a');
			child = spawn(process.execPath, [...flags, program, 'gateway', 'run'], {
				cwd: home,
				env: {PATH: process.env['PATH'], HOME: home, SLUICE_HOME: home, LANG: 'C.UTF-8', ...env},
				stdio: ['ignore', output, output],
			});
			closeSync(output);
		},
		kill: () => end('SIGKILL'),
		freeze: () => void child?.kill('SIGSTOP'),
		thaw: () => void child?.kill('SIGCONT'),
	};
}

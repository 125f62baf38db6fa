import {spawn} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {constants} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, vi} from 'vitest';
import {onTestFinished} from './on-test-finished.ts';
import {temporaryDirectory} from './temporary-directory.ts';
import {openTerminal, type Terminal} from './terminal.ts';

/** The program as a person starts it: built, on the Node.js that runs the tests. */
export const program = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
/** The flags of Node.js for it. */
export const nodeFlags = ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];

/** Longer than a loaded machine takes: what a test waits for has come in a moment, or never does. */
const patienceMilliseconds = 25_000;

/** Of the warning in the log about a terminal that does not report what it shows. */
export const silentTerminalText = 'this terminal does not confirm its output';

/** Where a program that was started keeps its things, and what it finds around it. */
export type Surroundings = {
	/** The state directory. */
	readonly home: string;
	readonly env?: Readonly<Record<string, string>>;
	/** The limit of files and connections that are open at once. Default: as many as the test runner. */
	readonly openFiles?: number;
	/** The text on stdin. Default: there is none. */
	readonly input?: string;
};

/** The end of a program. `code` is 128 and the signal's number for one that a signal ended. */
export type Ending = {readonly code: number; readonly stdout: string; readonly stderr: string};

/** A program without a terminal. */
export type Running = {
	readonly pid: number;
	/** Waits for a line on stdout, past or future. Rejects with all output when it does not come in time. */
	readonly waitForLine: (text: string | RegExp) => Promise<string>;
	/** The same for a text on stderr. */
	readonly waitForNotice: (text: string) => Promise<void>;
	readonly signal: (signal: NodeJS.Signals) => void;
	readonly end: Promise<Ending>;
};

/** A fresh state directory with a `config.yaml`, given as text or as the value it stands for, and lines for `.env`. */
export function stateDirectory(config?: string | object, env?: string): string {
	const home = temporaryDirectory();
	if (config !== undefined) {
		writeConfig(home, config);
	}

	if (env !== undefined) {
		writeFileSync(join(home, '.env'), env, {mode: 0o600});
	}

	return home;
}

/** Writes `config.yaml` as an editor would. JSON is YAML too. */
export function writeConfig(home: string, config: string | object): void {
	// Tests run side by side: none may take the port of the endpoint.
	const text =
		typeof config === 'string' ? config : JSON.stringify({gateway: {endpoint: {port: 0}}, ...config}, null, 2);
	writeFileSync(join(home, 'config.yaml'), text, {mode: 0o600});
}

/** The text of a file of the state directory; empty when there is none. */
export function readState(home: string, file: string): string {
	const path = join(home, file);
	return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Opens the dashboard in a pseudo terminal, 80x24 unless said otherwise. */
export function openDashboard(
	{home, env}: Surroundings,
	options: Pick<Parameters<typeof openTerminal>[0], 'columns' | 'rows' | 'args' | 'isSilent' | 'background'> = {},
): Terminal {
	const {args = [], ...terminal} = options;
	return openTerminal({
		command: process.execPath,
		args: [...nodeFlags, builtProgram(), ...args],
		cwd: temporaryDirectory(),
		env: {...environment(home), ...env},
		...terminal,
	});
}

/** Starts a command on a terminal, with a person in front of it. */
export function typeSluice({home, env}: Surroundings, ...args: readonly string[]): Terminal {
	return openTerminal({
		command: process.execPath,
		args: [...nodeFlags, builtProgram(), ...args],
		cwd: temporaryDirectory(),
		columns: 100,
		rows: 40,
		env: {...environment(home), ...env},
	});
}

/** Presses a key until the screen holds the text: a dashboard takes no keys in its first 300 ms, and a person presses again. */
export async function pressUntil(dashboard: Terminal, key: string, text: string | RegExp): Promise<void> {
	for (let attempt = 0; attempt < 5; attempt++) {
		dashboard.press(key);
		try {
			await dashboard.waitFor(text, 1000);
			return;
		} catch {
			// Not taken; once more.
		}
	}

	await dashboard.waitFor(text);
}

/** The address at which webhooks are taken, once the first line of a dashboard tells it. */
export async function webhookAddress(dashboard: Terminal): Promise<string> {
	const port = /:(?<port>\d+) (?:up|listening)/;
	await dashboard.waitFor(port);
	return `http://127.0.0.1:${port.exec(dashboard.screen()[0] ?? '')?.groups?.['port']}`;
}

/** Starts a command. It is killed when the test ends. */
export function startSluice({home, env, openFiles, input}: Surroundings, ...args: readonly string[]): Running {
	const command = [process.execPath, ...nodeFlags, builtProgram(), ...args];
	const limited =
		openFiles === undefined ? command : ['sh', '-c', 'ulimit -n "$0"; exec "$@"', String(openFiles), ...command];
	const child = spawn(limited[0] ?? '', limited.slice(1), {
		cwd: temporaryDirectory(),
		env: {...environment(home), ...env},
		stdio: 'pipe',
	});
	child.stdin.end(input);
	let stdout = '';
	let stderr = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
	const end = new Promise<Ending>(resolve => {
		child.once('close', (code, signal) => resolve({code: code ?? 128 + numberOf(signal), stdout, stderr}));
	});
	onTestFinished(() => void child.kill('SIGKILL'));

	return {
		pid: child.pid ?? 0,
		signal: signal => void child.kill(signal),
		end,
		waitForLine: text => lineOf(() => ({stdout, stderr}), text),
		waitForNotice: text =>
			vi.waitFor(() => expect(stderr).toContain(text), {timeout: patienceMilliseconds, interval: 20}),
	};
}

/** Waits for a line on stdout, past or future. Rejects with all output when it does not come in time. */
export function lineOf(output: () => Pick<Ending, 'stdout' | 'stderr'>, text: string | RegExp): Promise<string> {
	const find = () => {
		const {stdout, stderr} = output();
		// The text after the last line break may be half a line.
		const lines = stdout.split('\n').slice(0, -1);
		const line = lines.find(one => (typeof text === 'string' ? one.includes(text) : text.test(one)));
		if (line === undefined) {
			throw new Error(`There is no line with ${String(text)} in:\n${stdout}${stderr}`);
		}

		return line;
	};

	return vi.waitFor(find, {timeout: patienceMilliseconds, interval: 20});
}

/** Runs a command to its end. */
export function sluice(surroundings: Surroundings, ...args: readonly string[]): Promise<Ending> {
	return startSluice(surroundings, ...args).end;
}

/** Runs a listing command and answers the one JSON document it prints. */
export async function sluiceJson(surroundings: Surroundings, ...args: readonly string[]): Promise<unknown> {
	const {stdout} = await sluice(surroundings, ...args, '--json');
	return JSON.parse(stdout);
}

function builtProgram(): string {
	if (!existsSync(program)) {
		throw new Error('Stories need the built program: npm run build');
	}

	return program;
}

/** Nothing of the test runner's environment but what programs need to start. */
export function environment(home: string): Record<string, string> {
	return {PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', SLUICE_HOME: home};
}

/** The number of a signal. */
export function numberOf(signal: NodeJS.Signals | null): number {
	return signal === null ? 0 : (constants.signals[signal] ?? 0);
}

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as wait} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {spawn as openTerminal} from '@lydell/node-pty';
import {isJsonObject} from '../../source/util/json-text.ts';
import {fixture} from '../helpers/fixture-program.ts';
import {freePort} from '../helpers/free-port.ts';
import {openProvider} from './provider.ts';
import {type RealProgram} from './real-programs.ts';

export type TrialOptions = {
	/** The folder with its package. */
	readonly folder: string;
	readonly way: 'stdio' | 'http';
	/** The seconds for which a person lets the call wait. */
	readonly waitSeconds: number;
	/** `removed`: the program has to know by the progress alone that the call is alive. */
	readonly timeout: 'written' | 'removed';
};

/** The end of one call that waited for a person, in a program. */
export type Verdict = {
	readonly program: string;
	readonly outcome: 'answered' | 'gave up' | 'not called' | 'not answered';
	/** Seconds from its start until the call asked. */
	readonly arrivedSeconds?: number;
	/** Seconds that the call waited. */
	readonly waitedSeconds?: number;
	readonly notes: readonly string[];
};

const sluice = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const prompt = 'Append the word sown to the file of the garden, with the tool append.';
/** A program that has not called by then does not call; one that has its answer ends soon. */
const [callSeconds, endSeconds] = [90, 60];

/** A new user connects the program to Sluice, lets it make one call, and allows the call after a while. Leaves nothing behind. */
export async function tryProgram(program: RealProgram, options: TrialOptions): Promise<Verdict> {
	const home = mkdtempSync(join(tmpdir(), `sluice-try-${program.name}-`));
	const file = join(home, 'garden.txt');
	const provider = await openProvider('append', {file, text: 'sown'});
	const shell = openShell(home, options.folder);
	try {
		await prepare(home, program.files(provider.url));
		const gateway = shell.start(process.execPath, [sluice, 'gateway', 'run', '--log', 'json']);
		const events = eventsOf(gateway);
		await events.next(({type, state}) => type === 'server.state' && state === 'connected');
		const words = ['connect', program.name, '--trust', ...(options.way === 'http' ? ['--http'] : [])];
		const connected = await shell.sayYes([sluice, ...words]);
		if (options.timeout === 'removed') {
			const settings = join(home, program.settings);
			writeFileSync(settings, readFileSync(settings, 'utf8').replace(program.timeoutKey, ''));
		}

		const variables = {...program.environment(provider.url), ...tokenOf(home)};
		const command = join(options.folder, 'node_modules', '.bin', program.command);
		const began = performance.now();
		const running = outputOf(shell.start(command, program.words(prompt), variables));
		const asked = await Promise.race([
			events.next(({type}) => type === 'approval.requested'),
			running.ended,
			wait(callSeconds * 1000, 'silent' as const),
		]);
		if (typeof asked === 'string') {
			const requests = provider.requests().map(({path, tools}) => `${path} ${tools.join(' ')}`);
			return {program: program.name, outcome: 'not called', notes: [connected, await running.end(), ...requests]};
		}

		const [arrivedSeconds, arrived] = [secondsSince(began), performance.now()];
		const settled = events.next(({type}) => type === 'approval.settled');
		const left = await Promise.race([settled, wait(options.waitSeconds * 1000, 'waiting' as const)]);
		const times = {program: program.name, arrivedSeconds, waitedSeconds: secondsSince(arrived)};
		if (left !== 'waiting') {
			return {...times, outcome: 'gave up', notes: [await running.end()]};
		}

		const hash = String(asked['arguments_hash']);
		const allowed = await shell.run(process.execPath, [
			sluice,
			'approvals',
			'allow',
			String(asked['id']),
			'--hash',
			hash,
		]);
		const said = await running.end();
		const [result] = provider.results();
		const isDone = existsSync(file) && readFileSync(file, 'utf8') === 'sown' && result?.includes('done');
		return {
			...times,
			outcome: isDone ? 'answered' : 'not answered',
			notes: isDone ? [] : [allowed, said, result ?? ''],
		};
	} finally {
		shell.close();
		await provider.close();
		rmSync(home, {recursive: true, force: true, maxRetries: 10, retryDelay: 100});
	}
}

const secondsSince = (since: number) => Math.round((performance.now() - since) / 100) / 10;

/** Programs started in a fresh home folder; all that still run are killed when it closes. */
function openShell(home: string, folder: string) {
	const path = [join(folder, 'node_modules', '.bin'), dirname(process.execPath), process.env['PATH'] ?? ''];
	const env = {HOME: home, PATH: path.join(delimiter), LANG: 'C.UTF-8', TERM: 'dumb', NO_COLOR: '1'};
	const children: ChildProcess[] = [];
	const start = (command: string, words: readonly string[], more: Readonly<Record<string, string>> = {}) => {
		const child = spawn(command, words, {cwd: home, env: {...env, ...more}, stdio: ['ignore', 'pipe', 'pipe']});
		children.push(child);
		return child;
	};
	return {
		start,
		run: (command: string, words: readonly string[]) => outputOf(start(command, words)).end(),
		sayYes: (words: readonly string[]) => sayYes(words, {cwd: home, env}),
		close: () => children.forEach(child => child.kill('SIGKILL')),
	};
}

/** The end of a program, and what it printed until then. */
function outputOf(child: ChildProcess): {readonly ended: Promise<'ended'>; readonly end: () => Promise<string>} {
	let printed = '';
	[child.stdout, child.stderr].forEach(stream => stream?.on('data', data => (printed += String(data))));
	const ended = once(child, 'exit').then(() => 'ended' as const);
	return {
		ended,
		async end() {
			await Promise.race([ended, wait(endSeconds * 1000)]);
			child.kill('SIGKILL');
			return printed;
		},
	};
}

/** Runs a command on a terminal, with a person who answers every question with yes. */
function sayYes(
	words: readonly string[],
	options: {readonly cwd: string; readonly env: Record<string, string>},
): Promise<string> {
	const terminal = openTerminal(process.execPath, [...words], {...options, cols: 200, rows: 50});
	let shown = '';
	terminal.onData(data => {
		shown += data;
		if (/\[y\/N\]\s*$/u.test(shown)) {
			terminal.write('y\r');
			shown += '\n';
		}
	});
	return new Promise(resolve => void terminal.onExit(() => resolve(shown)));
}

/** A state directory as after `sluice mcp add`, and the files of the program. */
async function prepare(home: string, files: Readonly<Record<string, string>>): Promise<void> {
	const garden = {command: process.execPath, args: [fixture('mcp-plain.ts')], trust: 'untrusted'};
	const config = {
		mcp_servers: {garden},
		approvals: {unattended: 'hold', timeout: 3600},
		gateway: {endpoint: {port: await freePort()}},
	};
	for (const [name, content] of Object.entries({...files, '.sluice/config.yaml': JSON.stringify(config)})) {
		mkdirSync(dirname(join(home, name)), {recursive: true});
		writeFileSync(join(home, name), content);
	}
}

type Event = Readonly<Record<string, unknown>>;

/** The events of a gateway, as they come. */
function eventsOf(gateway: ChildProcess): {readonly next: (matches: (event: Event) => boolean) => Promise<Event>} {
	const seen: Event[] = [];
	const waiting = new Set<() => void>();
	const lines = createInterface({input: gateway.stdout ?? process.stdin});
	lines.on('line', line => {
		const event: unknown = JSON.parse(line);
		if (isJsonObject(event)) {
			seen.push(event);
			waiting.forEach(look => look());
		}
	});
	return {
		next: matches =>
			new Promise(resolve => {
				const look = () => {
					const found = seen.find(matches);
					if (found) {
						waiting.delete(look);
						resolve(found);
					}
				};
				waiting.add(look);
				look();
			}),
	};
}

/** The variable that a program over HTTP reads its token from, as a user sets it. */
function tokenOf(home: string): Readonly<Record<string, string>> {
	const file = join(home, '.sluice', '.env');
	const found = existsSync(file) ? /^(SLUICE_CLIENT_\w+)=(.*)$/mu.exec(readFileSync(file, 'utf8')) : null;
	return found?.[1] === undefined ? {} : {[found[1]]: found[2] ?? ''};
}

import {execFileSync, spawn} from 'node:child_process';
import {closeSync, constants, openSync, readFileSync, readSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {expect, vi} from 'vitest';
import {onTestFinished} from './on-test-finished.ts';
import {environment, nodeFlags, numberOf, program, type Surroundings} from './sluice.ts';
import {temporaryDirectory} from './temporary-directory.ts';

/** A program one of whose outputs is a pipe of the system that holds 64 KB and is read when the test reads it. */
export type PipedSluice = {
	readonly signal: (signal: NodeJS.Signals) => void;
	/** The next bytes; undefined at the end. */
	readonly read: (maxBytes: number) => Promise<string | undefined>;
	/** Everything from here to the end. */
	readonly readAll: () => Promise<string>;
	/** Resolves once the program waits and has used no processor time for a quarter of a second. */
	readonly untilIdle: () => Promise<void>;
	/** Closes the reading end. */
	readonly leave: () => void;
	/** The exit code as shells count it, and the text of the output that is no such pipe. */
	readonly end: Promise<{readonly code: number; readonly other: string}>;
};

/** The capacity of a pipe of Linux. */
export const pipeBytes = 65_536;

/** Starts a command with such a pipe, empty for stdout, full already for stderr; it is killed when the test ends. */
export function pipeSluice(
	{home, env}: Surroundings,
	output: 'stdout' | 'full stderr',
	...args: readonly string[]
): PipedSluice {
	const path = join(temporaryDirectory(), 'pipe');
	execFileSync('mkfifo', [path]);
	// Without waiting for the other end, which comes with the next line.
	let reading: number | undefined = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	const writing = openSync(path, constants.O_WRONLY);
	if (output === 'full stderr') {
		writeSync(writing, 'x'.repeat(pipeBytes));
	}

	const stdio: Array<'ignore' | 'pipe' | number> =
		output === 'stdout' ? ['ignore', writing, 'pipe'] : ['ignore', 'pipe', writing];
	const child = spawn(process.execPath, [...nodeFlags, program, ...args], {
		cwd: temporaryDirectory(),
		env: {...environment(home), ...env},
		stdio,
	});
	closeSync(writing);
	let other = '';
	(child.stdout ?? child.stderr)?.setEncoding('utf8').on('data', (text: string) => void (other += text));
	const leave = () => {
		if (reading !== undefined) {
			closeSync(reading);
			reading = undefined;
		}
	};

	onTestFinished(() => {
		child.kill('SIGKILL');
		leave();
	});

	const readBytes = async (maxBytes: number): Promise<Buffer | undefined> => {
		const buffer = Buffer.alloc(maxBytes);
		for (;;) {
			const length = tryRead(reading, buffer);
			if (length !== 'nothing yet') {
				return length === 0 ? undefined : buffer.subarray(0, length);
			}

			// A pipe that is read without blocking has no event for new bytes.
			await new Promise(resolve => setTimeout(resolve, 2));
		}
	};

	return {
		signal: signal => void child.kill(signal),
		read: async maxBytes => (await readBytes(maxBytes))?.toString('utf8'),
		async readAll() {
			const pieces: Buffer[] = [];
			for (let piece = await readBytes(4096); piece !== undefined; piece = await readBytes(4096)) {
				pieces.push(piece);
			}

			return Buffer.concat(pieces).toString('utf8');
		},
		untilIdle: () => untilIdle(child.pid ?? 0),
		leave,
		end: new Promise(resolve => {
			child.once('close', (code, signal) => resolve({code: code ?? 128 + numberOf(signal), other}));
		}),
	};
}

function tryRead(descriptor: number | undefined, buffer: Buffer): number | 'nothing yet' {
	try {
		return descriptor === undefined ? 0 : readSync(descriptor, buffer);
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') {
			return 'nothing yet';
		}

		throw error;
	}
}

function untilIdle(pid: number): Promise<void> {
	let before = '';
	const isIdle = () => {
		// Behind the name in brackets: the state is field 3 of the file, the ticks of user and system are fields 14 and 15.
		const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
			.replace(/^.*\) /su, '')
			.split(' ');
		const used = fields.slice(11, 13).join(' ');
		const isSame = used === before;
		before = used;
		expect([fields[0], isSame]).toEqual(['S', true]);
	};
	return vi.waitFor(isIdle, {interval: 250, timeout: 25_000});
}

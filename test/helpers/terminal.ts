import {closeSync, constants, openSync, writeSync} from 'node:fs';
import {Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import {spawn} from '@lydell/node-pty';
import {Terminal as Screen} from '@xterm/headless';
import {onTestFinished} from './on-test-finished.ts';

/** A program in a real pseudo terminal, with the screen a person would see. */
export type Terminal = {
	readonly pid: number;
	/** Waits until a complete frame holds the text. Rejects with the screen as it is after `timeoutMilliseconds` (default 25 s). */
	readonly waitFor: (text: string | RegExp, timeoutMilliseconds?: number) => Promise<void>;
	/** The visible rows, without blanks at their ends. */
	readonly screen: () => string[];
	/** The number of them that continue the row above. */
	readonly wrappedRows: () => number;
	/** Types; control keys as the bytes a terminal sends (`\u0003` for Ctrl-C). */
	readonly press: (keys: string) => void;
	readonly resize: (columns: number, rows: number) => void;
	/** Stops reading what the program writes, until `read` is called: a terminal that hangs. */
	readonly stall: () => void;
	/** Stops reading, and fills what the system keeps for a terminal: from here on it takes no byte. */
	readonly fill: () => Promise<void>;
	/** True if it takes no byte now. */
	readonly isFull: () => boolean;
	readonly read: () => void;
	/** Resolves with the exit code, or 128 and the signal's number, as shells count it, once the screen holds all that was written. */
	readonly exit: Promise<number>;
	readonly kill: (signal?: NodeJS.Signals) => void;
	/** Everything the program wrote, escape sequences included. */
	readonly bytes: () => string;
	/** The number of its reports of the cursor position. */
	readonly answers: () => number;
	/** True while the program shows the alternate screen. */
	readonly isAlternate: () => boolean;
};

/** Starts a program in a pseudo terminal of that size (default 80x24). It is killed when the test ends. */
export function openTerminal(options: {
	readonly command: string;
	readonly args?: readonly string[];
	readonly columns?: number;
	readonly rows?: number;
	readonly env?: Readonly<Record<string, string>>;
	readonly cwd?: string;
	/** It responds to no request of the program. */
	readonly isSilent?: boolean;
	/** The reply to a request for its background; default: that of a black one. */
	readonly background?: string;
}): Terminal {
	const {command, args = [], columns = 80, rows = 24, env = {}, cwd = process.cwd(), isSilent = false} = options;
	const {background = 'rgb:0000/0000/0000'} = options;
	const screen = new Screen({cols: columns, rows, allowProposedApi: true});
	const program = spawn(command, [...args], {
		name: 'xterm-256color',
		cols: columns,
		rows,
		cwd,
		// Nothing of the test runner's environment but what programs need to start.
		env: {PATH: process.env['PATH'], HOME: cwd, LANG: 'C.UTF-8', TERM: 'xterm-256color', ...env},
	});
	readToTheEnd(program);
	let bytes = '';
	let ended = false;
	let isOpen = true;
	program.onData(text => {
		bytes += text;
		screen.write(text);
	});
	// The program's questions to its terminal (where is the cursor, which colours) are answered as a terminal would.
	let answers = 0;
	screen.onData(answer => {
		if (!ended && !isSilent) {
			answers += answer.endsWith('R') ? 1 : 0;
			program.write(answer);
		}
	});
	screen.parser.registerOscHandler(11, asked => {
		if (asked === '?' && !isSilent && !ended) {
			program.write(`\u001B]11;${background}\u0007`);
		}

		return true;
	});
	const exit = new Promise<number>(resolve => {
		program.onExit(({exitCode, signal}) => {
			ended = true;
			const code = signal ? 128 + signal : exitCode;
			// The last bytes may still have to be parsed.
			if (isOpen) {
				screen.write('', () => resolve(code));
			} else {
				resolve(code);
			}
		});
	});
	const kill = (signal: NodeJS.Signals = 'SIGTERM') => {
		if (!ended) {
			program.kill(signal);
		}
	};

	onTestFinished(() => {
		kill('SIGKILL');
		isOpen = false;
		screen.dispose();
	});

	const visible = () => {
		const {active} = screen.buffer;
		return Array.from(
			{length: screen.rows},
			(_, row) =>
				active
					.getLine(active.viewportY + row)
					?.translateToString()
					.trimEnd() ?? '',
		);
	};

	const wrappedRows = () => {
		const {active} = screen.buffer;
		const rows = Array.from({length: screen.rows}, (_, row) => active.getLine(active.viewportY + row));
		return rows.filter(line => line?.isWrapped).length;
	};

	return {
		pid: program.pid,
		waitFor: (text, timeoutMilliseconds = 25_000) => waitForText({text, timeoutMilliseconds, screen, visible, exit}),
		screen: visible,
		wrappedRows,
		press: keys => program.write(keys),
		resize(newColumns, newRows) {
			screen.resize(newColumns, newRows);
			program.resize(newColumns, newRows);
		},
		stall: () => program.pause(),
		async fill() {
			program.pause();
			// The system moves bytes on behind a write that it refused, and then has room again: only time shows that it does not.
			for (let rounds = 0; rounds < 5; rounds = writeUntilFull(program.pid) === 0 ? rounds + 1 : 0) {
				await sleep(10);
			}
		},
		isFull: () => writeUntilFull(program.pid) === 0,
		read: () => program.resume(),
		exit,
		kill,
		bytes: () => bytes,
		answers: () => answers,
		isAlternate: () => screen.buffer.active.type === 'alternate',
	};
}

/** The library destroys its socket 200 ms after the end of the program, read or not: on a busy machine the last words were lost. */
function readToTheEnd(program: object): void {
	const socket: unknown = Reflect.get(program, '_socket');
	if (!(socket instanceof Socket)) {
		throw new TypeError('The terminal has no socket');
	}

	const destroy = socket.destroy.bind(socket);
	socket.destroy = error => {
		setTimeout(() => destroy(error), 3000).unref();
		return socket;
	};
}

/** Writes bytes that no terminal shows to the terminal of a process, until it takes no more; answers how many it took. */
function writeUntilFull(pid: number): number {
	const {O_WRONLY, O_NONBLOCK, O_NOCTTY} = constants;
	const descriptor = openSync(`/proc/${pid}/fd/1`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
	let taken = 0;
	try {
		for (;;) {
			taken += writeSync(descriptor, '\0'.repeat(4096));
		}
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') {
			return taken;
		}

		throw error;
	} finally {
		closeSync(descriptor);
	}
}

type Wait = {
	readonly text: string | RegExp;
	readonly timeoutMilliseconds: number;
	readonly screen: Screen;
	readonly visible: () => string[];
	readonly exit: Promise<number>;
};

function waitForText({text, timeoutMilliseconds, screen, visible, exit}: Wait): Promise<void> {
	return new Promise((resolve, reject) => {
		const isThere = () => {
			const shown = visible().join('\n');
			return typeof text === 'string' ? shown.includes(text) : text.test(shown);
		};

		// Within a synchronized update a frame is there in part: its title is new and its rows are still the old ones.
		const isComplete = () => !screen.modes.synchronizedOutputMode;

		const finish = (why: string | undefined) => {
			clearTimeout(timer);
			listener.dispose();
			if (why === undefined) {
				resolve();
			} else {
				reject(new Error(`${why} without showing ${String(text)}; the screen is:\n${visible().join('\n')}`));
			}
		};

		const timer = setTimeout(() => finish(`${timeoutMilliseconds} ms passed`), timeoutMilliseconds);
		const listener = screen.onWriteParsed(() => {
			if (isComplete() && isThere()) {
				finish(undefined);
			}
		});
		// The last bytes may still have to be parsed.
		void exit.then(code => screen.write('', () => finish(isThere() ? undefined : `The program ended with ${code}`)));
		if (isComplete() && isThere()) {
			finish(undefined);
		}
	});
}

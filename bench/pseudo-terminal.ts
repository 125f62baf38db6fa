import {spawn} from '@lydell/node-pty';
import {positionReportRequest} from '../source/tui/terminal/position-reports.ts';

/** A program in a pseudo terminal that only counts and times bytes; nothing is parsed, so that the measuring costs little. */
export type PseudoTerminal = {
	readonly pid: number;
	/** Milliseconds from the start of the program to the first bytes that contain the text. */
	readonly firstBytesWith: (text: string) => Promise<number>;
	/** Types, and answers the milliseconds until bytes with the text come. */
	readonly press: (key: string, text: string) => Promise<number>;
	/** Types until bytes with the text come: a dashboard drops keys of its first moments. */
	readonly pressUntil: (key: string, text: string) => Promise<void>;
	readonly type: (keys: string) => void;
	readonly stall: () => void;
	readonly read: () => void;
	readonly bytes: () => number;
	readonly end: () => Promise<void>;
};

const patienceMilliseconds = 10_000;
const repeatMilliseconds = 50;

/** Starts a program at 120x40, the size all numbers are meant for. */
export function openPseudoTerminal(args: readonly string[], env: Readonly<Record<string, string>>): PseudoTerminal {
	const startedAt = performance.now();
	const program = spawn(process.execPath, ['--max-semi-space-size=8', ...args], {
		name: 'xterm-256color',
		cols: 120,
		rows: 40,
		env: {PATH: process.env['PATH'], LANG: 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: 'truecolor', ...env},
	});
	let bytes = 0;
	let tail = '';
	let onText: (() => void) | undefined;
	let unasked = '';
	/** Says where the cursor is as often as it is asked, as every terminal does; the question may come in pieces. */
	const answer = (text: string) => {
		const parts = (unasked + text).split(positionReportRequest);
		parts.slice(1).forEach(() => program.write('\u001B[?40;120R'));
		unasked = (parts.at(-1) ?? '').slice(-positionReportRequest.length + 1);
	};

	program.onData(text => {
		bytes += text.length;
		tail = (tail + text).slice(-65_536);
		answer(text);
		onText?.();
	});
	const exited = new Promise<void>(resolve => {
		program.onExit(() => resolve());
	});

	const waitFor = (text: string, since: number): Promise<number> =>
		new Promise((resolve, reject) => {
			const timer = setTimeout(
				() => reject(new Error(`No bytes with "${text}"; last: ${JSON.stringify(tail.slice(-300))}`)),
				patienceMilliseconds,
			);
			onText = () => {
				if (tail.includes(text)) {
					clearTimeout(timer);
					onText = undefined;
					resolve(performance.now() - since);
				}
			};
			onText();
		});

	return {
		pid: program.pid,
		firstBytesWith: text => waitFor(text, startedAt),
		press(key, text) {
			tail = '';
			const pressedAt = performance.now();
			program.write(key);
			return waitFor(text, pressedAt);
		},
		async pressUntil(key, text) {
			tail = '';
			const again = setInterval(() => program.write(key), repeatMilliseconds);
			await waitFor(text, startedAt).finally(() => clearInterval(again));
		},
		type: keys => program.write(keys),
		stall: () => program.pause(),
		read: () => program.resume(),
		bytes: () => bytes,
		async end() {
			program.resume();
			program.kill('SIGTERM');
			const timer = setTimeout(() => program.kill('SIGKILL'), 5000);
			await exited;
			clearTimeout(timer);
		},
	};
}

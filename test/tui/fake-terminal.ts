import {EventEmitter} from 'node:events';
import {type Terminal as TerminalType} from '@xterm/headless';
import xterm from '@xterm/headless';
import {type TerminalOutput} from '../../source/tui/terminal/terminal-output.ts';

/** A terminal of a given size that understands what is written to it. */
export type FakeTerminal = {
	readonly output: TerminalOutput;
	readonly stdin: NodeJS.ReadStream;
	/** The rows on the screen, without trailing blanks. */
	readonly rows: () => Promise<string[]>;
	readonly text: () => Promise<string>;
	/** Sends keys as one chunk. */
	readonly type: (chunk: string) => void;
	readonly resize: (columns: number, rows: number) => void;
	/** Makes the terminal stop or go on taking bytes. */
	readonly stall: (stalled: boolean) => void;
	/** Makes the terminal keep its answers back, or hand them over and go on answering. */
	readonly answer: (answering: boolean) => void;
	/** Number of questions of the program that it has answered. */
	readonly answers: () => number;
	/** Everything that was written. */
	readonly written: () => string;
	readonly restored: () => number;
};

/** Opens a terminal. */
export function openFakeTerminal(columns: number, rows: number): FakeTerminal {
	const terminal: TerminalType = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
	const stdin = fakeStdin();
	// A question of the program is answered where the terminal comes to it, as any terminal does.
	let answering = true;
	const unsent: string[] = [];
	let answers = 0;
	const sendAnswers = () => {
		if (answering) {
			unsent.splice(0).forEach(text => {
				answers++;
				stdin.type(text);
			});
		}
	};
	terminal.onData(answer => {
		unsent.push(answer);
		sendAnswers();
	});
	let written = '';
	let stalled = false;
	let restored = 0;
	const stream = Object.assign(new EventEmitter(), {
		columns,
		rows,
		isTTY: true,
		writable: true,
		writableLength: 0,
		write(text: string, done?: () => void) {
			written += text;
			terminal.write(text.replaceAll(/(?<!\r)\n/gu, '\r\n'));
			done?.();
			return true;
		},
	});
	const readRows = async () => {
		await new Promise<void>(resolve => terminal.write('', resolve));
		const {buffer} = terminal;
		return Array.from(
			{length: terminal.rows},
			(_, row) => buffer.active.getLine(buffer.active.viewportY + row)?.translateToString(true) ?? '',
		);
	};
	return {
		output: {
			// Only what Ink and the dashboard use of a terminal.
			stream: stream as unknown as NodeJS.WriteStream,
			isBlocked: () => stalled,
			retake() {},
			restore(undo = '') {
				restored++;
				written += undo;
			},
		},
		stdin: stdin.stream,
		rows: readRows,
		text: async () => (await readRows()).join('\n'),
		type: chunk => stdin.type(chunk),
		resize(newColumns, newRows) {
			terminal.resize(newColumns, newRows);
			Object.assign(stream, {columns: newColumns, rows: newRows});
			stream.emit('resize');
		},
		stall(isStalled) {
			stalled = isStalled;
		},
		answer(isAnswering) {
			answering = isAnswering;
			sendAnswers();
		},
		answers: () => answers,
		written: () => written,
		restored: () => restored,
	};
}

function fakeStdin() {
	let waiting: string | null = null;
	const emitter = Object.assign(new EventEmitter(), {
		isTTY: true,
		setEncoding() {},
		setRawMode() {},
		ref() {},
		unref() {},
		resume() {},
		pause() {},
		read() {
			const chunk = waiting;
			waiting = null;
			return chunk;
		},
	});
	return {
		// Only what Ink and the dashboard use of a terminal.
		stream: emitter as unknown as NodeJS.ReadStream,
		type(chunk: string) {
			waiting = (waiting ?? '') + chunk;
			emitter.emit('readable');
		},
	};
}

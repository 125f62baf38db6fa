import {createInterface, type Interface} from 'node:readline/promises';
import {Writable} from 'node:stream';
import {type Clock, sleep} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';

/** A conversation with the person at the terminal. Ctrl-C and the end of the input reject every question with `cancelled`. */
export type Dialog = {
	/** Asks for a line; an empty one is the fallback. */
	readonly ask: (question: string, fallback?: string) => Promise<string>;
	/** The same without showing what is typed. */
	readonly askSecret: (question: string) => Promise<string>;
	readonly confirm: (question: string, fallback: 'yes' | 'no') => Promise<boolean>;
	/** Leaves the terminal to `use` until that has settled. */
	readonly pause: <Result>(use: () => Promise<Result>) => Promise<Result>;
	readonly close: () => void;
};

/** A person's answer to a question; `no-terminal`: nobody could be asked. */
export type Confirmation = 'yes' | 'no' | 'no-terminal';

/** Opens a dialog on the terminal; questions go to stderr. Undefined when there is no terminal. */
export function openDialog(signal: AbortSignal): Dialog | undefined {
	if (!process.stdin.isTTY || !process.stderr.isTTY) {
		return undefined;
	}

	let echo: 'shown' | 'hidden' = 'shown';
	const output = new Writable({
		write(chunk: Buffer, _encoding, done) {
			if (echo === 'shown') {
				process.stderr.write(chunk);
			}

			done();
		},
	});
	const open = () => createInterface({input: process.stdin, output, terminal: true, historySize: 0});
	let reader = open();
	let ended = endOf(reader);
	const line = async (text: string) => {
		try {
			const answer = await Promise.race([reader.question(text, {signal}), ended]);
			return answer.trim();
		} catch {
			process.stderr.write('\n');
			throw nothingChanged();
		}
	};

	return {
		ask: async (question, fallback = '') =>
			(await line(`${question}${fallback ? ` [${fallback}]` : ''}: `)) || fallback,
		async askSecret(question) {
			// The question itself is written past the reader, which is muted until the line is there.
			process.stderr.write(`${question}: `);
			echo = 'hidden';
			try {
				return await line('');
			} finally {
				echo = 'shown';
				process.stderr.write('\n');
			}
		},
		async confirm(question, fallback) {
			const answer = await line(`${question} ${fallback === 'yes' ? '[Y/n]' : '[y/N]'} `);
			return answer === '' ? fallback === 'yes' : /^y(es)?$/iu.test(answer);
		},
		async pause(use) {
			reader.close();
			try {
				return await use();
			} finally {
				reader = open();
				ended = endOf(reader);
			}
		},
		close: () => reader.close(),
	};
}

/** Rejects when the reader is closed from the other side. */
function endOf(reader: Interface): Promise<never> {
	const ended = new Promise<never>((_resolve, reject) => {
		reader.once('close', () => reject(nothingChanged()));
	});
	// The end is an error only for a question that is asked; without one, nobody handles it.
	ended.catch(() => undefined);
	return ended;
}

function nothingChanged(): Problem {
	return new Problem('cancelled', {message: 'Nothing was changed'});
}

/** Milliseconds within which text typed before a question arrives; it is dropped. */
const typedAheadMilliseconds = 300;

/**
Asks on the terminal; anything but y or yes is no, and so is the end of the input. What was typed before the question is on the screen answers
nothing: nobody agrees to what was not shown.
*/
export async function confirm(question: string, signal: AbortSignal, clock: Clock): Promise<Confirmation> {
	if (!process.stdin.isTTY || !process.stderr.isTTY) {
		return 'no-terminal';
	}

	const reader = createInterface({input: process.stdin, output: process.stderr});
	// The end of the input answers nothing by itself.
	const ended = new Promise<string>(resolve => reader.once('close', () => resolve('')));
	try {
		// Lines that nobody asked for go nowhere; the rest of one is erased as Ctrl-U does.
		const early = await Promise.race([ended, sleep(clock, typedAheadMilliseconds, signal)]);
		if (early !== undefined) {
			return 'no';
		}

		reader.write(null, {ctrl: true, name: 'u'});
		const answer = await Promise.race([reader.question(`${question} [y/N] `, {signal}), ended]);
		return /^y(es)?$/iu.test(answer.trim()) ? 'yes' : 'no';
	} finally {
		reader.close();
	}
}

import {createInterface} from 'node:readline/promises';

/** A person's answer to a question; `no-terminal`: nobody could be asked. */
export type Confirmation = 'yes' | 'no' | 'no-terminal';

/** Asks on the terminal; anything but y or yes is no, and so is the end of the input. */
export async function confirm(question: string, signal: AbortSignal): Promise<Confirmation> {
	if (!process.stdin.isTTY || !process.stderr.isTTY) {
		return 'no-terminal';
	}

	const reader = createInterface({input: process.stdin, output: process.stderr});
	// The end of the input answers nothing by itself.
	const ended = new Promise<string>(resolve => reader.once('close', () => resolve('')));
	try {
		const answer = await Promise.race([reader.question(`${question} [y/N] `, {signal}), ended]);
		return /^y(es)?$/iu.test(answer.trim()) ? 'yes' : 'no';
	} finally {
		reader.close();
	}
}

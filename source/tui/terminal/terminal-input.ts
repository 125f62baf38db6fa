import {type Clock, type Timer} from '../../util/clock.ts';
import {type TerminalAnswer} from './position-reports.ts';
import {createAnswerReader} from './terminal-answers.ts';

/** The keyboard as the window reads it: what the terminal answers goes another way. */
export type TerminalInput = {
	/** For Ink: the terminal's input without the answers. */
	readonly stream: NodeJS.ReadStream;
	readonly close: () => void;
};

/** How long an escape may turn out to be the beginning of an answer. */
const escapeMilliseconds = 100;

/** Opens the input of a terminal. No answer reaches a key, however it was cut on its way. */
export function openTerminalInput(options: {
	readonly stdin: NodeJS.ReadStream;
	readonly clock: Clock;
	readonly awaitsAnswer: () => boolean;
	readonly onAnswer: (answer: TerminalAnswer) => void;
}): TerminalInput {
	const {stdin, clock, awaitsAnswer, onAnswer} = options;
	const reader = createAnswerReader();
	let released = '';
	let timer: Timer | undefined;

	const releaseLater = () => {
		timer?.cancel();
		if (reader.keepsKey()) {
			timer = clock.after(escapeMilliseconds, () => {
				released += reader.release();
				stdin.emit('readable');
			});
		}
	};

	const read = (): string | null => {
		let text = released;
		released = '';
		while (text === '') {
			// Ink has set an encoding: what is read is text.
			const chunk: unknown = stdin.read();
			if (typeof chunk !== 'string') {
				return null;
			}

			const input = reader.read(chunk, awaitsAnswer());
			text = input.text;
			input.answers.forEach(onAnswer);
			releaseLater();
		}

		return text;
	};

	return {
		stream: new Proxy(stdin, {
			get(target, name) {
				if (name === 'read') {
					return read;
				}

				const member: unknown = Reflect.get(target, name, target);
				return typeof member === 'function' ? member.bind(target) : member;
			},
		}),
		close: () => timer?.cancel(),
	};
}

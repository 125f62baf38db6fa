import {EventEmitter} from 'node:events';
import {type Controller} from '../../source/tui/input/controller.ts';
import {keyPressesOf} from '../../source/tui/state/key-press.ts';
import {backgroundRequest} from '../../source/tui/terminal/background-query.ts';
import {type TerminalReport} from '../../source/tui/terminal/control-sequences.ts';
import {openTerminalInput} from '../../source/tui/terminal/terminal-input.ts';
import {type Clock} from '../../source/util/clock.ts';
import {plainKey} from './plain-key.ts';
import {
	plainPositionRequest,
	positionReportRequest,
	statusReportRequest,
} from '../../source/tui/terminal/position-reports.ts';

/** The content of a frame: the request, its arguments, and the object of a key on it. */
export type Screenful = {
	readonly id: string | undefined;
	readonly argumentsHash: string | undefined;
	readonly screen: string;
};

/** A terminal of its own pace. `sound`: it reads at once; `hanging`: it has answered once and stops reading now and then; `silent`: it reads at once and answers nothing. */
export type TerminalKind = 'sound' | 'hanging' | 'silent';

/** Answers to the request for the background: right ones, garbage, and none. */
const backgrounds = [
	'\u001B]11;rgb:aaaa/aaaa/aaaa\u0007',
	'\u001B]11;rgb:0000/1111/aaaa\u001B\\',
	'\u001B]11;a\u0007',
	'\u001B]11;rgb:a',
	'',
];

/** Reports without a request, an answer that is too late, and sequences that nobody knows. */
const reports = [
	'\u001B[I',
	'\u001B[O',
	'\u001B[I',
	'\u001B[<0;5;7M',
	'\u001B[<0;5;7m',
	'\u001B[<64;5;7M',
	'\u001B[<65;5;7M',
	'\u001B[Maaa',
	'\u001B[?997;1n',
	'\u001B[?997;2n',
	'\u001B]11;rgb:aaaa/aaaa/aaaa\u0007',
	'\u001B]52;c;YWFh\u001B\\',
	'\u001BP>|a\u001B\\',
	'\u001B_Ga\u001B\\',
	'\u001B[?1;2;4a',
	'\u001B[a;a',
];

/** The bytes that the kernel takes before more wait in the program. */
const keptWrites = 40;

/** Opens a terminal that shows what it has read, and answers from there. Its answers wait in `takeAnswers`. */
export function createSlowTerminal(options: {
	readonly kind: TerminalKind;
	/** A number from 0 to 1. */
	readonly dice: () => number;
	readonly now: () => number;
}) {
	const {kind, dice, now} = options;
	const unread: Array<Screenful | string> = [];
	let answers = '';
	let answered = 0;
	let hangsUntil = 0;
	let shown: Screenful & {readonly since: number} = {id: undefined, argumentsHash: undefined, screen: '', since: 0};

	const pick = (texts: readonly string[]) => texts[Math.floor(dice() * texts.length)] ?? '';
	const answerTo = (question: string) => {
		switch (question) {
			case positionReportRequest:
				return dice() < 0.5 ? '\u001B[?24;80R' : '\u001B[24;80R';
			case plainPositionRequest:
				return '\u001B[24;80R';
			case statusReportRequest:
				return '\u001B[0n';
			case backgroundRequest:
				return pick(backgrounds);
			default:
				throw new Error(`This terminal was asked ${JSON.stringify(question)}`);
		}
	};

	const read = (count: number) => {
		for (const written of unread.splice(0, count)) {
			if (typeof written !== 'string') {
				shown = written.screen === shown.screen ? shown : {...written, since: now()};
			} else if (kind !== 'silent') {
				answered++;
				answers += answerTo(written);
			}
		}
	};

	return {
		write(written: Screenful | string) {
			unread.push(written);
			if (kind !== 'hanging' || answered === 0) {
				read(unread.length);
			}
		},
		isBlocked: () => unread.length > keptWrites,
		/** The text on its screen, and the time since when it is there. */
		shown: () => shown,
		/** Lets some time pass for it. */
		turn() {
			if (now() < hangsUntil) {
				return;
			}

			if (kind === 'hanging' && answered > 0 && dice() < 0.5) {
				read(Math.floor(dice() * (unread.length + 1)));
				hangsUntil = now() + dice() * 4000;
			} else {
				read(unread.length);
			}
		},
		/** It reports something by itself, behind its answers. */
		report: () => void (answers += pick(reports)),
		/** Ends its hanging. */
		recover() {
			hangsUntil = 0;
			read(unread.length);
		},
		/** Its answer, or as much of it as has come through by now; a piece may end anywhere. */
		takeAnswers(much: 'all' | 'some') {
			const length = much === 'all' || dice() < 0.6 ? answers.length : Math.floor(dice() * answers.length);
			const taken = answers.slice(0, length);
			answers = answers.slice(length);
			return taken;
		},
	};
}

/** Opens the real input over chunks of bytes. What is left of them is pressed as keys. */
export function openTypedInput({
	clock,
	controller,
	onReport,
}: {
	readonly clock: Clock;
	readonly controller: Pick<Controller, 'press' | 'reported' | 'answered' | 'awaitsReply'>;
	readonly onReport: (report: TerminalReport) => void;
}) {
	const chunks: string[] = [];
	const stdin = Object.assign(new EventEmitter(), {isTTY: false, read: () => chunks.shift() ?? null});
	let taken = 0;
	const {stream} = openTerminalInput({
		// Only what is used of a terminal.
		stdin: stdin as unknown as NodeJS.ReadStream,
		clock,
		awaitsReply: controller.awaitsReply,
		onReply(reply) {
			taken++;
			controller.answered(reply);
		},
		onReport(report) {
			onReport(report);
			controller.reported(report);
		},
	});
	stdin.on('readable', () => {
		for (let text: unknown = stream.read(); typeof text === 'string'; text = stream.read()) {
			controller.press(
				text === '\u001B' ? keyPressesOf('', {...plainKey, escape: true}) : keyPressesOf(text, plainKey),
			);
		}
	});
	return {
		/** The number of its replies so far. */
		taken: () => taken,
		receive: (bytes: string) => {
			if (bytes !== '') {
				chunks.push(bytes);
				stdin.emit('readable');
			}
		},
	};
}

/** Numbers that are the same in every run (mulberry32). */
export function createDice(seed: number) {
	let state = seed;
	return () => {
		state = (state + 0x6d_2b_79_f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

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

	const answerTo = (question: string) => {
		switch (question) {
			case positionReportRequest:
				return dice() < 0.5 ? '\u001B[?24;80R' : '\u001B[24;80R';
			case plainPositionRequest:
				return '\u001B[24;80R';
			case statusReportRequest:
				return '\u001B[0n';
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

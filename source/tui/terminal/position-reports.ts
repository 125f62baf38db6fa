import {type Clock, type Timer} from '../../util/clock.ts';

/** Asks the terminal where its cursor is (DECXCPR). The answer proves that it has come to this place of the stream. */
export const positionReportRequest = '\u001B[?6n';

/** The same in its older form (CPR), which more terminals know: tmux among them. Its answer looks like a modified F3. */
export const plainPositionRequest = '\u001B[6n';

/** Asks the terminal whether all is well (DSR): another answer that can be told from the one about the cursor. */
export const statusReportRequest = '\u001B[5n';

/** Whether the terminal says how far it has come. */
export type Answering = 'unknown' | 'answering' | 'silent';

/** An answer of the terminal: where its cursor is, with or without the mark of the newer question, or only that it is there. */
export type TerminalAnswer = 'marked-position' | 'position' | 'status';

/** The questions to the terminal how far it has come. It answers in the order in which it comes to them in the stream. */
export type PositionReports = {
	/** Asks for the first time; a terminal that stays silent for two seconds counts as one that does not answer. */
	readonly begin: () => void;
	/** Asks behind everything that was written so far, once for each painting. Does nothing while too much is unanswered. */
	readonly ask: (painting: number) => void;
	/** Takes an answer: the painting it was asked behind, or nothing when it was asked behind none. */
	readonly take: (answer: TerminalAnswer) => number | undefined;
	/** Answers may have been lost: what is unanswered now is given up once the terminal has come past it. */
	readonly mistrust: () => void;
	readonly answering: () => Answering;
	readonly isAwaited: () => boolean;
	readonly close: () => void;
};

/** The question in its newer form (DECXCPR) or its older one (CPR). */
type Form = 'marked' | 'plain';

type Question = {readonly form: Form; readonly behind: number | 'start'} | 'status';

/** When the older form is tried, and how long that may take. */
const trialMilliseconds = 1000;
/** A terminal that hangs is not asked without end. */
const maximumUnanswered = 16;
/** An answer that takes longer may never come. */
const lossMilliseconds = 10_000;

/** Opens them. `onSilent` is called once, for a terminal that does not answer. */
export function createPositionReports(options: {
	readonly clock: Clock;
	/** True while the terminal has not taken the last bytes. */
	readonly hold: () => boolean;
	readonly write: (text: string) => void;
	readonly onSilent: () => void;
}): PositionReports {
	const {clock, hold, write, onSilent} = options;
	const unanswered: Question[] = [];
	let form: Form = 'marked';
	let answering: Answering = 'unknown';
	let trialTimer: Timer | undefined;
	let lossTimer: Timer | undefined;

	const mistrust = () => {
		if (unanswered.length > 0 && !unanswered.includes('status')) {
			unanswered.push('status');
			write(statusReportRequest);
		}
	};

	const ask = (behind: number | 'start') => {
		if (unanswered.length < maximumUnanswered && !isAsked(unanswered, behind)) {
			unanswered.push({form, behind});
			write(form === 'marked' ? positionReportRequest : plainPositionRequest);
			lossTimer?.cancel();
			lossTimer = clock.after(lossMilliseconds, () => (hold() ? undefined : mistrust()));
		}
	};

	/** Does it when a trial is over, but not while the terminal does not even read. */
	const afterTrial = (act: () => void) => {
		trialTimer = clock.after(trialMilliseconds, () => (hold() ? afterTrial(act) : act()));
	};

	const tryPlainForm = () => {
		// Whatever it says before the status is an answer to the newer form, whatever comes behind it one to the older.
		mistrust();
		unanswered.push({form: 'plain', behind: 'start'});
		write(plainPositionRequest);
		afterTrial(() => {
			answering = 'silent';
			onSilent();
		});
	};

	const takePosition = (isMarked: boolean) => {
		const question = takeQuestion(unanswered, isMarked);
		if (question) {
			trialTimer?.cancel();
			form = answering === 'answering' ? form : question.form;
			answering = 'answering';
		}

		return question === undefined || question.behind === 'start' ? undefined : question.behind;
	};

	return {
		begin() {
			afterTrial(tryPlainForm);
			ask('start');
		},
		ask,
		take(answer) {
			if (answer !== 'status') {
				return takePosition(answer === 'marked-position');
			}

			const passed = unanswered.splice(0, unanswered.indexOf('status') + 1);
			form = answering !== 'answering' && passed.length > 0 ? 'plain' : form;
			return undefined;
		},
		mistrust,
		answering: () => answering,
		isAwaited: () => unanswered.length > 0,
		close() {
			trialTimer?.cancel();
			lossTimer?.cancel();
		},
	};
}

function isAsked(unanswered: readonly Question[], behind: number | 'start'): boolean {
	return unanswered.some(question => question !== 'status' && question.behind === behind);
}

/** Takes out the question that an answer belongs to. What stands before it was passed over: this terminal does not know those. */
function takeQuestion(unanswered: Question[], isMarked: boolean): Exclude<Question, 'status'> | undefined {
	const index = unanswered.findIndex(question => question !== 'status' && (!isMarked || question.form === 'marked'));
	const question = unanswered.splice(0, index + 1).at(-1);
	return question === 'status' ? undefined : question;
}

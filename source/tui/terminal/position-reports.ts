import {type Clock, type Timer} from '../../util/clock.ts';

/** Asks the terminal where its cursor is (DECXCPR). The answer proves that it has read the stream up to here. */
export const positionReportRequest = '\u001B[?6n';

/** The same in its older form (CPR), which more terminals know: tmux among them. Its answer looks like a modified F3. */
export const plainPositionRequest = '\u001B[6n';

/** Asks the terminal for its status (DSR): its answer differs from the one about the cursor. */
export const statusReportRequest = '\u001B[5n';

/** Whether the terminal reports how far it has read. */
export type Answering = 'unknown' | 'answering' | 'silent';

/** An answer of the terminal: the position of its cursor, with or without the mark of the newer request, or its status. */
export type TerminalAnswer = 'marked-position' | 'position' | 'status';

/** Requests to the terminal that show how far it has read. It answers them in the order in which it reads them. */
export type PositionReports = {
	/** Asks for the first time; a terminal that stays silent for two seconds counts as one that does not answer. */
	readonly begin: () => void;
	/** Asks after everything that was written so far, once for each painting. Does nothing while too many requests are unanswered. */
	readonly ask: (painting: number) => void;
	/** Takes an answer and returns the painting it was asked after; undefined when there was none. */
	readonly take: (answer: TerminalAnswer) => number | undefined;
	/** Answers may have been lost: what is unanswered now is given up once the terminal has read past it. */
	readonly mistrust: () => void;
	readonly answering: () => Answering;
	readonly isAwaited: () => boolean;
	readonly close: () => void;
};

/** The request in its newer form (DECXCPR) or its older one (CPR). */
type Form = 'marked' | 'plain';

type Request = {readonly form: Form; readonly behind: number | 'start'} | 'status';

/** When the older form is tried, and how long that may take. */
const trialMilliseconds = 1000;
/** A terminal that hangs is not asked forever. */
const maximumUnanswered = 16;
/** An answer that takes longer may never come. */
const lossMilliseconds = 10_000;

/** Creates the requests of one terminal. `onSilent` is called once, for a terminal that does not answer. */
export function createPositionReports(options: {
	readonly clock: Clock;
	/** True while the terminal has not taken the last bytes. */
	readonly hold: () => boolean;
	readonly write: (text: string) => void;
	readonly onSilent: () => void;
}): PositionReports {
	const {clock, hold, write, onSilent} = options;
	const unanswered: Request[] = [];
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

	/** Calls it when a trial is over, but not while the terminal does not even read. */
	const afterTrial = (act: () => void) => {
		trialTimer = clock.after(trialMilliseconds, () => (hold() ? afterTrial(act) : act()));
	};

	const tryPlainForm = () => {
		// Whatever it answers before the status belongs to the newer form, whatever comes after it to the older one.
		mistrust();
		unanswered.push({form: 'plain', behind: 'start'});
		write(plainPositionRequest);
		afterTrial(() => {
			answering = 'silent';
			onSilent();
		});
	};

	const takePosition = (isMarked: boolean) => {
		const request = takeRequest(unanswered, isMarked);
		if (request) {
			trialTimer?.cancel();
			form = answering === 'answering' ? form : request.form;
			answering = 'answering';
		}

		return request === undefined || request.behind === 'start' ? undefined : request.behind;
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

function isAsked(unanswered: readonly Request[], behind: number | 'start'): boolean {
	return unanswered.some(request => request !== 'status' && request.behind === behind);
}

/** Takes out the request that an answer belongs to. The terminal skipped those before it: it does not know their form. */
function takeRequest(unanswered: Request[], isMarked: boolean): Exclude<Request, 'status'> | undefined {
	const index = unanswered.findIndex(request => request !== 'status' && (!isMarked || request.form === 'marked'));
	const request = unanswered.splice(0, index + 1).at(-1);
	return request === 'status' ? undefined : request;
}

import {type Clock, type Timer} from '../../util/clock.ts';

/** Requests the position of the cursor (DECXCPR). The response proves that the terminal has read the stream up to here. */
export const positionReportRequest = '\u001B[?6n';

/** The same in its older form (CPR), which more terminals know: tmux among them. Its response looks like a modified F3. */
export const plainPositionRequest = '\u001B[6n';

/** Requests the status of the terminal (DSR), whose response differs from a cursor position. */
export const statusReportRequest = '\u001B[5n';

/** Support of the terminal for position reports. */
export type Answering = 'unknown' | 'answering' | 'silent';

/** A response of the terminal: the position of its cursor, with or without the `?` of the newer request, or its status. */
export type TerminalReply = 'marked-position' | 'position' | 'status';

/** Requests to the terminal that show how far it has read. It responds in the order in which it reads them. */
export type PositionReports = {
	/** Sends the first request; a terminal that is silent for two seconds counts as one that does not respond. */
	readonly begin: () => void;
	/** Sends a request after everything written so far, once per painting. Does nothing while too many requests are unanswered. */
	readonly ask: (painting: number) => void;
	/** Takes a response and returns the painting before its request; undefined if there was none. */
	readonly take: (reply: TerminalReply) => number | undefined;
	/** Responses may have been lost: requests unanswered now are dropped once the terminal has read past them. */
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
/** A terminal that hangs does not get requests forever. */
const maximumUnanswered = 16;
/** A response that takes longer may never arrive. */
const lossMilliseconds = 10_000;

/** Creates the requests of one terminal. `onSilent` is called once, for a terminal that does not respond. */
export function createPositionReports(options: {
	readonly clock: Clock;
	/** True while the terminal has not accepted the last bytes. */
	readonly isBlocked: () => boolean;
	readonly write: (text: string) => void;
	readonly onSilent: () => void;
}): PositionReports {
	const {clock, isBlocked, write, onSilent} = options;
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
			lossTimer = clock.after(lossMilliseconds, () => (isBlocked() ? undefined : mistrust()));
		}
	};

	/** Calls back when a trial is over, but not while the terminal does not read at all. */
	const afterTrial = (act: () => void) => {
		trialTimer = clock.after(trialMilliseconds, () => (isBlocked() ? afterTrial(act) : act()));
	};

	const tryPlainForm = () => {
		// A response before the status belongs to the newer form, one after it to the older form.
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
		take(reply) {
			if (reply !== 'status') {
				return takePosition(reply === 'marked-position');
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

/** Removes the request that a response belongs to. The terminal skipped those before it, because it does not support their form. */
function takeRequest(unanswered: Request[], isMarked: boolean): Exclude<Request, 'status'> | undefined {
	const index = unanswered.findIndex(request => request !== 'status' && (!isMarked || request.form === 'marked'));
	const request = unanswered.splice(0, index + 1).at(-1);
	return request === 'status' ? undefined : request;
}

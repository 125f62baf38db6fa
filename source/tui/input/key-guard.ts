import {type Snapshot} from '../../state/snapshot.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {
	arm,
	type Arming,
	type ArmingEvent,
	disarmed,
	quietMilliseconds,
	readableMilliseconds,
	type Readiness,
	readiness,
} from '../state/arming.ts';
import {loginStage} from '../lists/login-rows.ts';
import {formOf} from '../state/form-mode.ts';
import {type UiState} from '../state/ui-state.ts';
import {createPositionReports, type PositionReports, type TerminalReply} from '../terminal/position-reports.ts';

/** Keeps the arming of the deciding keys in step with what really is on the screen. */
export type KeyGuard = {
	/** The screen that is to be shown. */
	readonly show: (ui: UiState, snapshot: Snapshot) => void;
	readonly committed: (screen: string) => void;
	readonly framePainted: () => void;
	/** The terminal replied. Replies come in the order of the requests. */
	readonly answered: (reply: TerminalReply) => void;
	/** True while a reply of the terminal is on its way. */
	readonly awaitsReply: () => boolean;
	/** The terminal is ours again after another program had it. The next frame has to be seen again. */
	readonly resumed: () => void;
	readonly touched: () => void;
	readonly readiness: () => Readiness;
	/** True once the terminal has replied. */
	readonly isAnswering: () => boolean;
	/** True if the terminal has shown the present screen. */
	readonly isSeen: () => boolean;
	readonly close: () => void;
};

export type KeyGuardOptions = {
	readonly clock: Clock;
	readonly isBlocked: () => boolean;
	/** True while another reply of the terminal is on its way. */
	readonly isReplyAwaited?: () => boolean;
	/** Writes into the stream of the frames, after the last one. */
	readonly write: (text: string) => void;
	/** Called when the keys may have become armed or disarmed by time or the terminal alone. */
	readonly changed: () => void;
	/** Called once when the terminal does not report its position. */
	readonly onSilent: () => void;
};

const drainPollMilliseconds = 50;

/**
Creates the guard of the deciding keys. A frame counts as seen when the terminal has answered a position request written after it,
and where the terminal never answers, when it has taken all bytes of the frame.
*/
export function createKeyGuard(options: KeyGuardOptions): KeyGuard {
	const {clock, isBlocked, write, changed} = options;
	const state: GuardState = {arming: disarmed, committedScreen: '', drawnScreen: '', paintings: 0, begun: false};
	const now = () => currentReadiness(state, options);
	const isWaiting = () => state.arming.screen !== '' && now() !== 'ready';
	const ready = createReadyWait({clock, changed, isWaiting});
	const drain = createDrainWait({clock, isBlocked});
	const dispatch = (event: ArmingEvent) => void (state.arming = arm(state.arming, event));
	const onSilent = () => {
		options.onSilent();
		askWhetherSeen(state, reports);
		changed();
	};

	const reports = createPositionReports({clock, isBlocked, write, onSilent});
	const painted = () => {
		if (!state.begun) {
			state.begun = true;
			reports.begin();
		}

		if (isNewlyDrawn(state)) {
			state.paintings++;
			dispatch({type: 'painted', screen: state.drawnScreen, at: clock.elapsed()});
			askWhetherSeen(state, reports);
			ready.start();
			changed();
		}
	};

	return {
		show: (ui, snapshot) => dispatch({type: 'shown', screen: screenKey(ui, snapshot)}),
		committed: screen => void (state.committedScreen = screen),
		framePainted() {
			state.drawnScreen = state.committedScreen;
			if (!state.begun || isNewlyDrawn(state)) {
				drain.run(painted);
			}
		},
		answered(reply) {
			takeReply(state, reports, {reply, at: clock.elapsed()});
			askWhetherSeen(state, reports);
			ready.start();
			changed();
		},
		awaitsReply: reports.isAwaited,
		resumed() {
			reports.mistrust();
			state.drawnScreen = '';
			dispatch({type: 'hidden'});
		},
		touched() {
			dispatch({type: 'input', at: clock.elapsed()});
			ready.start();
		},
		readiness: now,
		isAnswering: () => reports.answering() === 'answering',
		isSeen: () => state.arming.seenAt !== undefined,
		close() {
			drain.cancel();
			ready.cancel();
			reports.close();
		},
	};
}

/** The readiness now: nothing is armed while bytes wait for the terminal, or a reply for the program. */
function currentReadiness({arming}: GuardState, {clock, isBlocked, isReplyAwaited}: KeyGuardOptions): Readiness {
	const found = readiness(arming, clock.elapsed());
	return isBlocked() ? 'unpainted' : found === 'ready' && isReplyAwaited?.() ? 'unseen' : found;
}

type GuardState = {
	arming: Arming;
	/** The screen of the tree that was committed last, and that of the frame that was drawn last. */
	committedScreen: string;
	drawnScreen: string;
	/** Painted screens so far; each of them is known by its number. */
	paintings: number;
	/** True once the first position request was sent. */
	begun: boolean;
};

function isNewlyDrawn({arming, drawnScreen}: GuardState): boolean {
	return drawnScreen !== '' && drawnScreen === arming.screen && arming.paintedAt === undefined;
}

/** Asks the terminal to report when it has reached the end of the painted frame. Once for each painting. */
function askWhetherSeen(state: GuardState, reports: PositionReports): void {
	const {screen, paintedAt, seenAt} = state.arming;
	if (paintedAt === undefined || seenAt !== undefined) {
		return;
	}

	if (reports.answering() === 'silent') {
		state.arming = arm(state.arming, {type: 'seen', screen, at: paintedAt});
	} else {
		reports.ask(state.paintings);
	}
}

function takeReply(
	state: GuardState,
	reports: PositionReports,
	{reply, at}: {readonly reply: TerminalReply; readonly at: number},
): void {
	const before = reports.answering();
	const painting = reports.take(reply);
	if (before === 'silent' && reports.answering() === 'answering') {
		// Until now the frames of this terminal were only assumed to be seen.
		state.arming = arm(state.arming, {type: 'unseen'});
	}

	if (painting === state.paintings) {
		state.arming = arm(state.arming, {type: 'seen', screen: state.arming.screen, at});
	}
}

/** Waits until the terminal has taken all bytes. A newer call replaces one that waits. */
function createDrainWait({clock, isBlocked}: Pick<KeyGuardOptions, 'clock' | 'isBlocked'>) {
	let timer: Timer | undefined;
	const run = (act: () => void) => {
		timer?.cancel();
		if (isBlocked()) {
			timer = clock.after(drainPollMilliseconds, () => run(act));
		} else {
			act();
		}
	};

	return {run, cancel: () => timer?.cancel()};
}

/** Reports a change when time alone makes the keys ready, so that the status line says so. */
function createReadyWait(options: Pick<KeyGuardOptions, 'clock' | 'changed'> & {readonly isWaiting: () => boolean}) {
	let timer: Timer | undefined;
	const start = () => {
		timer?.cancel();
		if (options.isWaiting()) {
			timer = options.clock.after(Math.max(readableMilliseconds, quietMilliseconds), () => {
				options.changed();
				start();
			});
		}
	};

	return {start, cancel: () => timer?.cancel()};
}

/**
Key of everything that a deciding key would act on: request, arguments, page and question; or form with cursor, proposal, login choice, or the list
behind a card that is gone; and the visible part. A change disarms keys. Empty: nothing can be decided.
*/
export function screenKey(ui: UiState, snapshot: Snapshot): string {
	const subject = subjectKey(ui, snapshot);
	return subject === '' ? '' : [subject, ui.size.columns, ui.size.rows, ui.redraws, ui.rearms].join(' ');
}

function subjectKey(ui: UiState, snapshot: Snapshot): string {
	const {mode} = ui;
	if (ui.keys === 'held') {
		return `behind a card ${mode.kind}`;
	}

	const form = formOf(ui);
	if (form) {
		const {owner, stop, scroll, answers} = form;
		return ['form', owner.kind, owner.kind === 'question' ? owner.id : owner.name, stop, scroll, answers].join(' ');
	}

	if (mode.kind === 'proposal') {
		return snapshot.proposals.some(({id}) => id === mode.id)
			? ['proposal', mode.id, mode.again ?? '', mode.answers, mode.scroll].join(' ')
			: '';
	}

	if (mode.kind === 'call-rule') {
		return ['call-rule', mode.id, mode.argument, mode.answers, JSON.stringify(snapshot.ruleProposal?.outcome)].join(
			' ',
		);
	}

	if (mode.kind === 'settled') {
		return ['settled', mode.title, mode.why].join(' ');
	}

	if (mode.kind === 'edit') {
		const {entry, edit, scroll} = mode;
		return edit.kind === 'valid' ? ['edit', entry.profile, entry.kind, entry.name, scroll].join(' ') : '';
	}

	if (mode.kind === 'login') {
		return ['login', mode.profile, mode.server, loginStage(mode, snapshot)].join(' ');
	}

	const card = mode.kind === 'review' ? snapshot.approvals.find(row => row.id === mode.cardId) : undefined;
	if (mode.kind !== 'review' || !card) {
		return '';
	}

	const {scroll, masks} = mode.full;
	const parts = {
		card: `${mode.scroll} ${mode.form}`,
		always: mode.scroll,
		full: `${scroll} ${masks} ${mode.form} ${ui.fullReads}`,
		rule: `${mode.argument} ${JSON.stringify(snapshot.ruleProposal?.outcome)}`,
	};
	return [card.id, card.argumentsHash, mode.page, mode.again ?? '', mode.answers, parts[mode.page]].join(' ');
}

import {answeredWords, findAnswered} from '../../state/answered.ts';
import {ownConsoleName} from '../../state/console-state.ts';
import {type AnsweredRow, type DecisionRow, type Snapshot} from '../../state/snapshot.ts';
import {waitingCount} from '../../state/waiting.ts';
import {shownId} from '../../util/id-part.ts';
import {formOf} from '../state/form-mode.ts';
import {type LostSubject, type Mode, type OpenedAddress, type SettledMode} from '../state/mode.ts';
import {type UiState, withMode, withToast} from '../state/ui-state.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, span} from '../text/span.ts';
import {approvalText} from '../../state/entities/status-text.ts';
import {wrapToWidth} from '../text/text-width.ts';
import {toolText} from '../../util/safe-text.ts';

const settledMode = {kind: 'settled', scroll: 0} as const;

/**
The dashboard after a request, question or proposal on the screen was settled. Only the core's event does this, and it never shows another
request to somebody who is typing: what was settled elsewhere is replaced by a page that says so, what was answered here leaves the screen.
*/
export function followAnswered(ui: UiState, snapshot: Snapshot): UiState {
	const followed = followQuestion(followProposal(followReview(ui, snapshot), snapshot), snapshot);
	return followPage(followLost(followed, snapshot), snapshot);
}

/** The page of something that was on the screen when the connection was lost says what is known of it now. */
function followLost(ui: UiState, snapshot: Snapshot): UiState {
	const {mode} = ui;
	const next = mode.kind === 'settled' && mode.lost ? lostPage(mode.lost, snapshot) : undefined;
	return next && !isSamePage(next, mode) ? withMode(ui, next) : ui;
}

/** The page of an address that was opened says once the server is finished with it. */
function followPage(ui: UiState, snapshot: Snapshot): UiState {
	const {mode} = ui;
	const opened = mode.kind === 'settled' ? mode.opened : undefined;
	const answered = opened && findAnswered(snapshot, opened.id);
	const next = opened && answered ? openedPage(answered, opened) : undefined;
	return next && !isSamePage(next, mode) ? withMode(ui, next) : ui;
}

/** The page of a question whose address was accepted here. */
function openedPage(answered: AnsweredRow, {id, address}: OpenedAddress): SettledMode {
	const isFinished = answered.type === 'question.settled' && answered.page === 'finished';
	const asker = answered.type === 'question.settled' ? answered.asker : '';
	return {
		...settledMode,
		title: isFinished ? 'The page is finished with' : 'The page was accepted',
		what: address,
		why: isFinished
			? `${asker} says so, and goes on.`
			: `${asker} goes on by itself. If no browser opened, open it yourself.`,
		opened: {id, address},
	};
}

function isSamePage(next: SettledMode, mode: Mode): boolean {
	return mode.kind === 'settled' && next.title === mode.title && next.what === mode.what && next.why === mode.why;
}

/** The page about it while the connection is lost, and once it is back. */
export function lostPage(lost: LostSubject, snapshot: Snapshot): SettledMode {
	return {...lostWords(lost, snapshot), lost};
}

function lostWords({kind, id}: LostSubject, snapshot: Snapshot): SettledMode {
	if (kind === 'call') {
		return callPage(id, snapshot);
	}

	if (isOpen({kind, id}, snapshot)) {
		const why = 'It was on the screen when the connection was lost.';
		return {...settledMode, title: `The ${kind} is still waiting`, what: '', why};
	}

	const answered = kind === 'question' ? findAnswered(snapshot, id) : undefined;
	return kind === 'request'
		? settledRequest(id, snapshot)
		: answered
			? settledQuestion(answered, isOwnAnswer(answered, snapshot))
			: settledSubject({kind, id}, snapshot);
}

/** The page of a call by hand whose end this window has not heard of. */
function callPage(name: string, {console}: Snapshot): SettledMode {
	const where = 'is in the events, or it waits among the uncertain calls';
	return console.state === 'lost'
		? {
				...settledMode,
				title: lossTitle,
				what: name,
				why: `The call may go on. Its end ${where}, once the gateway is back.`,
			}
		: {...settledMode, title: 'The outcome of the call is not known here', what: name, why: `Its end ${where}.`};
}

/** True while the gateway has it waiting. */
function isOpen({kind, id}: LostSubject, {approvals, questions, proposals}: Snapshot): boolean {
	const rows: ReadonlyArray<{readonly id: string}> = {
		request: approvals,
		question: questions,
		'install proposal': proposals,
		call: [],
	}[kind];
	return rows.some(row => row.id === id);
}

const lossTitle = 'The connection was lost';

/** Leaves a card that was answered here. A key that was still meant for it does nothing on the screen behind it. */
function leaveCard(ui: UiState, words: string, mode: Mode): UiState {
	// The rule that was stored with the answer is named until something else happens.
	return {...withMode(ui.toast?.about === 'stored-rule' ? ui : withToast(ui, words), mode), keys: 'held'};
}

/** A reason for a denial that is being typed stays on the screen. */
function followReview(ui: UiState, snapshot: Snapshot): UiState {
	const {mode} = ui;
	if (mode.kind === 'deny-message') {
		const {settled, ...open} = mode;
		const {cardId} = mode.review;
		if (settled && !settled.lost) {
			return ui;
		}

		if (snapshot.approvals.some(row => row.id === cardId)) {
			return settled ? withMode(ui, open) : ui;
		}

		const next = settledRequest(cardId, snapshot);
		return settled && isSamePage(next, settled) ? ui : withMode(ui, {...open, settled: next});
	}

	if (mode.kind !== 'review' || snapshot.approvals.some(row => row.id === mode.cardId)) {
		return ui;
	}

	const decision = decisionOf(mode.cardId, snapshot);
	const isOwn = mode.answers > 0 && decision?.by === ownConsoleName(snapshot.console);
	if (isOwn && decision && (ui.manualCall || snapshot.approvals.length === 0)) {
		// A manual call that waited for this is shown again.
		return leaveCard(ui, decisionWords(decision), ui.manualCall ?? {kind: 'browse'});
	}

	return withMode(ui, settledRequest(mode.cardId, snapshot));
}

function followProposal(ui: UiState, snapshot: Snapshot): UiState {
	const proposal = proposalOf(ui.mode);
	if (proposal === undefined || snapshot.proposals.some(row => row.id === proposal.id)) {
		return ui;
	}

	return proposal.answers > 0 && snapshot.console.state !== 'lost'
		? leaveCard(ui, 'the install proposal is settled', {kind: 'browse'})
		: withMode(ui, settledSubject({kind: 'install proposal', id: proposal.id}, snapshot));
}

/** The form of a settled question leaves the screen, and its draft is dropped. */
function followQuestion(ui: UiState, snapshot: Snapshot): UiState {
	const isAsked = (id: string) => isOpen({kind: 'question', id}, snapshot);
	const drafts = Object.entries(ui.drafts).filter(([id]) => isAsked(id));
	const pruned = drafts.length === Object.keys(ui.drafts).length ? ui : {...ui, drafts: Object.fromEntries(drafts)};
	const form = questionedForm(pruned);
	if (form?.owner.kind !== 'question' || isAsked(form.owner.id)) {
		return pruned;
	}

	const {id} = form.owner;
	const answered = findAnswered(snapshot, id);
	const isOwn = isOwnAnswer(answered, snapshot);
	const {url} = form.owner;
	if (url && isOwn && answered?.type === 'question.settled' && answered.outcome === 'answered') {
		return withMode(pruned, openedPage(answered, {id, address: url.address}));
	}

	return form.answers > 0 && isOwn && snapshot.console.state !== 'lost'
		? leaveCard(pruned, 'the question is settled', {kind: 'browse'})
		: withMode(pruned, answered ? settledQuestion(answered, isOwn) : settledSubject({kind: 'question', id}, snapshot));
}

function isOwnAnswer(answered: AnsweredRow | undefined, {console}: Snapshot): boolean {
	return answered?.by === undefined || answered.by === ownConsoleName(console);
}

/** The page of a question that no longer waits: how it ended, and by whom. */
function settledQuestion(answered: AnsweredRow, isOwn: boolean): SettledMode {
	const elsewhere = answered.by === undefined || isOwn ? 'has ended' : 'was answered elsewhere';
	return {...settledMode, title: `The question ${elsewhere}`, what: '', why: `it was ${answeredWords(answered)}`};
}

function questionedForm(ui: UiState) {
	const {mode} = ui;
	return mode.kind === 'confirm' && mode.question.kind === 'cancel-question' ? mode.question.form : formOf(ui);
}

function proposalOf(mode: Mode) {
	if (mode.kind === 'prompt' && mode.purpose.kind === 'rename-proposal') {
		return {id: mode.purpose.id, answers: 0};
	}

	return mode.kind === 'proposal' ? mode : undefined;
}

/** The page of a request that no longer waits: what became of it. */
function settledRequest(cardId: string, snapshot: Snapshot): SettledMode {
	const decision = decisionOf(cardId, snapshot);
	const request = `request #${shownId(cardId)}`;
	return decision
		? {
				...settledMode,
				title: endWords(decision, ownConsoleName(snapshot.console)),
				what: decisionWords(decision),
				why: `${request} ${uiText`·`} ${why(decision)}`,
			}
		: endOf({kind: 'request', id: cardId}, snapshot, `${request} is no longer waiting`);
}

/** The page of a request, question or proposal of whose end no more is known. One whose gateway was lost may not have ended. */
function endOf(subject: LostSubject, {console}: Snapshot, why: string): SettledMode {
	const {kind} = subject;
	return console.state === 'lost'
		? {
				...settledMode,
				title: lossTitle,
				what: '',
				why: `A${kind.startsWith('i') ? 'n' : ''} ${kind} that still waits is shown again once the gateway is back.`,
				lost: subject,
			}
		: {...settledMode, title: `The ${kind} has ended`, what: '', why};
}

/** The same for a question or an install proposal, of which the core says no more than that it is settled. */
function settledSubject(subject: LostSubject, snapshot: Snapshot): SettledMode {
	return endOf(subject, snapshot, 'it was withdrawn or answered elsewhere');
}

/** The decision about a request; undefined once it is no longer known. */
function decisionOf(cardId: string, snapshot: Snapshot): DecisionRow | undefined {
	return snapshot.decisions.findLast(row => row.id === cardId);
}

/** The end of a request in one line. */
function decisionWords({outcome, scope, server, tool}: DecisionRow): string {
	const {glyph, word} = approvalText[outcome];
	return `${glyph} ${word}${scope ? ` (${scope})` : ''}: ${toolText({server, tool})}`;
}

function endWords({outcome, by}: DecisionRow, ownName: string | undefined): string {
	if (outcome === 'approved' || outcome === 'denied') {
		return by === ownName ? 'The request is answered' : 'The request was answered elsewhere';
	}

	return outcome === 'timed_out' ? 'The request has expired' : 'The request was withdrawn';
}

function why({outcome, by, message}: DecisionRow): string {
	const reason = message === undefined || message === '' ? '' : `: ${message}`;
	switch (outcome) {
		case 'approved':
		case 'denied':
			return `answered by ${by ?? 'someone else'}${reason}`;
		case 'timed_out':
			return 'nobody answered in time';
		case 'no_channel':
			return 'nobody could be asked';
		case 'cancelled':
			return by === undefined ? 'the caller is no longer waiting for it' : `cancelled by ${by}`;
	}
}

/** The page that a settled request leaves, in lines. Nothing on it decides anything. */
export function settledLines(mode: SettledMode, snapshot: Snapshot, width: number): readonly Line[] {
	return [mode.what, mode.why, 'Nothing can be decided on this page.', '', nextWords(mode, snapshot)]
		.filter((text, index) => text !== '' || index > 0)
		.flatMap((text, index) =>
			wrapToWidth(text, width - 2).map(part => [span(` ${part}`, index === 0 ? 'strong' : 'normal')]),
		);
}

/** The words about leaving the page. */
function nextWords({lost}: SettledMode, snapshot: Snapshot): string {
	const count = waitingCount(snapshot);
	if (count === 0) {
		return snapshot.console.state === 'lost' ? 'Esc leaves this page.' : 'Nothing else is waiting.';
	}

	if (lost && isOpen(lost, snapshot)) {
		return count === 1 ? 'Press n to show it.' : `${count} are waiting; press n to show the oldest.`;
	}

	return count === 1
		? '1 other is waiting; press n to show it.'
		: `${count} others are waiting; press n to show the oldest.`;
}

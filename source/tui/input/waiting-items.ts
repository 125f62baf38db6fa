import {type Snapshot} from '../../state/snapshot.ts';
import {isInboxItem, waitingCount, waitingLogins} from '../../state/waiting.ts';
import {uncertainId} from '../../state/entities/uncertain.ts';
import {loginId} from '../lists/login-rows.ts';
import {proposalId, questionId} from '../../state/entities/question.ts';
import {failedDeliveryId} from '../../state/entities/delivery.ts';
import {detailPage, pageCall} from '../pages/traced-row.ts';
import {
	reviewOf,
	stay,
	type Step,
	type UiContext,
	type UiState,
	withCall,
	withMode,
	withReview,
	withToast,
} from '../state/ui-state.ts';
import {loginMode} from './login-actions.ts';
import {goBack} from './modes.ts';
import {waitingMode} from './navigation.ts';

/** Something of the one count (`state/waiting.ts`) that is not answered on a page of its own: its row in the view that lists all of it, and since when it needs a person. */
type WaitingRow = {
	readonly id: string;
	readonly at: number;
	/** The server to log in to. */
	readonly login?: Parameters<typeof loginMode>[0];
};

/**
Opens what needs a person (docs/dashboard.md, Views): the oldest request, for requests expire and somebody waits for them; without one, the
oldest of the rest, and when that is open or picked already, the next.
*/
export function showWaiting(ui: UiState, context: UiContext): Step {
	const open = reviewOf(ui)?.cardId;
	if (open !== undefined && open === oldestRequest(context.snapshot)) {
		return stay(withReview(ui, {hint: 'no request has waited longer than this one'}));
	}

	return nextWaiting(ui, context) ?? stay(withToast(ui, 'nothing is waiting for you'));
}

/** Goes on from the page of a settled request: to what needs a person next, else back. */
export function showNextWaiting(ui: UiState, context: UiContext): Step {
	return nextWaiting(ui, context) ?? stay(goBack(ui, context));
}

/** True if nothing needs a person besides the open request. */
export function isAllShown(ui: UiState, {snapshot}: UiContext): boolean {
	if (waitingCount(snapshot) === 0) {
		return true;
	}

	if (ui.mode.kind !== 'detail') {
		return false;
	}

	const rows = oldestRequest(snapshot) === undefined ? waitingRows(snapshot) : [];
	const [only, ...others] = rows;
	return only !== undefined && others.length === 0 && isShown(only, ui);
}

function nextWaiting(ui: UiState, context: UiContext): Step | undefined {
	const {snapshot} = context;
	const request = oldestRequest(snapshot);
	const mode = request === undefined ? undefined : waitingMode(request, ui, snapshot);
	if (mode) {
		return stay(withMode(ui, mode));
	}

	const rows = waitingRows(snapshot);
	const shown = rows.findIndex(row => isShown(row, ui));
	const next = rows[(shown + 1) % Math.max(1, rows.length)];
	return next && showRow(ui, next, context);
}

/** The row of the view of what needs a person that has waited longest for an answer. */
function oldestRequest({approvals, questions, proposals}: Snapshot): string | undefined {
	const [oldest] = [
		...approvals.map(({id, requestedAt}) => ({id, requestedAt})),
		...questions.map(row => ({id: questionId(row), requestedAt: row.requestedAt})),
		...proposals.map(row => ({id: proposalId(row), requestedAt: row.requestedAt})),
	].sort((first, second) => first.requestedAt - second.requestedAt);
	return oldest?.id;
}

/** Rows that need a person, besides requests, oldest first. */
export function waitingRows(snapshot: Snapshot): readonly WaitingRow[] {
	const {uncertain, runs, failedDeliveries} = snapshot;
	const rows: readonly WaitingRow[] = [
		...waitingLogins(snapshot).map(row => {
			const {server, profile, changedAt: at} = row;
			return {id: loginId(row), at, login: {server, profile}};
		}),
		...uncertain.map(row => ({id: uncertainId(row), at: row.at})),
		...runs.filter(isInboxItem).map(({runId: id, startedAt: at}) => ({id, at})),
		...failedDeliveries.map(row => ({id: failedDeliveryId(row), at: row.firstAt})),
	];
	return rows.toSorted((first, second) => first.at - second.at);
}

function isShown({id}: WaitingRow, {view, mode, selected}: UiState): boolean {
	return view === 'you' && (mode.kind === 'detail' ? mode.id : selected.you) === id;
}

/** The row, picked in its list and open; a filter that may hide it is taken off. */
function showRow(ui: UiState, {id, login}: WaitingRow, context: UiContext): Step {
	const picked: UiState = {
		...ui,
		view: 'you',
		selected: {...ui.selected, you: id},
		filters: {...ui.filters, you: ''},
		manualCall: undefined,
	};
	const opened = withMode(picked, login ? loginMode(login) : {kind: 'detail', id, scroll: 0});
	const stored = login ? undefined : detailPage('you', id, context.snapshot);
	return stored ? withCall(opened, pageCall(stored.subject, stored.profile), context) : stay(opened);
}

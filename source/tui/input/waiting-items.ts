import {type Snapshot} from '../../state/snapshot.ts';
import {isInboxItem, waitingLogins} from '../../state/waiting.ts';
import {uncertainId} from '../lists/call-rows.ts';
import {loginId} from '../lists/login-rows.ts';
import {jobId, jobOf} from '../lists/job-rows.ts';
import {platformId} from '../lists/part-rows.ts';
import {proposalId, questionId} from '../lists/question-rows.ts';
import {routeId, routeOf} from '../lists/route-rows.ts';
import {serverId} from '../lists/server-rows.ts';
import {type ViewName} from '../lists/view-table.ts';
import {detailPage, pageCommand} from '../pages/traced-row.ts';
import {stay, type Step, type UiContext, type UiState, withCommand, withMode, withToast} from '../state/ui-state.ts';
import {loginMode} from './login-actions.ts';
import {goBack} from './modes.ts';
import {waitingMode} from './navigation.ts';

/** Something of the one count (`state/waiting.ts`) that is not answered on a page of its own: where its row is, and since when it needs a person. */
type WaitingRow = {
	readonly view: ViewName;
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
	return nextWaiting(ui, context) ?? stay(withToast(ui, 'nothing is waiting for you'));
}

/** Goes on from the page of a settled request: to what needs a person next, else back. */
export function showNextWaiting(ui: UiState, context: UiContext): Step {
	return nextWaiting(ui, context) ?? stay(goBack(ui, context));
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

/** What needs a person besides requests, oldest first. */
export function waitingRows(snapshot: Snapshot): readonly WaitingRow[] {
	const {uncertain, runs, servers, failedDeliveries} = snapshot;
	const logins = waitingLogins(snapshot).map((row): WaitingRow => {
		const {server, profile, changedAt: at} = row;
		const known = servers.find(one => one.server === server && one.profile === profile);
		const login = {server, profile};
		return known ? {view: 'overview', id: serverId(known), at, login} : {view: 'logins', id: loginId(row), at, login};
	});
	const rows: readonly WaitingRow[] = [
		...logins,
		...uncertain.map((row): WaitingRow => ({view: 'you', id: uncertainId(row), at: row.at})),
		...runs.filter(isInboxItem).map(({runId, startedAt}): WaitingRow => ({view: 'runs', id: runId, at: startedAt})),
		...failedDeliveries.map((row): WaitingRow => {
			const route = routeOf(row, snapshot.routes);
			const job = jobOf(row, snapshot.jobs);
			const {profile, target: platform, firstAt: at} = row;
			if (route) {
				return {view: 'routes', id: routeId(route), at};
			}

			return job ? {view: 'jobs', id: jobId(job), at} : {view: 'parts', id: platformId({profile, platform}), at};
		}),
	];
	return distinct(rows).toSorted((first, second) => first.at - second.at);
}

/** Two platforms of one route are one row. */
function distinct(rows: readonly WaitingRow[]): readonly WaitingRow[] {
	return [...new Map(rows.toReversed().map(row => [`${row.view} ${row.id}`, row])).values()];
}

function isShown({view, id}: WaitingRow, {view: current, mode, selected}: UiState): boolean {
	return view === current && (mode.kind === 'detail' ? mode.id : selected[view]) === id;
}

/** The row, picked in its list and open; a filter that may hide it is taken off. */
function showRow(ui: UiState, {view, id, login}: WaitingRow, context: UiContext): Step {
	const picked = {
		...ui,
		view,
		selected: {...ui.selected, [view]: id},
		filters: {...ui.filters, [view]: ''},
		manualCall: undefined,
	};
	const opened = withMode(picked, login ? loginMode(login) : {kind: 'detail', id, scroll: 0});
	const stored = login ? undefined : detailPage(view, id, context.snapshot);
	return stored ? withCommand(opened, pageCommand(stored.subject, stored.profile), context) : stay(opened);
}

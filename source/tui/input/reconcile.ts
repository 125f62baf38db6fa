import {type LogRow, type ServerRow, type Snapshot, type WebhookRow} from '../../state/snapshot.ts';
import {followAnswered} from '../approval/settled.ts';
import {causeOf} from '../state/troubles.ts';
import {type AwaitedRow} from '../state/awaited.ts';
import {awaitedRow, type UiState, withToast} from '../state/ui-state.ts';
import {ownConsoleName} from '../../state/console-state.ts';
import {isFromConsole} from '../../state/origin.ts';
import {waitsForPerson} from '../../state/waiting.ts';
import {toolText} from '../../util/safe-text.ts';
import {isUnderWay} from '../lists/login-rows.ts';
import {loginText, serverText, type Tone} from '../../state/entities/status-text.ts';
import {serverId} from '../../state/entities/server.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {followConsole} from './follow-console.ts';

/** The dashboard brought in line with the core: what is settled leaves the screen. */
export function reconcile(ui: UiState, snapshot: Snapshot): UiState {
	const read = noteLog(followConsole(ui, snapshot), snapshot);
	return followAnswered(showOutcome(showTrouble(read, snapshot), snapshot), snapshot);
}

/** Marks the shown lines of the log as read; another gateway numbers them from the start. */
function noteLog(ui: UiState, {log}: Snapshot): UiState {
	const newest = log.at(-1)?.seq ?? 0;
	const readLog = ui.view === 'log' ? newest : Math.min(ui.readLog, newest);
	return readLog === ui.readLog ? ui : {...ui, readLog};
}

/** The line about something that a call has begun is replaced by its outcome once its row shows that. */
function showOutcome(ui: UiState, snapshot: Snapshot): UiState {
	const awaited = ui.toast?.awaited;
	const row = awaited?.kind === 'calls' ? awaited.row : undefined;
	const outcome = row && observedResult(row, snapshot);
	const added = outcome && row.kind === 'server' && !row.before ? awaitedRow(row.server, snapshot) : undefined;
	return added && wantsLogin(added)
		? withLoginHint(ui, added)
		: outcome
			? withToast(ui, outcome.text, outcome.tone)
			: ui;
}

/** A server that was just added and can do nothing without a login: its row is picked, so that the key for it means this server. */
function withLoginHint(ui: UiState, row: ServerRow): UiState {
	const picked = {...ui, selected: {...ui.selected, overview: serverId(row)}};
	return withToast(picked, `${row.server} needs a login: L logs in`, 'notice');
}

function wantsLogin({state, login}: ServerRow): boolean {
	return state === 'needs-login' || (state === 'failed' && login === 'asked-for');
}

/** So many causes are remembered. */
const maxShownTroubles = 50;

/**
The newest warning or error is shown for a moment, unless it only repeats what was shown. Nothing but the end of its calls replaces what is said of
something under way: the mark of the log counts the others.
*/
function showTrouble(ui: UiState, snapshot: Snapshot): UiState {
	const newest = snapshot.log.at(-1)?.seq ?? 0;
	if (newest <= ui.seenLog) {
		return ui;
	}

	const unseen = snapshot.log.slice(snapshot.log.findLastIndex(row => row.seq <= ui.seenLog) + 1);
	const causes = new Map(unseen.map(row => [causeOf(row), row]));
	causes.delete(undefined);
	const added = [...causes].filter(([cause = '']) => !ui.shownTroubles.includes(cause) && !ui.toast?.awaited);
	const trouble = added
		.map(([, row]) => row)
		.toSorted((first, second) => first.seq - second.seq)
		.at(-1);
	const shownTroubles = [...ui.shownTroubles, ...added.map(([cause = '']) => cause)].slice(-maxShownTroubles);
	const seen = {...ui, seenLog: newest, shownTroubles};
	return trouble ? withToast(seen, troubleText(trouble), trouble.level === 'error' ? 'bad' : 'busy') : seen;
}

/** A line of the log; the answer to a command without its area. */
function troubleText({area, text}: LogRow): string {
	return area === 'commands' ? text : `${area}: ${text}`;
}

type Outcome = {readonly text: string; readonly tone: Tone};

/** The outcome that a row shows; undefined while it is under way. */
function observedResult(awaited: AwaitedRow, snapshot: Snapshot): Outcome | undefined {
	switch (awaited.kind) {
		case 'server': {
			const row = awaitedRow(awaited.server, snapshot);
			return row === undefined || row === awaited.before ? undefined : serverOutcome(row);
		}

		case 'webhooks':
			return snapshot.webhook === awaited.before ? undefined : webhookOutcome(snapshot.webhook);
		case 'login':
			return loginOutcome(awaited, snapshot);
		case 'approval':
			return approvalOutcome(awaited, snapshot);
		case 'demo':
			return snapshot.gateway.phase === 'running' && snapshot.gateway.demo
				? {text: 'the demo is running', tone: 'good'}
				: undefined;
		case 'reload': {
			const line = snapshot.log.findLast(row => row.area === 'reload' && row.seq > awaited.after);
			return line && {text: line.text, tone: line.level === 'error' ? 'bad' : 'good'};
		}
	}
}

/** A login that ended, or that waits for a person now. */
function loginOutcome(
	{server, profile, before}: Extract<AwaitedRow, {kind: 'login'}>,
	{logins}: Snapshot,
): Outcome | undefined {
	const row = logins.find(login => login.server === server && login.profile === profile);
	if (!row || row === before || (isUnderWay(row) && (!waitsForPerson(row) || row.state === before?.state))) {
		return undefined;
	}

	const {word, tone} = loginText[row.state];
	const reason = row.reason ?? '';
	return {text: `login to ${server} ${word}${reason === '' ? '' : `: ${reason}`}`, tone};
}

/** A call that is made once more and waits for its approval. Another gateway may have a window of the same number. */
function approvalOutcome(
	{registeredName, server, tool}: Extract<AwaitedRow, {kind: 'approval'}>,
	{approvals, console}: Snapshot,
): Outcome | undefined {
	const isWaiting = approvals.some(
		row =>
			row.registeredName === registeredName &&
			row.askedAt === undefined &&
			isFromConsole(row.origin, ownConsoleName(console)),
	);
	return isWaiting
		? {text: uiText`${toolText({server, tool})} waits for your approval · A`, tone: 'notice'}
		: undefined;
}

function serverOutcome(row: ServerRow): Outcome | undefined {
	if (row.state === 'connecting' || row.state === 'stopped') {
		return undefined;
	}

	const {word, tone} = serverText[row.state];
	const tools = row.state === 'connected' ? uiText` · ${row.tools} ${row.tools === 1 ? 'tool' : 'tools'}` : '';
	return {text: `${row.server} ${word}${tools}${row.reason ? `: ${row.reason}` : ''}`, tone};
}

function webhookOutcome(webhook: WebhookRow): Outcome | undefined {
	switch (webhook.state) {
		case 'off':
			return undefined;
		case 'listening':
			return {text: `webhooks listen at ${webhook.url}`, tone: 'good'};
		case 'failed':
			return {text: `webhooks failed: ${webhook.reason}`, tone: 'bad'};
	}
}

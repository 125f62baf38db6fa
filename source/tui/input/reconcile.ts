import {type ServerRow, type Snapshot, type WebhookRow} from '../../state/snapshot.ts';
import {followAnswered} from '../approval/settled.ts';
import {formOf, withForm} from '../state/form-mode.ts';
import {sentHint} from '../state/mode.ts';
import {causeOf} from '../state/troubles.ts';
import {type Awaited, awaitedRow, type UiState, withMode, withReview, withToast} from '../state/ui-state.ts';
import {serverText, type Tone} from '../../state/entities/status-text.ts';
import {serverId} from '../lists/server-rows.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {followConsole} from './follow-console.ts';
import {rowOutcome} from './awaited-rows.ts';

/** The dashboard brought in line with the core: what is settled leaves the screen, a refusal is shown. */
export function reconcile(ui: UiState, snapshot: Snapshot): UiState {
	const read = noteLog(followConsole(ui, snapshot), snapshot);
	return followAnswered(showRefusal(showOutcome(showTrouble(read, snapshot), snapshot), snapshot), snapshot);
}

/** Marks the shown lines of the log as read; another gateway numbers them from the start. */
function noteLog(ui: UiState, {log}: Snapshot): UiState {
	const newest = log.at(-1)?.seq ?? 0;
	const readLog = ui.view === 'log' ? newest : Math.min(ui.readLog, newest);
	return readLog === ui.readLog ? ui : {...ui, readLog};
}

/** An answer that was refused waits no longer: the line under it says why. */
function showRefusal(ui: UiState, {refusal}: Snapshot): UiState {
	if (!refusal || refusal === ui.seenRefusal) {
		return ui;
	}

	const {mode} = ui;
	const seen = {...ui, seenRefusal: refusal};
	const hint = `refused: ${refusal.reason}`;
	const form = formOf(ui);
	if (mode.kind === 'review' && mode.cardId === refusal.id && mode.hint === sentHint) {
		return withReview(seen, {hint});
	}

	if (mode.kind === 'proposal' && mode.id === refusal.id && mode.hint === sentHint) {
		return withMode(seen, {...mode, hint});
	}

	if (mode.kind === 'login' && mode.server === refusal.id) {
		const {sent: _, ...page} = mode;
		return withMode(seen, {...page, refused: refusal.reason});
	}

	const isForm = form?.owner.kind === 'question' && form.owner.id === refusal.id && form.hint === sentHint;
	return isForm ? withForm(seen, {hint}) : seen;
}

/** The toast of something under way is replaced by its outcome once it has ended. */
function showOutcome(ui: UiState, snapshot: Snapshot): UiState {
	const awaited = ui.toast?.awaited;
	const outcome = awaited && outcomeOf(awaited, snapshot);
	const added =
		outcome && awaited.kind === 'server' && !awaited.before ? awaitedRow(awaited.server, snapshot) : undefined;
	return added && wantsLogin(added)
		? withLoginHint(ui, added)
		: outcome
			? withToast(ui, outcome.text, outcome.tone)
			: ui;
}

/** A server that was just added and can do nothing without a login: its row is picked, so that the key for it means this server. */
function withLoginHint(ui: UiState, row: ServerRow): UiState {
	const picked = {...ui, selected: {...ui.selected, overview: serverId(row)}};
	return withToast(picked, `${row.server} wants a login: L logs in`, 'notice');
}

function wantsLogin({state, login}: ServerRow): boolean {
	return state === 'needs-login' || (state === 'failed' && login === 'asked-for');
}

/** So many causes are remembered. */
const maxShownTroubles = 50;

/**
A refused command comes back as a log line, so the newest warning or error is shown for a moment, unless it only repeats what was shown. Nothing but
an answer to a command replaces what is said of something under way: the mark of the log counts the others.
*/
function showTrouble(ui: UiState, snapshot: Snapshot): UiState {
	const newest = snapshot.log.at(-1)?.seq ?? 0;
	if (newest <= ui.seenLog) {
		return ui;
	}

	const unseen = snapshot.log.slice(snapshot.log.findLastIndex(row => row.seq <= ui.seenLog) + 1);
	const causes = new Map(unseen.map(row => [causeOf(row), row]));
	causes.delete(undefined);
	const added = [...causes].filter(
		([cause = '', {area}]) => !ui.shownTroubles.includes(cause) && (!ui.toast?.awaited || area === 'commands'),
	);
	const trouble = added
		.map(([, row]) => row)
		.toSorted((first, second) => first.seq - second.seq)
		.at(-1);
	const shownTroubles = [...ui.shownTroubles, ...added.map(([cause = '']) => cause)].slice(-maxShownTroubles);
	const seen = {...ui, seenLog: newest, shownTroubles};
	return trouble
		? withToast(seen, `${trouble.area}: ${trouble.text}`, trouble.level === 'error' ? 'bad' : 'busy')
		: seen;
}

type Outcome = {readonly text: string; readonly tone: Tone};

/** The outcome of a command as the snapshot shows it; undefined while it is under way. */
function outcomeOf(awaited: Awaited, snapshot: Snapshot): Outcome | undefined {
	switch (awaited.kind) {
		case 'server': {
			const row = awaitedRow(awaited.server, snapshot);
			return row === undefined || row === awaited.before ? undefined : serverOutcome(row);
		}

		case 'webhooks':
			return snapshot.webhook === awaited.before ? undefined : webhookOutcome(snapshot.webhook);
		case 'route':
		case 'job':
		case 'run':
		case 'new-run':
		case 'replay':
		case 'login':
		case 'repeat':
		case 'gone':
		case 'denials':
		case 'hold':
			return rowOutcome(awaited, snapshot);
		case 'demo':
			return snapshot.gateway.phase === 'running' && snapshot.gateway.demo
				? {text: 'the demo runs', tone: 'good'}
				: undefined;
		case 'reload': {
			const line = snapshot.log.findLast(row => row.area === 'reload' && row.seq > awaited.after);
			return line && {text: line.text, tone: line.level === 'error' ? 'bad' : 'good'};
		}
	}
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

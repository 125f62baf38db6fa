import {type KeyNames} from '../../state/entities/entity.ts';
import {ownConsoleName} from '../../state/console-state.ts';
import {isFromConsole, type Origin} from '../../state/origin.ts';
import {type CallRow, type RunRow, type ServerRow, type Snapshot} from '../../state/snapshot.ts';
import {viewTitle} from '../components/list-lines.ts';
import {callListRow} from '../lists/call-rows.ts';
import {labelled, labelledStatus} from '../lists/list-row.ts';
import {isUnderWay} from '../lists/login-rows.ts';
import {serverId} from '../../state/entities/server.ts';
import {installerOf} from '../lists/server-rows.ts';
import {proposalLines} from '../lists/question-rows.ts';
import {runListRow} from '../lists/run-rows.ts';
import {viewRows} from '../lists/view-rows.ts';
import {viewLabel} from '../lists/view-table.ts';
import {keyNames} from '../state/key-names.ts';
import {type Mode, type PageMode} from '../state/mode.ts';
import {missingText, type UiContext, type UiState} from '../state/ui-state.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, ruleLine, span} from '../text/span.ts';
import {callText, glyphs, loginText} from '../../state/entities/status-text.ts';
import {settledLines} from '../approval/settled.ts';
import {faultPage} from '../components/fault-lines.ts';
import {helpLines} from './help-lines.ts';
import {loginScreenLines} from './login-screen.ts';
import {detailPage, pageCall} from './traced-row.ts';
import {pageLines, subjectText, type Wording} from './page-lines.ts';
import {commandLines, editLines, editTitle} from './program-pages.ts';
import {shownName} from '../../util/safe-text.ts';
import {textRows} from '../text/value-rows.ts';

/** The text that is open for reading, in lines. `now` is for ages in it. */
export function shownText(
	ui: UiState,
	{snapshot, readOnly, ownKeys}: Pick<UiContext, 'snapshot' | 'readOnly' | 'ownKeys'>,
	now: number,
): readonly Line[] {
	const {mode, size} = ui;
	const width = size.columns;
	const keys = keyNames({readOnly, snapshot});
	switch (mode.kind) {
		case 'help':
			return helpLines(width, keys.offers, snapshot.console, {
				first: mode.scopes,
				typed: mode.field.value,
				ownKeys,
			});
		case 'faults':
			return faultPage(snapshot, width);
		case 'page':
			return pageText(mode, {ui, snapshot, width, now, keys});
		case 'login':
			return loginScreenLines(mode, snapshot, {size, now, readOnly});
		case 'proposal': {
			const proposal = snapshot.proposals.find(({id}) => id === mode.id);
			return proposal ? proposalLines(proposal, width) : [];
		}

		case 'settled':
			return settledLines(mode, snapshot, width);
		case 'manual-call':
			return manualCallLines(mode, snapshot, {width, keys});
		case 'edit':
			return editLines(mode, width);
		case 'command':
			return commandLines(mode, width);
		case 'detail':
			return rowText(mode, {ui, snapshot, width, now, keys});
		case 'browse':
		case 'trace':
		case 'call-rule':
		case 'review':
		case 'form':
		case 'form-text':
		case 'deny-message':
		case 'confirm':
		case 'copy':
		case 'prompt':
		case 'palette':
		case 'filter':
		case 'add-server':
			return [];
	}
}

type DrawnAt = Pick<UiContext, 'snapshot'> & {
	readonly ui: UiState;
	readonly width: number;
	readonly now: number;
	readonly keys: KeyNames;
};

/** A page of the gateway, in lines. Work that is still under way is shown as it is now. */
function pageText({subject, profile, part}: PageMode, {ui, snapshot, width, now, keys}: DrawnAt): readonly Line[] {
	const missing = missingText(ui, pageCall(subject, profile, part));
	const run = subject.kind === 'run' ? snapshot.runs.find(({runId}) => runId === subject.runId) : undefined;
	const call = subject.kind === 'call' ? snapshot.calls.find(({callId}) => callId === subject.callId) : undefined;
	const row = run ? runListRow(run) : call && callListRow(call);
	return row?.detail(width, now, keys) ?? pageLines(subject, snapshot.page, {width, part, missing});
}

/** The details of a row, in lines, with the last event whose delivery failed there; later parts of that are shown alone. */
function rowText(
	{id, part = 1}: Extract<Mode, {kind: 'detail'}>,
	{ui, snapshot, width, now, keys}: DrawnAt,
): readonly Line[] {
	const {view} = ui;
	const row = viewRows(view, snapshot, '').find(candidate => candidate.id === id);
	const stored = detailPage(view, id, snapshot);
	const missing = stored ? missingText(ui, pageCall(stored.subject, stored.profile, part)) : '';
	const more = stored ? pageLines(stored.subject, snapshot.page, {width, part, missing}) : [];
	return row ? [...(part === 1 ? row.detail(width, now, keys) : []), ...more] : [[span(' this row is gone', 'dim')]];
}

/** A manual call in lines: what it is waiting for, or its outcome and result. While it is under way, `RunningCall` is drawn below them. */
function manualCallLines(
	mode: {readonly requestId: string; readonly name: string},
	snapshot: Snapshot,
	{width, keys}: {readonly width: number; readonly keys: KeyNames},
): readonly Line[] {
	const result = snapshot.manualCall;
	if (result?.requestId !== mode.requestId) {
		return [
			...labelled('tool', mode.name, width),
			...(waitsForApproval(mode.name, snapshot) ? [[span(waitingWords(keys), 'notice')]] : []),
		];
	}

	return [
		...labelled('tool', result.name, width),
		labelledStatus('outcome', callText[result.outcome]),
		ruleLine('result', width),
		...textRows(result.text, width),
	];
}

function waitingWords({named}: KeyNames): string {
	const key = named('review', 'to review it');
	return ` ${glyphs.approval} waits for your approval${key === '' ? '' : uiText` · press ${key}`}`;
}

/** A manual call that has not ended and needs no approval; `call` is absent until its server has it. */
export function manualCallUnderWay(
	{mode}: Pick<UiState, 'mode'>,
	snapshot: Snapshot,
): {readonly call: CallRow | undefined} | undefined {
	return mode.kind !== 'manual-call' ||
		snapshot.manualCall?.requestId === mode.requestId ||
		waitsForApproval(mode.name, snapshot)
		? undefined
		: {call: snapshot.calls.filter(({node}) => node === undefined).findLast(isManual(mode.name, snapshot))};
}

/** The pending work on the open page and its start; undefined if nothing is pending. */
export function pageUnderWay(
	{mode, view}: Pick<UiState, 'mode' | 'view'>,
	{runs, servers, logins, trace}: Snapshot,
): {readonly words: string; readonly since: number} | undefined {
	if (mode.kind === 'login') {
		const login = logins.find(row => row.server === mode.server && row.profile === mode.profile);
		// A login that waits for a person shows no progress.
		return login && isUnderWay(login) && !login.state.startsWith('awaiting')
			? {words: loginText[login.state].word, since: login.changedAt}
			: undefined;
	}

	const run = runs.find(({runId}) => runId === shownRun({mode, view}, trace));
	if (run) {
		return runUnderWay(run);
	}

	const server =
		view === 'overview' && mode.kind === 'detail' ? servers.find(row => serverId(row) === mode.id) : undefined;
	return server?.state === 'connecting' ? {words: connectingWords(server), since: server.changedAt} : undefined;
}

/** The run that is open, by its row, its page or its trace. */
function shownRun({mode, view}: Pick<UiState, 'mode' | 'view'>, trace: Snapshot['trace']): string | undefined {
	if (mode.kind === 'trace') {
		const isShown = trace?.subject.kind === mode.subject.kind && trace.subject.id === mode.subject.id;
		return isShown ? trace.runId : undefined;
	}

	if (mode.kind === 'page') {
		return mode.subject.kind === 'run' ? mode.subject.runId : undefined;
	}

	return mode.kind === 'detail' && view === 'runs' ? mode.id : undefined;
}

function runUnderWay({state, waitingFor, steps, startedAt, delivering}: RunRow): ReturnType<typeof pageUnderWay> {
	if (delivering) {
		return {words: `delivering to ${delivering.target}`, since: delivering.since};
	}

	const step = steps.findLast(one => one.state === 'running');
	return state === 'running' && waitingFor === 'nothing'
		? {words: step ? `calls ${shownName(step.tool)}` : 'the model answers', since: startedAt}
		: undefined;
}

function connectingWords(server: ServerRow): string {
	const installer = installerOf(server);
	return installer === undefined ? 'connecting' : `connecting; ${installer} may have to install it first`;
}

function waitsForApproval(name: string, snapshot: Snapshot): boolean {
	return snapshot.approvals.filter(({askedAt}) => askedAt === undefined).some(isManual(name, snapshot));
}

function isManual(name: string, {console}: Snapshot) {
	return (row: {readonly registeredName: string; readonly origin: Origin}): boolean =>
		row.registeredName === name && isFromConsole(row.origin, ownConsoleName(console));
}

/** The title of the open text. */
export function readingTitle(ui: UiState, snapshot: Snapshot, wording: Wording): string {
	const {mode} = ui;
	switch (mode.kind) {
		case 'help':
			return 'Keys';
		case 'faults':
			return 'Faults';
		case 'page':
			return snapshot.page && wording === 'full' && subjectText(snapshot.page.subject) === subjectText(mode.subject)
				? snapshot.page.title
				: subjectText(mode.subject, wording);
		case 'login':
			return loginTitle(mode.server, snapshot);
		case 'proposal':
			return proposalTitle(mode.id, snapshot, wording);
		case 'settled':
			return mode.title;
		case 'manual-call':
			return 'Call by hand';
		case 'edit':
			return editTitle(mode);
		case 'command':
			return mode.title;
		case 'detail':
			return detailTitle(ui, mode.id, {snapshot, wording});
		case 'browse':
		case 'trace':
		case 'call-rule':
		case 'review':
		case 'form':
		case 'form-text':
		case 'deny-message':
		case 'confirm':
		case 'copy':
		case 'prompt':
		case 'palette':
		case 'filter':
		case 'add-server':
			return viewLabel(ui.view);
	}
}

/** A server is named by its page; other rows say in their first lines what they are. */
function detailTitle(
	ui: UiState,
	rowId: string,
	{snapshot, wording}: {readonly snapshot: Snapshot; readonly wording: Wording},
): string {
	const subject = detailPage(ui.view, rowId, snapshot)?.subject;
	if (subject?.kind === 'server') {
		return uiText`${viewLabel(ui.view)} · ${subject.server}`;
	}

	return wording === 'short' ? viewLabel(ui.view) : uiText`${viewTitle(ui.view, ui, snapshot)} · details`;
}

function loginTitle(server: string, {logins}: Snapshot): string {
	const index = logins.findIndex(row => row.server === server);
	return `Login ${server}${logins.length > 1 && index !== -1 ? uiText` · ${index + 1} of ${logins.length}` : ''}`;
}

function proposalTitle(id: string, {proposals}: Snapshot, wording: 'short' | 'full'): string {
	const index = proposals.findIndex(row => row.id === id);
	const words = wording === 'short' ? 'Install?' : 'Install a tool server?';
	return uiText`${words} · ${index + 1} of ${proposals.length}`;
}

import {isOwnGateway} from '../../state/console-state.ts';
import {type LoginRow, type ServerRow} from '../../state/snapshot.ts';
import {faultTexts} from '../components/fault-lines.ts';
import {jobId} from '../../state/entities/job.ts';
import {loginOf} from '../lists/login-rows.ts';
import {serverId} from '../../state/entities/server.ts';
import {follows, hasTab} from '../lists/view-table.ts';
import {isAtWork} from '../../state/waiting.ts';
import {notedRun} from '../pages/noted-run.ts';
import {traceEntries} from '../pages/trace-page.ts';
import {formOf} from '../state/form-mode.ts';
import {isFirstRun} from '../state/first-run.ts';
import {isOffered, keyNames, needsGateway} from '../state/key-names.ts';
import {type Action} from '../state/keymap.ts';
import {isSearchable} from '../state/mode.ts';
import {listPosition, pickedId, pickedRoute, pickedServer, withoutOpenFold} from '../state/selection.ts';
import {type UiContext, type UiState} from '../state/ui-state.ts';
import {type CopyPart, isWithout} from './copy-actions.ts';
import {hasNoEntry} from './entry-actions.ts';
import {pickedEvent, pickedFailures} from './event-actions.ts';
import {shownLogins} from './login-actions.ts';
import {hasNoRequest, isUnmarkable} from './mark-actions.ts';
import {hasNoLogin, isForFoldedRow} from './row-actions.ts';
import {hasNoRule, isUnremovable} from './rule-actions.ts';
import {isUnsortable} from './screen-actions.ts';
import {isAllShown} from './waiting-items.ts';

/** True if the key of an action would do nothing here and now, so that the footer need not offer it. */
export function isDisabled(action: Action, ui: UiState, context: DisabledContext): boolean {
	const {console} = context.snapshot;
	const isNothing = (console.state === 'lost' && needsGateway(action)) || isForFoldedRow(action, ui, context);
	return isNothing || !isOffered(action, keyNames(context).offers) || disabled[action]?.(ui, context) === true;
}

type DisabledContext = UiContext & {
	/** True if all of the open text is on the screen. */
	readonly textFits: boolean | undefined;
};

type Disables = (ui: UiState, context: DisabledContext) => boolean;

const isEmpty: Disables = (ui, {snapshot}) => ui.view === 'overview' && isFirstRun(snapshot);
const hasNoRow: Disables = (ui, {snapshot}) => listPosition(ui, ui.view, snapshot).rows.length === 0;
const hasNoServer: Disables = (ui, {snapshot}) => pickedServer(ui, snapshot) === undefined;
const isNoServerThat =
	(test: (server: ServerRow) => boolean): Disables =>
	(ui, {snapshot}) => {
		const id = pickedId(ui, snapshot);
		return !snapshot.servers.some(row => serverId(row) === id && test(row));
	};
const isNotUncertain: Disables = (ui, {snapshot}) =>
	ui.view === 'you' && pickedId(ui, snapshot)?.startsWith('uncertain-') !== true;
const hasNoEvent: Disables = (ui, context) => pickedEvent(ui, context) === undefined;
const hasNoJob: Disables = (ui, {snapshot}) => {
	const id = pickedId(ui, snapshot);
	return !snapshot.jobs.some(row => jobId(row) === id);
};
const isOnLogin =
	(test: (login: LoginRow | undefined) => boolean): Disables =>
	(ui, {snapshot}) =>
		ui.mode.kind === 'login' && test(loginOf(ui.mode, snapshot));
const isWithoutPart =
	(part: CopyPart): Disables =>
	(ui, context) =>
		isWithout(part, ui, context);
/** A run is cancelled while it goes on, and written to when it does not; an inbox item is answered or dismissed. */
const isNoRunThat =
	(does: 'goes on' | 'waits for words' | 'is an inbox item'): Disables =>
	(ui, {snapshot}) => {
		const id = pickedId(ui, snapshot);
		const state = snapshot.runs.find(({runId}) => runId === id)?.state;
		switch (does) {
			case 'goes on':
				return state !== 'running' && state !== 'queued';
			case 'waits for words':
				return state === undefined || state === 'running' || state === 'queued';
			case 'is an inbox item':
				return state !== 'inbox';
		}
	};
const isRouteWithoutPause: Disables = (ui, {snapshot}) => {
	const state = pickedRoute(ui, snapshot)?.state;
	return state !== 'served' && state !== 'paused';
};
const hasNoOtherTrouble: Disables = (ui, {snapshot}) => {
	const {rows, index} = listPosition(ui, ui.view, snapshot);
	return !rows.some(({trouble}, other) => trouble && other !== index);
};
const cannotMove: Disables = (ui, {snapshot, textFits}) =>
	ui.mode.kind === 'trace' ? traceEntries(ui.mode, ui.view, snapshot).entries.length < 2 : textFits === true;
const hasNoHit: Disables = ({mode}) => isSearchable(mode) && mode.found?.rows.length === 0;

const hasNothingToLeave: Disables = (ui, {snapshot}) =>
	ui.mode.kind === 'browse' &&
	hasTab(ui.view) &&
	(ui.filters[ui.view] ?? '') === '' &&
	!(ui.view === 'you' && ui.marks.size > 0) &&
	withoutOpenFold(ui, snapshot) === undefined;

/** The conditions under which an action does nothing; all others always do something. */
const disabled: Readonly<Partial<Record<Action, Disables>>> = {
	'form-decline': ui => formOf(ui)?.owner.kind === 'tool',

	// Logins.
	login: (ui, context) => hasNoLogin(ui, context) || (ui.mode.kind !== 'login' && hasNoServer(ui, context)),
	'paste-redirect': isOnLogin(login => login?.flow !== 'browser'),
	'copy-code': isOnLogin(login => login?.userCode === undefined),
	'next-login': (ui, {snapshot}) => ui.mode.kind === 'login' && shownLogins(ui.mode, snapshot).length < 2,
	'view-logins': (_, {snapshot}) => snapshot.logins.length === 0,

	// The picked row of a list.
	// Only a local program has one.
	'server-log': isNoServerThat(({transport}) => transport === 'stdio'),
	'server-tools': hasNoServer,
	'server-calls': hasNoServer,
	reconnect: isNoServerThat(() => true),
	'toggle-server': isNoServerThat(() => true),
	'call-tool': (ui, {snapshot}) => {
		const id = pickedId(ui, snapshot);
		return snapshot.toolList?.tools.find(({name}) => name === id)?.state !== 'registered';
	},
	'call-again': (ui, {snapshot}) => {
		const id = pickedId(ui, snapshot);
		return snapshot.serverCalls?.calls.some(({callId}) => callId === id) !== true;
	},
	'cancel-call': (ui, {snapshot}) => {
		const id = pickedId(ui, snapshot);
		return !snapshot.calls.some(({callId, node}) => callId === id && node === undefined);
	},
	'call-happened': isNotUncertain,
	'call-did-not-happen': isNotUncertain,
	'repeat-call': isNotUncertain,
	mark: isUnmarkable,
	'mark-shown': hasNoRequest,
	'ask-to-deny': ui => ui.marks.size === 0,
	'revoke-rule': isUnremovable,
	'rehearse-without': hasNoRule,
	'edit-entry': hasNoEntry,
	'end-command': ui => ui.command === undefined,
	'dry-run': hasNoEvent,
	replay: hasNoEvent,
	'replay-failed': hasNoRow,
	'write-to-run': isNoRunThat('waits for words'),
	'write-note'(ui, {snapshot}) {
		const run = notedRun(ui, snapshot);
		return !run || !isAtWork(run);
	},
	'cancel-run': isNoRunThat('goes on'),
	'close-item': isNoRunThat('is an inbox item'),
	'run-job': hasNoJob,
	'pause-job': hasNoJob,
	'pause-route': isRouteWithoutPause,
	'open-handshake': (ui, {snapshot}) => pickedRoute(ui, snapshot)?.state !== 'served',
	'dismiss-deliveries': (ui, context) => pickedFailures(ui, context).length === 0,
	open: (ui, context) =>
		ui.mode.kind === 'trace'
			? traceEntries(ui.mode, ui.view, context.snapshot).entries.length === 0
			: isEmpty(ui, context) || hasNoRow(ui, context),
	copy: isOnLogin(login => (login?.verificationUri ?? login?.authorizationUrl) === undefined),
	'copy-id': isWithoutPart('id'),
	'copy-row': isWithoutPart('row'),
	'copy-arguments': isWithoutPart('arguments'),
	'copy-body': isWithoutPart('body'),
	'copy-result': isWithoutPart('result'),
	'copy-command': isWithoutPart('command'),

	// The gateway.
	'enable-webhooks': (_, {snapshot}) => snapshot.webhook.state === 'listening',
	'start-demo': (_, {snapshot}) => !isOwnGateway(snapshot.console),

	// Moving and reading.
	back: hasNothingToLeave,
	down: cannotMove,
	'find-next': hasNoHit,
	'find-previous': hasNoHit,
	review: isAllShown,
	'show-faults': (_, {snapshot}) => faultTexts(snapshot).length === 0,
	filter: (ui, context) => isEmpty(ui, context) || (hasNoRow(ui, context) && (ui.filters[ui.view] ?? '') === ''),
	follow: (ui, context) => !follows(ui.view, ui.sort) || hasNoRow(ui, context),
	sort: (ui, context) => isUnsortable(ui) || hasNoRow(ui, context),
	reverse: (ui, context) => isUnsortable(ui) || hasNoRow(ui, context),
	'next-trouble': hasNoOtherTrouble,
};

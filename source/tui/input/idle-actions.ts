import {isOwnGateway} from '../../state/console-state.ts';
import {type LoginRow} from '../../state/snapshot.ts';
import {waitingCount} from '../../state/waiting.ts';
import {faultTexts} from '../components/fault-lines.ts';
import {follows} from '../lists/view-table.ts';
import {formOf} from '../state/form-mode.ts';
import {isFirstRun} from '../state/first-run.ts';
import {isOffered, keyNames, needsGateway} from '../state/key-names.ts';
import {type Action} from '../state/keymap.ts';
import {listPosition, pickedId, selectedRow} from '../state/selection.ts';
import {type UiContext, type UiState} from '../state/ui-state.ts';
import {type CopyPart, isWithout} from './copy-actions.ts';
import {pickedFailures} from './event-actions.ts';
import {loginOf} from './login-actions.ts';
import {hasNoRequest, isUnmarkable} from './mark-actions.ts';
import {hasNoLogin, isForFoldedRow} from './row-actions.ts';
import {hasNoRule, isUnremovable} from './rule-actions.ts';
import {isUnsortable} from './screen-actions.ts';

/** Whether the key of an action would do nothing here and now, so that the footer need not offer it. */
export function isIdle(action: Action, ui: UiState, context: UiContext): boolean {
	const {console} = context.snapshot;
	const isNothing = (console.state === 'lost' && needsGateway(action)) || isForFoldedRow(action, ui, context);
	return isNothing || !isOffered(action, keyNames(context).offers) || idle[action]?.(ui, context) === true;
}

type Idle = (ui: UiState, context: UiContext) => boolean;

const isEmpty: Idle = (ui, {snapshot}) => ui.view === 'overview' && isFirstRun(snapshot);
const isNotUncertain: Idle = (ui, {snapshot}) =>
	ui.view === 'you' && pickedId(ui, snapshot)?.startsWith('uncertain-') !== true;
const isOnLogin =
	(test: (login: LoginRow | undefined) => boolean): Idle =>
	(ui, {snapshot}) =>
		ui.mode.kind === 'login' && test(loginOf(ui.mode, snapshot));
const isWithoutPart =
	(part: CopyPart): Idle =>
	(ui, context) =>
		isWithout(part, ui, context);

/** When an action would do nothing; those that are not here always do something. */
const idle: Readonly<Partial<Record<Action, Idle>>> = {
	'form-decline': ui => formOf(ui)?.owner.kind === 'tool',

	// Logins.
	login: hasNoLogin,
	'paste-redirect': isOnLogin(login => login?.flow !== 'browser'),
	'copy-code': isOnLogin(login => login?.userCode === undefined),
	'next-login': (ui, {snapshot}) => ui.mode.kind === 'login' && snapshot.logins.length < 2,
	'view-logins': (_, {snapshot}) => snapshot.logins.length === 0,

	// The picked row of a list.
	'server-tools': isNotUncertain,
	'call-happened': isNotUncertain,
	'call-did-not-happen': isNotUncertain,
	'repeat-call': isNotUncertain,
	mark: isUnmarkable,
	'mark-shown': hasNoRequest,
	'ask-to-deny': ui => ui.marks.size === 0,
	'revoke-rule': isUnremovable,
	'rehearse-without': hasNoRule,
	'dismiss-deliveries': (ui, context) => pickedFailures(ui, context).length === 0,
	open: (ui, context) => isEmpty(ui, context) || selectedRow(ui, context.snapshot) === undefined,
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

	// What is looked at.
	review: (_, {snapshot}) => waitingCount(snapshot) === 0,
	'show-faults': (_, {snapshot}) => faultTexts(snapshot).length === 0,
	filter: isEmpty,
	follow: ui => !follows(ui.view, ui.sort),
	sort: isUnsortable,
	reverse: isUnsortable,
	'next-trouble': (ui, {snapshot}) => !listPosition(ui, ui.view, snapshot).rows.some(({trouble}) => trouble),
};

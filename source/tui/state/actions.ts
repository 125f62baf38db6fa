import {type ViewName} from '../lists/view-table.ts';

/** Moving the selection or the text. */
export const moves = ['up', 'down', 'top', 'bottom', 'page-up', 'page-down'] as const;

export type Move = (typeof moves)[number];

/** What only the review screen knows. */
export const reviewActions = [
	'deny',
	'deny-default',
	'deny-with-message',
	'approve-once',
	'approve-session',
	'open-always',
	'approve-always',
	'leave-always',
	'next-request',
	'previous-request',
] as const;

export type ReviewAction = (typeof reviewActions)[number];

/** What only the page with all of a request knows. */
export const wholeActions = ['open-whole', 'leave-whole', 'unmask', 'find', 'find-next', 'find-previous'] as const;

export type WholeAction = (typeof wholeActions)[number];

/** What only forms know. */
export const formActions = [
	'form-next',
	'form-previous',
	'form-pick',
	'form-submit',
	'form-decline',
	'form-leave',
] as const;

export type FormAction = (typeof formActions)[number];

/** What only the dialog of a server that wants to be installed knows. */
export const proposalActions = ['install', 'rename', 'refuse-install'] as const;

export type ProposalAction = (typeof proposalActions)[number];

/** What only the page of a settled request knows. */
export const settledActions = ['next-waiting'] as const;

export type SettledAction = (typeof settledActions)[number];

/** What logins know. */
export const loginActions = [
	'login',
	'login-device',
	'login-browser',
	'paste-redirect',
	'cancel-login',
	'copy-code',
	'next-login',
	'previous-login',
] as const;

export type LoginAction = (typeof loginActions)[number];

/** What a row of a list can be told to do; the list decides what it means. */
export const rowActions = [
	'server-log',
	'server-tools',
	'call-tool',
	'cancel-call',
	'call-happened',
	'call-did-not-happen',
	'repeat-call',
	'revoke-rule',
	'show-rules',
	'dry-run',
	'replay',
	'end-run',
	'write-to-run',
	'new-run',
	'run-job',
	'pause-job',
	'pause-route',
] as const;

export type RowAction = (typeof rowActions)[number];

/** Actions that send a command to the core, or ask first. */
export const commandActions = [
	'reconnect',
	'toggle-server',
	'add-server',
	'start-demo',
	'enable-webhooks',
	'confirm',
	'refuse',
	'quit',
	'force-quit',
] as const;

export type CommandAction = (typeof commandActions)[number];

/** What changes the view, the owner of the keys or the window itself. */
export type ScreenAction =
	| `view-${ViewName}`
	| 'next-view'
	| 'previous-view'
	| 'open'
	| 'back'
	| 'review'
	| 'palette'
	| 'filter'
	| 'help'
	| 'redraw'
	| 'follow'
	| 'complete'
	| 'copy'
	| 'next-theme'
	| 'suspend';

/** Everything a key can do. */
export type Action =
	| Move
	| ReviewAction
	| WholeAction
	| FormAction
	| ProposalAction
	| SettledAction
	| LoginAction
	| RowAction
	| CommandAction
	| ScreenAction;

/** Whether an action is one of these. */
export function isOneOf<Name extends Action>(names: readonly Name[], action: Action): action is Name {
	return names.some(name => name === action);
}

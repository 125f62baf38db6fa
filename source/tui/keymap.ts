import {type ViewName} from './view-rows.ts';

/** Moving the selection or the text. */
export type Move = 'up' | 'down' | 'top' | 'bottom' | 'page-up' | 'page-down';

/** What only the review screen knows. */
export type ReviewAction =
	| 'deny'
	| 'deny-default'
	| 'deny-with-message'
	| 'approve-once'
	| 'approve-session'
	| 'open-always'
	| 'approve-always'
	| 'leave-always'
	| 'next-request'
	| 'previous-request';

/** What orders something from the core, or asks first. */
export type OrderAction =
	| 'reconnect'
	| 'toggle-server'
	| 'add-server'
	| 'start-demo'
	| 'enable-webhooks'
	| 'close-item'
	| 'confirm'
	| 'refuse'
	| 'quit'
	| 'force-quit';

/** What changes the view or the owner of the keys. */
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
	| 'complete';

/** Everything a key can do. */
export type Action = Move | ReviewAction | OrderAction | ScreenAction;

/** Where a key means something. */
export type Scope =
	| 'global'
	| 'list'
	| ViewName
	| 'first-run'
	| 'detail'
	| 'review'
	| 'always'
	| 'confirm'
	| 'confirm-quit'
	| 'help'
	| 'text'
	| 'too-small'
	| 'everywhere';

/** One binding. `hint` is its short form for the footer; the rest is for the help page. */
export type Binding = {
	readonly scope: Scope;
	readonly keys: readonly string[];
	readonly action: Action;
	readonly words: string;
	readonly hint?: string;
};

const bind = (scope: Scope, keys: string, rest: Pick<Binding, 'action' | 'words' | 'hint'>): Binding => ({
	scope,
	keys: keys.split(' '),
	...rest,
});

/** The only table of keys. Dispatch, footer and help are made from it; the order is that of the footer. */
export const keymap: readonly Binding[] = [
	bind('review', 'd', {action: 'deny', words: 'deny', hint: 'deny'}),
	bind('review', 'enter', {action: 'deny-default', words: 'deny (the default)'}),
	bind('review', 'm', {action: 'deny-with-message', words: 'deny and say why', hint: 'deny + say why'}),
	bind('review', 'a', {action: 'approve-once', words: 'allow once', hint: 'allow once'}),
	bind('review', 's', {action: 'approve-session', words: 'allow this tool until Sluice stops', hint: 'until stop'}),
	bind('review', 'w', {action: 'open-always', words: 'always allow this tool (opens its own page)', hint: 'always'}),
	bind('review', 'n', {action: 'next-request', words: 'next request'}),
	bind('review', 'b', {action: 'previous-request', words: 'previous request'}),
	bind('review', 'J j down', {action: 'down', words: 'scroll down'}),
	bind('review', 'K k up', {action: 'up', words: 'scroll up'}),
	bind('review', 'pagedown space', {action: 'page-down', words: 'scroll a page down'}),
	bind('review', 'pageup', {action: 'page-up', words: 'scroll a page up'}),
	bind('review', 'esc', {action: 'back', words: 'back, decides nothing'}),

	bind('always', 'w', {action: 'approve-always', words: 'store it: always allow this tool', hint: 'store it'}),
	bind('always', 'enter esc', {action: 'leave-always', words: 'cancel (the default)', hint: 'cancel'}),

	bind('confirm', 'y', {action: 'confirm', words: 'yes', hint: 'yes'}),
	bind('confirm', 'n enter esc', {action: 'refuse', words: 'no (the default)', hint: 'no'}),
	bind('confirm-quit', 'ctrl+c', {action: 'force-quit', words: 'stop at once', hint: 'stop at once'}),

	bind('text', 'esc', {action: 'back', words: 'leave the field', hint: 'leave'}),
	bind('text', 'tab', {action: 'complete', words: 'complete', hint: 'complete'}),

	bind('help', 'esc ? q', {action: 'back', words: 'close this page', hint: 'close'}),
	bind('help', 'j down', {action: 'down', words: 'scroll down', hint: 'down'}),
	bind('help', 'k up', {action: 'up', words: 'scroll up', hint: 'up'}),
	bind('help', 'pagedown space', {action: 'page-down', words: 'a page down'}),
	bind('help', 'pageup', {action: 'page-up', words: 'a page up'}),

	bind('first-run', 'D', {action: 'start-demo', words: 'start the demo', hint: 'demo'}),
	bind('first-run', 'w', {action: 'enable-webhooks', words: 'turn on webhooks', hint: 'webhooks'}),
	bind('first-run', 'a', {action: 'add-server', words: 'add a tool server', hint: 'add server'}),
	bind('servers', 'a', {action: 'add-server', words: 'add a tool server', hint: 'add server'}),
	bind('servers', 'r', {action: 'reconnect', words: 'reconnect the server', hint: 'reconnect'}),
	bind('servers', 'x', {action: 'toggle-server', words: 'disable or enable the server (asks)', hint: 'on/off'}),
	bind('events', 'p f', {action: 'follow', words: 'pause or follow the newest', hint: 'pause/follow'}),
	bind('log', 'p f', {action: 'follow', words: 'pause or follow the newest', hint: 'pause/follow'}),
	bind('runs', 'x', {action: 'close-item', words: 'close the inbox item (asks)', hint: 'close item'}),

	bind('detail', 'esc left backspace', {action: 'back', words: 'back to the list', hint: 'back'}),
	bind('detail', 'j down', {action: 'down', words: 'scroll down', hint: 'scroll'}),
	bind('detail', 'k up', {action: 'up', words: 'scroll up'}),
	bind('detail', 'pagedown space', {action: 'page-down', words: 'a page down'}),
	bind('detail', 'pageup', {action: 'page-up', words: 'a page up'}),
	bind('detail', 'g home', {action: 'top', words: 'to the top'}),
	bind('detail', 'G end', {action: 'bottom', words: 'to the end'}),

	bind('list', 'enter right', {action: 'open', words: 'open the row', hint: 'open'}),
	bind('global', 'A', {action: 'review', words: 'review approvals, oldest first', hint: 'approvals'}),
	bind('list', 'j down', {action: 'down', words: 'move down'}),
	bind('list', 'k up', {action: 'up', words: 'move up'}),
	bind('list', '/', {action: 'filter', words: 'filter the list: word, key:value, !word', hint: 'filter'}),
	bind('list', 'g home', {action: 'top', words: 'to the first row'}),
	bind('list', 'G end', {action: 'bottom', words: 'to the last row; follows it where rows arrive'}),
	bind('list', 'pageup', {action: 'page-up', words: 'a page up'}),
	bind('list', 'pagedown space', {action: 'page-down', words: 'a page down'}),
	bind('list', 'esc', {action: 'back', words: 'clear the filter'}),
	bind('global', '1', {action: 'view-servers', words: 'servers'}),
	bind('global', '2', {action: 'view-approvals', words: 'approvals'}),
	bind('global', '3', {action: 'view-events', words: 'events'}),
	bind('global', '4', {action: 'view-log', words: 'log'}),
	bind('global', '5', {action: 'view-runs', words: 'runs and inbox'}),
	bind('global', 'tab', {action: 'next-view', words: 'next view', hint: 'view'}),
	bind('global', 'shift+tab', {action: 'previous-view', words: 'previous view'}),
	bind('global', ':', {action: 'palette', words: 'type a command', hint: 'command'}),
	bind('global', '?', {action: 'help', words: 'all keys', hint: 'help'}),
	bind('global', 'q', {action: 'quit', words: 'quit (asks when something is waiting)', hint: 'quit'}),
	bind('too-small', 'q', {action: 'quit', words: 'quit'}),
	bind('everywhere', 'ctrl+l', {action: 'redraw', words: 'draw the screen anew'}),
	bind('everywhere', 'ctrl+c', {action: 'quit', words: 'quit; twice stops at once'}),
];

/** What the key does: the first of these scopes that binds it. */
export function actionFor(scopes: readonly Scope[], key: string): Action | undefined {
	for (const scope of scopes) {
		const binding = keymap.find(entry => entry.scope === scope && entry.keys.includes(key));
		if (binding) {
			return binding.action;
		}
	}

	return undefined;
}

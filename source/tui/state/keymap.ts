import {tabViews, views} from '../lists/view-table.ts';
import {formKeys, textKeys} from './form-keys.ts';
import {bind, type KeyRow, type Scope} from './key-scope.ts';

const rows = [
	bind('review', 'd', {action: 'deny', words: 'deny', hint: 'deny'}),
	bind('review', 'enter', {action: 'deny-default', words: 'deny (the default)'}),
	bind('review', 'm', {action: 'deny-with-message', words: 'deny and say why', hint: 'deny + say why'}),
	bind('review', 'v', {action: 'open-full', words: 'read the whole request, with search', hint: 'all of it'}),
	bind('review', 't', {
		action: 'next-form',
		words: 'arguments as lines, with unchanged ones, or as raw JSON',
		hint: 'raw',
	}),
	bind('approve', 'a', {action: 'approve-once', words: 'allow once', hint: 'allow once'}),
	bind('approve-run', 'r', {action: 'approve-run', words: 'allow this tool for this run', hint: 'this run'}),
	bind('approve-longer', 's', {
		action: 'approve-session',
		words: 'allow this tool until Sluice stops',
		hint: 'until stop',
	}),
	bind('approve-longer', 'w', {
		action: 'open-always',
		words: 'always allow this tool (opens its own page)',
		hint: 'always',
	}),
	bind('approve-by-rule', 'p', {
		action: 'open-rule',
		words: 'propose a rule from this call (opens its own page)',
		hint: 'rule',
	}),
	bind('review', 'n', {action: 'next-request', words: 'next request'}),
	bind('review', 'b', {action: 'previous-request', words: 'previous request'}),
	bind('review', '/', {action: 'find', words: 'search'}),
	bind('review', 'J j down', {action: 'down', words: 'scroll down'}),
	bind('review', 'K k up', {action: 'up', words: 'scroll up'}),
	bind('review', 'pagedown space', {action: 'page-down', words: 'scroll a page down'}),
	bind('review', 'pageup', {action: 'page-up', words: 'scroll a page up'}),
	bind('review', 'g home', {action: 'top', words: 'scroll to the top'}),
	bind('review', 'G end', {action: 'bottom', words: 'scroll to the end; skipped text does not count as read'}),
	bind('review', 'A', {action: 'review', words: 'the request that has waited longest'}),
	bind('review', 'H', {action: 'hold', words: 'hold everything, or release it (asks)'}),
	bind('review', 'esc', {action: 'back', words: 'back, without deciding'}),

	bind('full', 'd', {action: 'deny', words: 'deny'}),
	bind('full', 'p', {action: 'open-rule', words: 'propose a rule from this call, once it was read', hint: 'rule'}),
	bind('full', '/', {action: 'find', words: 'search', hint: 'search'}),
	bind('full', 'n', {action: 'find-next', words: 'next match', hint: 'next'}),
	bind('full', 'N', {action: 'find-previous', words: 'previous match'}),
	bind('full', 't', {action: 'next-form', words: 'arguments as lines or as raw JSON', hint: 'raw'}),
	bind('full', 'u', {action: 'unmask', words: 'show or mask secret values', hint: 'unmask'}),
	bind('full', 'v esc', {action: 'leave-full', words: 'back to the request', hint: 'back'}),

	bind('always', 'w', {action: 'approve-always', words: 'store it: always allow this tool', hint: 'store it'}),
	bind('always', 'enter esc', {action: 'leave-always', words: 'cancel (the default)', hint: 'cancel'}),

	bind('rule', 'p', {action: 'store-rule', words: 'store the rule, and allow the call if it waits', hint: 'store it'}),
	bind('rule', 'down j', {action: 'next-argument', words: 'next argument', hint: 'argument'}),
	bind('rule', 'up k', {action: 'previous-argument', words: 'previous argument'}),
	bind('rule', 'right l space', {action: 'next-choice', words: 'next condition for the argument', hint: 'condition'}),
	bind('rule', 'left h', {action: 'previous-choice', words: 'previous condition for the argument'}),
	bind('rule', 'enter esc', {action: 'leave-rule', words: 'cancel (the default)', hint: 'cancel'}),

	bind('copy', 'i', {action: 'copy-id', words: 'copy its id or name', hint: 'id'}),
	bind('copy', 'r', {action: 'copy-row', words: 'copy the row, all its fields in one line', hint: 'row'}),
	bind('copy', 'a', {action: 'copy-arguments', words: 'copy the arguments of the call', hint: 'arguments'}),
	bind('copy', 'b', {action: 'copy-body', words: 'copy the body, prompt or delivered text', hint: 'body'}),
	bind('copy', 'o', {action: 'copy-result', words: 'copy the outcome: result or answer', hint: 'result'}),
	bind('copy', 'c', {action: 'copy-command', words: 'copy it as a command', hint: 'command'}),
	bind('copy', 'esc y', {action: 'back', words: 'leave without copying', hint: 'back'}),

	bind('confirm', 'y', {action: 'confirm', words: 'yes', hint: 'yes'}),
	bind('confirm', 'n enter esc', {action: 'refuse', words: 'no (the default)', hint: 'no'}),
	bind('confirm-quit', 'ctrl+c', {action: 'force-quit', words: 'stop at once', hint: 'stop at once'}),

	...formKeys,

	bind('proposal', 'i', {action: 'install', words: 'install the server', hint: 'install'}),
	bind('proposal', 'm', {action: 'rename', words: 'install it under another name', hint: 'other name'}),
	bind('proposal', 'x', {action: 'refuse-install', words: 'do not install it', hint: 'do not install'}),
	bind('proposal', 'esc', {action: 'back', words: 'back, without deciding', hint: 'back'}),

	bind('edit-valid', 'w', {action: 'write-edit', words: 'write the edited text', hint: 'write it'}),
	bind('edit', 'e', {action: 'edit-again', words: 'edit the text again', hint: 'edit again'}),
	bind('edit', 'esc', {action: 'leave-edit', words: 'drop the edited text (asks)', hint: 'drop it'}),

	bind('command', 'x', {action: 'end-command', words: 'end the command', hint: 'end it'}),
	bind('command', 'esc left backspace', {action: 'back', words: 'back, while the command continues', hint: 'back'}),

	bind('settled', 'n A', {action: 'next-waiting', words: 'next item waiting, oldest first', hint: 'next'}),
	bind('settled', 'esc', {action: 'back', words: 'back', hint: 'back'}),

	bind('login-choice', 'enter', {action: 'login-default', words: 'log in as configured', hint: 'log in'}),
	bind('login-choice', 'a', {action: 'login-device', words: 'log in on any device, with a code', hint: 'any device'}),
	bind('login-choice', 'b', {action: 'login-browser', words: 'log in with a browser', hint: 'browser'}),
	bind('login-running', 'C', {action: 'copy-code', words: 'copy the code', hint: 'copy code'}),
	bind('login-running', 'v', {
		action: 'paste-redirect',
		words: 'paste the address the browser was sent to, or its code',
		hint: 'paste',
	}),
	bind('login-running', 'x', {action: 'cancel-login', words: 'cancel the login', hint: 'cancel'}),
	bind('login', 'c', {action: 'copy', words: 'copy the address', hint: 'copy'}),
	bind('login', 'n', {action: 'next-login', words: 'next login', hint: 'next'}),
	bind('login', 'N', {action: 'previous-login', words: 'previous login'}),
	bind('login', 'esc', {action: 'back', words: 'back, while the login continues', hint: 'back'}),

	bind('overlay', '?', {action: 'help', words: 'show all keys, those of this page first', hint: 'help'}),

	...textKeys,

	bind('help', 'esc ?', {action: 'back', words: 'clear the filter, then close this page', hint: 'close'}),
	bind('help', 'down', {action: 'down', words: 'scroll down'}),
	bind('help', 'up', {action: 'up', words: 'scroll up'}),
	bind('help', 'pagedown', {action: 'page-down', words: 'page down'}),
	bind('help', 'pageup', {action: 'page-up', words: 'page up'}),

	bind('trace', 'enter right', {action: 'open', words: 'open the line in full', hint: 'open'}),
	bind('traced-event', 'e', {action: 'replay', words: 'replay the event through its route (asks)', hint: 'replay'}),
	bind('traced-event', 'v', {action: 'dry-run', words: 'preview what its route would do with it', hint: 'preview'}),
	bind('trace', 'c', {action: 'copy', words: 'copy the line as a command', hint: 'copy as command'}),

	bind('first-run', 'D', {action: 'start-demo', words: 'start the demo', hint: 'demo'}),
	bind('first-run', 'w', {action: 'enable-webhooks', words: 'turn on webhooks', hint: 'webhooks'}),
	bind('first-run', 'a', {action: 'add-server', words: 'add a tool server', hint: 'add server'}),
	bind('overview', 'n', {action: 'next-trouble', words: 'next row with a problem', hint: 'next problem'}),
	bind('overview', 'a', {action: 'add-server', words: 'add a tool server', hint: 'add server'}),
	bind('servers', 't', {action: 'server-tools', words: 'tools of the server', hint: 'tools'}),
	bind('servers', 'r', {action: 'reconnect', words: 'reconnect the server', hint: 'reconnect'}),
	bind('servers', 'L', {action: 'login', words: 'log in to the server', hint: 'login'}),
	bind('servers', 'l', {action: 'server-log', words: 'stderr of the server', hint: 'stderr'}),
	bind('servers', 'C', {action: 'server-calls', words: 'latest calls of the server', hint: 'calls'}),
	bind('servers', 'x', {action: 'toggle-server', words: 'disable or enable the server (asks)', hint: 'on/off'}),
	bind('you', 'D', {
		action: 'call-happened',
		words: 'an uncertain call: it took effect (asks)',
		hint: 'it happened',
	}),
	bind('you', 'N', {
		action: 'call-did-not-happen',
		words: 'an uncertain call: it had no effect (asks)',
		hint: 'it did not',
	}),
	bind('you', 'e', {
		action: 'repeat-call',
		words: 'an uncertain call: repeat it (asks, then needs approval)',
		hint: 'repeat',
	}),
	bind('you-list', 'space', {action: 'mark', words: 'mark or unmark a waiting request', hint: 'mark'}),
	bind('you-list', 'M', {
		action: 'mark-shown',
		words: 'mark or unmark all requests shown',
		hint: 'mark all',
	}),
	bind('you-list', 'd', {
		action: 'ask-to-deny',
		words: 'deny the marked requests and say why (asks)',
		hint: 'deny marked',
	}),
	bind('you', 't', {action: 'server-tools', words: 'tools of its server', hint: 'tools'}),
	bind('events', 'p f', {action: 'follow', words: 'pause or follow the newest', hint: 'pause/follow'}),
	bind('events', 'v', {action: 'dry-run', words: 'preview what its route would do with it', hint: 'preview'}),
	bind('events', 'e', {action: 'replay', words: 'replay the event through its route (asks)', hint: 'replay'}),
	bind('events', 'E', {action: 'replay-failed', words: 'replay the failed events shown (asks)'}),
	bind('log', 'p f', {action: 'follow', words: 'pause or follow the newest', hint: 'pause/follow'}),
	bind('inbox', 'w', {action: 'write-to-run', words: 'answer the inbox item', hint: 'write'}),
	bind('inbox', 'i', {action: 'close-item', words: 'dismiss the inbox item (asks)', hint: 'dismiss'}),
	bind('inbox', 'n', {action: 'new-run', words: 'start a run with a prompt', hint: 'new run'}),
	bind('runs', 'n', {action: 'new-run', words: 'start a run with a prompt', hint: 'new run'}),
	bind('runs', 'w', {
		action: 'write-to-run',
		words: 'answer an inbox item, write a note to a run at work, or follow up',
		hint: 'write',
	}),
	bind('runs', 'x', {action: 'cancel-run', words: 'cancel the run (asks)', hint: 'cancel'}),
	bind('noted-run', 'i', {
		action: 'write-note',
		words: 'write a note to the run at work, for its next turn',
		hint: 'note',
	}),
	bind('runs', 'i', {action: 'close-item', words: 'dismiss the inbox item (asks)', hint: 'dismiss'}),
	bind('jobs', 'i', {action: 'dismiss-deliveries', words: 'dismiss its failed deliveries (asks)', hint: 'dismiss'}),
	bind('jobs', 'n', {action: 'run-job', words: 'run the job now', hint: 'run now'}),
	bind('jobs', 'p', {action: 'pause-job', words: 'pause or resume the job', hint: 'pause/resume'}),
	bind('routes', 'i', {action: 'dismiss-deliveries', words: 'dismiss its failed deliveries (asks)', hint: 'dismiss'}),
	bind('routes', 'p', {action: 'pause-route', words: 'pause or resume the route', hint: 'pause/resume'}),
	bind('routes', 'h', {action: 'open-handshake', words: 'wait for the confirmation of its sender', hint: 'handshake'}),
	bind('parts', 'i', {action: 'dismiss-deliveries', words: 'dismiss its failed deliveries (asks)', hint: 'dismiss'}),
	bind('calls', 'x', {action: 'cancel-call', words: 'cancel the call (asks)', hint: 'cancel'}),
	bind('tools', 'e', {action: 'call-tool', words: 'call the tool by hand', hint: 'call'}),
	bind('server-calls', 'e', {action: 'call-again', words: 'repeat the call (asks)', hint: 'repeat'}),
	bind('rules', 'x', {action: 'revoke-rule', words: 'remove the rule; not one of config.yaml (asks)', hint: 'remove'}),
	bind('rules', 't', {action: 'rehearse-rules', words: 'try the rules on the recorded calls', hint: 'try on calls'}),
	bind('rules', 'w', {
		action: 'rehearse-without',
		words: 'try the recorded calls without the rule',
		hint: 'without it',
	}),
	bind('askers', 't', {action: 'asked-by-tool', words: 'the same by tool', hint: 'by tool'}),
	bind('asked-tools', 't', {action: 'asked-by-asker', words: 'the same by who asks', hint: 'by asker'}),
	bind('askers', 'p', {action: 'propose-rule', words: 'propose a rule from the newest allowed call', hint: 'rule'}),
	bind('asked-tools', 'p', {
		action: 'propose-rule',
		words: 'propose a rule from the newest allowed call',
		hint: 'rule',
	}),
	bind('entry', 'e', {action: 'edit-entry', words: 'edit its entry in your editor', hint: 'edit'}),
	bind('rehearsal', 't', {action: 'rehearse-rules', words: 'try the rules again', hint: 'try again'}),

	bind('detail', 'esc left backspace', {action: 'back', words: 'back to the list', hint: 'back'}),
	bind('found', 'n', {action: 'find-next', words: 'next match', hint: 'next match'}),
	bind('found', 'N', {action: 'find-previous', words: 'previous match', hint: 'previous'}),
	bind('found', 'esc', {action: 'close-search', words: 'end the search', hint: 'end search'}),
	bind('search', '/', {action: 'find', words: 'search', hint: 'search'}),
	bind('reading', 'j down', {action: 'down', words: 'scroll down', hint: 'scroll'}),
	bind('reading', 'k up', {action: 'up', words: 'scroll up'}),
	bind('reading', ']', {action: 'next-section', words: 'next section'}),
	bind('reading', '[', {action: 'previous-section', words: 'previous section'}),
	bind('reading', 'pagedown space', {action: 'page-down', words: 'page down'}),
	bind('reading', 'pageup', {action: 'page-up', words: 'page up'}),
	bind('reading', 'g home', {action: 'top', words: 'go to the top'}),
	bind('reading', 'G end', {action: 'bottom', words: 'go to the end and follow it'}),

	bind('columns', 'right', {
		action: 'read-beside',
		words: 'scroll the page beside the list; show or fold equal rows',
	}),
	bind('column', 'enter', {action: 'read-alone', words: 'open it in full, over both columns', hint: 'open'}),
	bind('list', 'enter right', {action: 'open', words: 'open the row; show or fold equal rows', hint: 'open'}),
	bind('list', 'esc', {
		action: 'back',
		words: 'fold equal rows, clear the filter or the marks, leave the list',
		hint: 'back',
	}),
	bind('global', 'A', {
		action: 'review',
		words: 'open the oldest waiting request, or the next waiting item',
		hint: 'waiting',
	}),
	bind('global', '!', {action: 'show-faults', words: 'show all faults of the gateway', hint: 'faults'}),
	bind('list', 'j down', {action: 'down', words: 'move down'}),
	bind('list', 'k up', {action: 'up', words: 'move up'}),
	bind('list', '/', {action: 'filter', words: 'filter: word, key:value, !word', hint: 'filter'}),
	bind('list', 'o', {action: 'sort', words: 'sort by the next column, then in the list’s own order', hint: 'sort'}),
	bind('list', 'O', {action: 'reverse', words: 'reverse the order of the list'}),
	bind('list', 'g home', {action: 'top', words: 'go to the first row'}),
	bind('list', 'G end', {action: 'bottom', words: 'go to the last row, and follow new rows'}),
	bind('list', 'pageup', {action: 'page-up', words: 'page up'}),
	bind('list', 'pagedown space', {action: 'page-down', words: 'page down'}),
	...tabViews.map(view =>
		bind('global', views[view].key ?? '', {
			action: `view-${view}`,
			words: views[view].about ?? views[view].title.toLowerCase(),
		}),
	),
	bind('global', 'c', {action: 'copy', words: 'copy the id or name of the row'}),
	bind('global', 'y', {action: 'copy-menu', words: 'copy a part of the row: id, arguments, body, result, command'}),
	bind('global', 'T', {action: 'next-theme', words: 'next theme'}),
	bind('global', ':', {action: 'palette', words: 'type a command', hint: 'command'}),
	bind('global', 'tab ]', {action: 'next-view', words: 'next view', hint: 'view'}),
	bind('global', 'shift+tab [', {action: 'previous-view', words: 'previous view'}),
	bind('global', 'L', {action: 'view-logins', words: 'all logins', hint: 'logins'}),
	bind('global', 'R', {action: 'show-rules', words: 'rules and remembered approvals', hint: 'rules'}),
	bind('global', 'B', {action: 'show-askers', words: 'who asks: requests by client, route and tool', hint: 'who asks'}),
	bind('global', 'H', {action: 'hold', words: 'hold everything, or release it (asks)', hint: 'hold/release'}),
	bind('global', '?', {action: 'help', words: 'show all keys, those of this view first', hint: 'help'}),
	bind('global', 'q', {action: 'quit', words: 'quit (asks when something is waiting)', hint: 'quit'}),
	bind('too-small', 'q', {action: 'quit', words: 'quit'}),
	bind('everywhere', 'ctrl+z', {action: 'suspend', words: 'suspend Sluice (asks)'}),
	bind('everywhere', 'ctrl+l', {action: 'redraw', words: 'redraw the screen'}),
	bind('everywhere', 'ctrl+c', {action: 'quit', words: 'quit; press twice to stop at once'}),
];

/** Everything a key can do. What it does is an entry of `input/actions.ts`. */
export type Action = (typeof rows)[number]['action'];

/** Moving the selection or the text. */
export type Move = Extract<Action, 'up' | 'down' | 'top' | 'bottom' | 'page-up' | 'page-down'>;

export type Binding = KeyRow<Action>;

/** The only table of keys. Dispatch, footer, help and docs are made from it; the order is that of the footer. */
export const keymap: readonly Binding[] = rows;

/** The action of a key: from the first of these scopes that binds it. */
export function actionFor(scopes: readonly Scope[], key: string): Action | undefined {
	for (const scope of scopes) {
		const binding = keymap.find(entry => entry.scope === scope && entry.keys.includes(key));
		if (binding) {
			return binding.action;
		}
	}

	return undefined;
}

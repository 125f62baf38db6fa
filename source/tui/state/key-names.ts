import {type KeyNames} from '../../state/entities/entity.ts';
import {type ConsoleState, isOwnGateway} from '../../state/console-state.ts';
import {type Action, type Binding, keymap} from './keymap.ts';

/** Actions that decide or change something outside of the dashboard: a read-only one refuses them at once, and does not offer them. */
export const changingActions: ReadonlySet<Action> = new Set<Action>([
	'deny',
	'deny-default',
	'deny-with-message',
	'mark',
	'mark-shown',
	'ask-to-deny',
	'approve-once',
	'approve-session',
	'approve-run',
	'open-always',
	'approve-always',
	'open-rule',
	'store-rule',
	'propose-rule',
	'form-submit',
	'open-address',
	'form-decline',
	'install',
	'rename',
	'refuse-install',
	'login-default',
	'login-device',
	'login-browser',
	'paste-redirect',
	'cancel-login',
	'reconnect',
	'toggle-server',
	'call-tool',
	'cancel-call',
	'call-happened',
	'call-did-not-happen',
	'repeat-call',
	'call-again',
	'revoke-rule',
	'dry-run',
	'replay',
	'replay-failed',
	'new-run',
	'write-to-run',
	'write-note',
	'cancel-run',
	'close-item',
	'run-job',
	'pause-job',
	'pause-route',
	'open-handshake',
	'dismiss-deliveries',
	'add-server',
	'enable-webhooks',
	'hold',
	'start-demo',
	'edit-entry',
	'edit-again',
	'write-edit',
]);

/** The keys that are offered: all, or none that decides or changes something, nor one that only leads to such a key. */
type Offers = 'everything' | 'looking';

const leadingActions: ReadonlySet<Action> = new Set<Action>(['review', 'login', 'unmask']);

/** Actions that only show something, but ask the gateway for it. */
const askingActions: ReadonlySet<Action> = new Set<Action>([
	'server-tools',
	'server-calls',
	'server-log',
	'show-rules',
	'show-askers',
	'rehearse-rules',
	'rehearse-without',
	'login',
	'next-choice',
	'previous-choice',
]);

/** True if an action needs the gateway. */
export function needsGateway(action: Action): boolean {
	return changingActions.has(action) || askingActions.has(action);
}

/** True if footer, help, texts and completion may offer an action (docs/dashboard.md, Modes). */
export function isOffered(action: Action, offers: Offers): boolean {
	return offers === 'everything' || !(changingActions.has(action) || leadingActions.has(action));
}

/** A binding as it is named where the gateway goes on without this dashboard: there nothing is quit. */
export function namedFor(binding: Binding, console: ConsoleState): Binding {
	return binding.action === 'quit' && !isOwnGateway(console)
		? {...binding, words: 'leave; the gateway goes on', ...(binding.hint !== undefined && {hint: 'leave'})}
		: binding;
}

/** The names of keys in texts of a dashboard: only those of the keymap that it offers. Without its gateway, one can only look. */
export function keyNames({
	readOnly,
	snapshot,
}: {
	readonly readOnly: boolean;
	readonly snapshot: {readonly console: ConsoleState};
}): KeyNames {
	return readOnly || snapshot.console.state === 'lost' ? names.looking : names.everything;
}

const namesFor = (offers: Offers): KeyNames => ({
	offers,
	named(action, words) {
		const key = keymap.find(binding => binding.action === action)?.keys[0] ?? '';
		return isOffered(action, offers) ? `${key} ${words}` : '';
	},
});

const names = {everything: namesFor('everything'), looking: namesFor('looking')};

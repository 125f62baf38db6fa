import {type GatewayCall} from '../../state/gateway-call.ts';
import {type LoginFlow} from '../../state/person-event.ts';
import {type LoginRow, type ServerRow, type Snapshot} from '../../state/snapshot.ts';
import {isUnderWay, isWithoutLogin, loginOf, serverOf} from '../lists/login-rows.ts';
import {type AwaitedRow} from '../state/awaited.ts';
import {type LoginMode} from '../state/mode.ts';
import {stay, type Step, type UiContext, type UiState, withCopied, withMode, withToast} from '../state/ui-state.ts';
import {pickedServer} from '../state/selection.ts';
import {withPending} from './call-ends.ts';
import {emptyField} from '../state/text-field.ts';

/** The screen of the login of a server. */
export function loginMode({server, profile}: Pick<ServerRow, 'server' | 'profile'>): LoginMode {
	return {kind: 'login', server, profile, scroll: 0};
}

/** On the screen of a login: starts it, as configured unless a flow is named. In a list: opens that screen. */
export function logIn(ui: UiState, flow: LoginFlow | undefined, context: UiContext): Step {
	const {mode} = ui;
	if (mode.kind !== 'login') {
		const picked = pickedServer(ui, context.snapshot);
		return stay(picked ? showLogin(ui, picked, context) : ui);
	}

	const {server, profile} = mode;
	const params = {server, ...(flow && {flow})};
	const call: GatewayCall = isWithoutLogin(serverOf(mode, context.snapshot))
		? {method: 'mcp.login.switch', params, profile}
		: {method: 'mcp.login', params: {...params, document: 'try-again'}, profile};
	const sent = withMode(ui, {...loginMode(mode), sent: {before: loginOf(mode, context.snapshot)}});
	const awaits = loginAwaited(mode, context);
	return withPending(sent, {pending: `starting the login to ${server}`, call, awaits}, context);
}

/** The login that a call changes. */
export function loginAwaited(named: Pick<ServerRow, 'server' | 'profile'>, {snapshot}: UiContext): AwaitedRow {
	const {server, profile} = named;
	return {kind: 'login', server, profile, before: loginOf(loginMode(named), snapshot)};
}

/** The screen for the login of a server. A local program has none. */
export function showLogin(ui: UiState, named: Pick<ServerRow, 'server' | 'profile'>, {snapshot}: UiContext): UiState {
	const mode = loginMode(named);
	return serverOf(named, snapshot)?.transport === 'stdio' && !loginOf(mode, snapshot)
		? withToast(ui, `${named.server} is a local program: it needs no login`, 'busy')
		: withMode(ui, mode);
}

/** A line for the address that the browser was sent to. */
export function pasteRedirect(ui: UiState, {snapshot}: UiContext): UiState {
	const {mode} = ui;
	if (mode.kind !== 'login') {
		return ui;
	}

	const {server, profile} = mode;
	return loginOf(mode, snapshot)?.flow === 'browser'
		? withMode(ui, {
				kind: 'prompt',
				purpose: {kind: 'finish-login', server, profile},
				field: emptyField,
				behind: mode,
			})
		: withToast(ui, 'a login with a code needs no address', 'busy');
}

/** Cancels the login on the screen. */
export function cancelLogin(ui: UiState, context: UiContext): Step {
	const {mode} = ui;
	if (mode.kind !== 'login') {
		return stay(ui);
	}

	const {server, profile} = mode;
	return withPending(
		ui,
		{pending: `cancelling the login to ${server}`, call: {method: 'mcp.login.cancel', params: {server}, profile}},
		context,
	);
}

/** Copies the code of the login on the screen. */
export function copyCode(ui: UiState, {snapshot}: UiContext): UiState {
	const code = ui.mode.kind === 'login' ? loginOf(ui.mode, snapshot)?.userCode : undefined;
	return code === undefined ? withToast(ui, 'this login has no code', 'busy') : withCopied(ui, code);
}

/** The logins that the screen goes round: those under way, and the one that is shown. */
export function shownLogins(mode: LoginMode, snapshot: Pick<Snapshot, 'logins'>): readonly LoginRow[] {
	const shown = loginOf(mode, snapshot);
	return snapshot.logins.filter(row => isUnderWay(row) || row === shown);
}

/** The next of the logins that are under way; the one on the screen counts as one of them. */
export function showNeighbourLogin(ui: UiState, distance: 1 | -1, {snapshot}: UiContext): UiState {
	if (ui.mode.kind !== 'login') {
		return ui;
	}

	const shown = loginOf(ui.mode, snapshot);
	const rows = shownLogins(ui.mode, snapshot);
	const index = rows.findIndex(row => row === shown);
	const next = rows.at((index + distance) % Math.max(1, rows.length));
	return next ? withMode(ui, loginMode(next)) : ui;
}

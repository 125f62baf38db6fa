import {type LoginFlow} from '../../state/person-event.ts';
import {type LoginRow, type ServerRow} from '../../state/snapshot.ts';
import {type LoginAction} from '../state/actions.ts';
import {isUnderWay} from '../lists/login-rows.ts';
import {emptyField, type Mode} from '../state/mode.ts';
import {pickedServer} from '../state/selection.ts';
import {withCommand, type Step, stay, type UiContext, type UiState, withMode, withToast} from '../state/ui-state.ts';
import {copy} from './theme-actions.ts';

type LoginMode = Extract<Mode, {kind: 'login'}>;

/** The window after a key that is about a login. */
export function loginStep(ui: UiState, action: LoginAction, context: UiContext): Step {
	const {mode} = ui;
	if (mode.kind !== 'login') {
		const server = pickedServer(ui, context.snapshot);
		return stay(server ? withMode(ui, loginMode(server)) : ui);
	}

	const login = loginOf(mode, context);
	switch (action) {
		case 'login':
			return startLogin(ui, {mode, flow: undefined}, context);
		case 'login-device':
			return startLogin(ui, {mode, flow: 'device'}, context);
		case 'login-browser':
			return startLogin(ui, {mode, flow: 'browser'}, context);
		case 'paste-redirect':
			return stay(
				login?.flow === 'browser' ? pasteRedirect(ui, mode) : withToast(ui, 'a code needs no address back', 'busy'),
			);
		case 'cancel-login':
			return withCommand(
				withToast(ui, `cancelling the login to ${mode.server}`),
				{type: 'cancel-login', server: mode.server, profile: mode.profile},
				context,
			);
		case 'copy-code':
			return stay(
				login?.userCode === undefined ? withToast(ui, 'this login has no code', 'busy') : copy(ui, login.userCode),
			);
		case 'next-login':
			return stay(neighbour(ui, mode, {distance: 1, context}));
		case 'previous-login':
			return stay(neighbour(ui, mode, {distance: -1, context}));
	}
}

/** The login of a server, on the screen. */
export function loginMode({server, profile}: Pick<ServerRow, 'server' | 'profile'>): LoginMode {
	return {kind: 'login', server, profile, scroll: 0};
}

/** The login a mode is about, if there was one. */
export function loginOf(mode: LoginMode, {snapshot}: Pick<UiContext, 'snapshot'>): LoginRow | undefined {
	return snapshot.logins.find(row => row.server === mode.server && row.profile === mode.profile);
}

function startLogin(
	ui: UiState,
	{mode, flow}: {readonly mode: LoginMode; readonly flow: LoginFlow | undefined},
	context: UiContext,
): Step {
	return withCommand(
		withToast(ui, `starting the login to ${mode.server}`),
		{type: 'start-login', server: mode.server, ...(flow && {flow}), profile: mode.profile},
		context,
	);
}

function pasteRedirect(ui: UiState, mode: LoginMode): UiState {
	const purpose = {kind: 'finish-login', server: mode.server, profile: mode.profile} as const;
	return withMode(ui, {kind: 'prompt', purpose, field: emptyField, behind: mode});
}

/** The next of the logins that are under way; the one on the screen counts as one of them. */
function neighbour(
	ui: UiState,
	mode: LoginMode,
	{distance, context}: {readonly distance: 1 | -1; readonly context: UiContext},
): UiState {
	const rows = context.snapshot.logins.filter(row => isUnderWay(row) || row === loginOf(mode, context));
	const index = rows.findIndex(row => row === loginOf(mode, context));
	const next = rows.at((index + distance) % Math.max(1, rows.length));
	return next ? withMode(ui, loginMode(next)) : ui;
}

import {type GatewayCall} from '../../state/gateway-call.ts';
import {pageCall} from '../pages/traced-row.ts';
import {type ServerRow} from '../../state/snapshot.ts';
import {cutCallsText} from '../components/question-line.ts';
import {serverId} from '../../state/entities/server.ts';
import {nameProblem, parseNewServer} from '../state/add-server.ts';
import {emptyField} from '../state/text-field.ts';
import {
	refused,
	serverAwaited,
	stay,
	type Step,
	type UiContext,
	type UiState,
	withCall,
	withMode,
	withToast,
} from '../state/ui-state.ts';
import {pickedId, pickedProfile, pickedServer} from '../state/selection.ts';
import {ask, confirmCall} from './confirm-actions.ts';
import {withPending} from './call-ends.ts';
import {showLogin} from './login-actions.ts';
import {end} from '../state/mode.ts';
import {showListView} from './navigation.ts';

type NamedServer = Pick<ServerRow, 'server' | 'profile'>;

/** Connects the picked server again. */
export function reconnectPicked(ui: UiState, context: UiContext): Step {
	const row = pickedRow(ui, context);
	return row ? reconnect(ui, row, context) : stay(ui);
}

/** Asks first where calls would be cut off. */
function reconnect(ui: UiState, {server, profile}: NamedServer, context: UiContext): Step {
	const cut = cutCallsText({server, profile}, context.snapshot);
	if (cut !== '' && !context.readOnly) {
		return stay(
			confirmCall(ui, {
				words: `Reconnect ${server}? ${cut}`,
				call: {method: 'mcp.reconnect', params: {server}, profile},
				pending: `reconnecting ${server}`,
				next: 'behind',
				awaits: serverAwaited({server, profile}, context),
			}),
		);
	}

	const call: GatewayCall = {method: 'mcp.reconnect', params: {server}, profile};
	const awaits = serverAwaited({server, profile}, context);
	return withPending(ui, {pending: `reconnecting ${server}`, call, awaits}, context);
}

/** Asks whether the picked server is to be disabled, or enabled. */
export function toggleServer(ui: UiState, context: UiContext): UiState {
	const row = pickedRow(ui, context);
	return row ? askEnabled(ui, row, row.state === 'disabled') : ui;
}

function askEnabled(ui: UiState, {server, profile}: NamedServer, enabled: boolean): UiState {
	return ask(ui, {kind: 'set-enabled', server, profile, enabled});
}

/** Opens the picked server's stderr at its end, where the error is. */
export function showServerLog(ui: UiState, context: UiContext): Step {
	const picked = pickedServer(ui, context.snapshot);
	if (!picked) {
		return stay(ui);
	}

	const {server, profile} = picked;
	const subject = {kind: 'server-log', server} as const;
	const page = withMode(ui, {kind: 'page', subject, profile, scroll: end, behind: ui.mode});
	return withCall(page, pageCall(subject, profile), context);
}

/** The latest calls of the picked server. */
export function showServerCalls(ui: UiState, context: UiContext): Step {
	const picked = pickedServer(ui, context.snapshot);
	return picked ? showCallsOf(ui, picked, context) : stay(ui);
}

function showCallsOf(ui: UiState, {server, profile}: NamedServer, context: UiContext): Step {
	return withCall(showListView(ui, 'server-calls'), {method: 'mcp.view-calls', params: {server}, profile}, context);
}

/** The tools of the picked row's server. */
export function showPickedTools(ui: UiState, context: UiContext): Step {
	const picked = pickedServer(ui, context.snapshot);
	return picked ? showTools(ui, picked, context) : stay(ui);
}

/** All tools of the picked profile. */
export function showAllTools(ui: UiState, context: UiContext): Step {
	return showTools(ui, {profile: pickedProfile(ui, context.snapshot)}, context);
}

function showTools(
	ui: UiState,
	of: {readonly server?: string; readonly profile: string | undefined},
	context: UiContext,
): Step {
	const {server, profile} = of;
	return withCall(
		showListView(ui, 'tools'),
		{method: 'mcp.view-tools', params: {...(server !== undefined && {server})}, profile},
		context,
	);
}

/** A typed command about one server, which is given by its name, or by profile and name. */
export type ServerCommand = {
	readonly name: 'reconnect' | 'login' | 'tools' | 'calls' | 'enable' | 'disable';
	readonly server: string;
};

/** Carries out a typed command. A name that several profiles have means the server of the picked one. */
export function serverCommand(ui: UiState, {name, server}: ServerCommand, context: UiContext): Step {
	const rows = context.snapshot.servers.filter(row => row.server === server || serverId(row) === server);
	const row = rows.length > 1 ? rows.find(one => one.profile === pickedProfile(ui, context.snapshot)) : rows[0];
	if (!row) {
		const several = `several profiles have it: ${rows.map(serverId).join(', ')}`;
		return stay(withToast(ui, rows.length > 1 ? several : `there is no server named ${server}`, 'busy'));
	}

	switch (name) {
		case 'reconnect':
			return reconnect(ui, row, context);
		case 'login':
			return stay(showLogin({...ui, view: 'overview'}, row, context));
		case 'tools':
			return showTools(ui, row, context);
		case 'calls':
			return showCallsOf(ui, row, context);
		case 'enable':
		case 'disable':
			return context.readOnly ? refused(ui) : stay(askEnabled(ui, row, name === 'enable'));
	}
}

/** The form for a new server, at its name. */
export function showServerForm(ui: UiState): UiState {
	return withMode(ui, {kind: 'add-server', step: 'name', name: '', field: emptyField, problem: ''});
}

/** Enter in the form for a new server: its name, then its command line or address. */
export function submitServer(ui: UiState, text: string, context: UiContext): Step {
	const {mode} = ui;
	if (mode.kind !== 'add-server') {
		return stay(ui);
	}

	if (mode.step === 'name') {
		const taken = context.snapshot.servers.map(row => row.server);
		const problem = nameProblem(text, taken);
		return stay(
			withMode(
				ui,
				problem === undefined
					? {...mode, step: 'address', name: text, problem: '', field: emptyField}
					: {...mode, problem},
			),
		);
	}

	const typed = parseNewServer(mode.name, text);
	if (typed.kind === 'problem') {
		return stay(withMode(ui, {...mode, problem: typed.text}));
	}

	const list = withMode(ui, {kind: 'browse'});
	const call: GatewayCall = {method: 'mcp.add', params: {server: typed.server}};
	const awaits = serverAwaited({server: mode.name}, context);
	return withPending(list, {pending: `adding ${mode.name}`, call, awaits}, context);
}

function pickedRow(ui: UiState, {snapshot}: UiContext): ServerRow | undefined {
	const id = pickedId(ui, snapshot);
	return snapshot.servers.find(row => serverId(row) === id);
}

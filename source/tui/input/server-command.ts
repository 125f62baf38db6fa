import {loginMode} from './login-keys.ts';
import {ask, reconnect} from './command-keys.ts';
import {pickedProfile} from '../state/selection.ts';
import {showListView} from './screen-view.ts';
import {serverId} from '../lists/server-rows.ts';
import {
	withCommand,
	refused,
	type Step,
	stay,
	type UiContext,
	type UiState,
	withMode,
	withToast,
} from '../state/ui-state.ts';

/** A typed command about one server, which is given by its name, or by profile and name. */
export type ServerCommand = {
	readonly name: 'reconnect' | 'login' | 'tools' | 'enable' | 'disable';
	readonly server: string;
};

/** The window after such a command. A name that several profiles have means the server of the picked one. */
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
			return stay(withMode({...ui, view: 'servers'}, loginMode(row)));
		case 'tools':
			return withCommand(
				showListView(ui, 'tools'),
				{type: 'show-tools', server: row.server, profile: row.profile},
				context,
			);
		case 'enable':
		case 'disable':
			return context.readOnly
				? refused(ui)
				: stay(ask(ui, {kind: 'set-enabled', server: row.server, profile: row.profile, enabled: name === 'enable'}));
	}
}

import {type Snapshot} from '../state/snapshot.ts';
import {type Action} from './keymap.ts';
import {viewNames} from './view-rows.ts';

/** What a typed command means. */
export type PaletteCommand =
	| {readonly kind: 'action'; readonly action: Action}
	| {readonly kind: 'reload'}
	| {readonly kind: 'reconnect' | 'enable' | 'disable'; readonly server: string}
	| {readonly kind: 'unknown'; readonly text: string};

const actions: Readonly<Record<string, Action>> = {
	...Object.fromEntries(viewNames.map(view => [view, `view-${view}` as const])),
	review: 'review',
	help: 'help',
	'add-server': 'add-server',
	webhooks: 'enable-webhooks',
	demo: 'start-demo',
	redraw: 'redraw',
	quit: 'quit',
};

const serverCommands = ['reconnect', 'enable', 'disable'] as const;

/** Reads a command, with or without a leading slash or colon. */
export function parseCommand(typed: string): PaletteCommand {
	const text = typed.trim().replace(/^[/:]/u, '');
	const [name = '', server = ''] = text.split(/\s+/u);
	const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
	if (action !== undefined) {
		return {kind: 'action', action};
	}

	if (name === 'reload-mcp' || name === 'reload') {
		return {kind: 'reload'};
	}

	const kind = serverCommands.find(command => command === name);
	return kind && server !== '' ? {kind, server} : {kind: 'unknown', text};
}

/** Everything that can be typed now, for completion; with a leading slash when one was typed. */
export function suggestedCommands(typed: string, snapshot: Snapshot): string[] {
	const commands = [
		'reload-mcp',
		...Object.keys(actions),
		...serverCommands.flatMap(command => snapshot.servers.map(({server}) => `${command} ${server}`)),
	].sort();
	return typed.startsWith('/') ? commands.map(command => `/${command}`) : commands;
}

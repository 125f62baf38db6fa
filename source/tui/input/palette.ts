import {tabViews} from '../lists/view-table.ts';
import {type Action} from '../state/keymap.ts';

/** The meaning of a typed command. */
export type PaletteCommand =
	| {readonly kind: 'action'; readonly action: Action}
	| {readonly kind: 'reload' | 'show-tools' | 'unhold'}
	/** `argument`: the reason, or empty. */
	| {readonly kind: 'hold'; readonly argument: string}
	| {readonly kind: (typeof wordCommands)[number]; readonly argument: string}
	| {readonly kind: 'unknown'; readonly text: string};

/** The commands that do what a key does. */
export const commandActions: Readonly<Record<string, Action>> = {
	...Object.fromEntries(tabViews.map(view => [view, `view-${view}` as const])),
	logins: 'view-logins',
	rules: 'show-rules',
	askers: 'show-askers',
	rehearse: 'rehearse-rules',
	review: 'review',
	'new-run': 'new-run',
	help: 'help',
	'add-server': 'add-server',
	webhooks: 'enable-webhooks',
	demo: 'start-demo',
	redraw: 'redraw',
	suspend: 'suspend',
	quit: 'quit',
};

/** The commands that are about one server. */
export const serverCommands = ['reconnect', 'enable', 'disable', 'login', 'tools', 'calls'] as const;

/** Commands that take what is typed behind them. */
const wordCommands = [...serverCommands, 'open', 'replay', 'run', 'sort', 'theme', 'notify', 'mouse'] as const;

/** Reads a command, with or without a leading slash or colon. */
export function parseCommand(typed: string): PaletteCommand {
	const text = typed.trim().replace(/^[/:]/u, '');
	const [name = ''] = text.split(/\s+/u);
	const argument = text.slice(name.length).trim();
	const action = Object.hasOwn(commandActions, name) ? commandActions[name] : undefined;
	const kind = wordCommands.find(command => command === name);
	// `calls` is a view, and with a name behind it those of a server.
	if (action !== undefined && !(kind !== undefined && argument !== '')) {
		return {kind: 'action', action};
	}

	if (name === 'reload-mcp' || name === 'reload') {
		return {kind: 'reload'};
	}

	if (name === 'hold') {
		return {kind: 'hold', argument};
	}

	if (name === 'unhold' && argument === '') {
		return {kind: 'unhold'};
	}

	if (kind !== undefined && argument !== '') {
		return {kind, argument};
	}

	return name === 'tools' ? {kind: 'show-tools'} : {kind: 'unknown', text};
}

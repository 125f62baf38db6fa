import {isOwnGateway} from '../../state/console-state.ts';
import {type ServerRow, type Snapshot} from '../../state/snapshot.ts';
import {serverId} from '../lists/server-rows.ts';
import {themeNames} from '../text/theme.ts';
import {numberedViews} from '../lists/view-table.ts';
import {isOffered, keyNames, needsGateway} from '../state/key-names.ts';
import {type Action} from '../state/keymap.ts';
import {type UiContext} from '../state/ui-state.ts';

/** What a typed command means. */
export type PaletteCommand =
	| {readonly kind: 'action'; readonly action: Action}
	| {readonly kind: 'reload' | 'show-tools' | 'unhold'}
	/** What is typed behind it is the reason, if any. */
	| {readonly kind: 'hold'; readonly argument: string}
	| {readonly kind: (typeof wordCommands)[number]; readonly argument: string}
	| {readonly kind: 'unknown'; readonly text: string};

const actions: Readonly<Record<string, Action>> = {
	...Object.fromEntries(numberedViews.map(view => [view, `view-${view}` as const])),
	logins: 'view-logins',
	rules: 'show-rules',
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

const serverCommands = ['reconnect', 'enable', 'disable', 'login', 'tools'] as const;

/** Commands that take what is typed behind them. */
const wordCommands = [...serverCommands, 'replay', 'run', 'theme'] as const;

/** Reads a command, with or without a leading slash or colon. */
export function parseCommand(typed: string): PaletteCommand {
	const text = typed.trim().replace(/^[/:]/u, '');
	const [name = ''] = text.split(/\s+/u);
	const argument = text.slice(name.length).trim();
	const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
	if (action !== undefined) {
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

	const kind = wordCommands.find(command => command === name);
	if (kind !== undefined && argument !== '') {
		return {kind, argument};
	}

	return name === 'tools' ? {kind: 'show-tools'} : {kind: 'unknown', text};
}

/** Everything that is offered now, for completion; with a leading slash when one was typed. */
export function suggestedCommands(
	typed: string,
	{snapshot, readOnly}: Pick<UiContext, 'snapshot' | 'readOnly'>,
): string[] {
	const {offers} = keyNames({readOnly, snapshot});
	const isThere = snapshot.console.state !== 'lost';
	const isKept = (command: (typeof serverCommands)[number]) =>
		isThere && (offers === 'everything' || command === 'tools');
	const commands = [
		...(isThere && offers === 'everything' ? ['reload-mcp', snapshot.hold ? 'unhold' : 'hold'] : []),
		...(isThere ? ['tools'] : []),
		...Object.entries(actions).flatMap(([name, action]) =>
			isOffered(action, offers) && canBeDone(action, snapshot) ? [name] : [],
		),
		...themeNames.map(theme => `theme ${theme}`),
		...serverCommands.filter(isKept).flatMap(command => serverNames(snapshot).map(server => `${command} ${server}`)),
	].sort();
	return typed.startsWith('/') ? commands.map(command => `/${command}`) : commands;
}

function canBeDone(action: Action, {console}: Snapshot): boolean {
	return (action !== 'start-demo' || isOwnGateway(console)) && !(console.state === 'lost' && needsGateway(action));
}

/** A name that servers of several profiles have is given with its profile. */
function serverNames({servers}: Snapshot): string[] {
	const isShared = (row: ServerRow) => servers.some(other => other.server === row.server && other !== row);
	return servers.map(row => (isShared(row) ? serverId(row) : row.server));
}

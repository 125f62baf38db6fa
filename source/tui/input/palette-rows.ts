import {isOwnGateway} from '../../state/console-state.ts';
import {type ServerRow, type Snapshot} from '../../state/snapshot.ts';
import {identifiedTargets, namedTargets} from '../lists/named-targets.ts';
import {serverId} from '../../state/entities/server.ts';
import {tabViews, viewLabel, type ViewName, views} from '../lists/view-table.ts';
import {isOffered, keyNames, needsGateway} from '../state/key-names.ts';
import {type Action, keymap, type Move} from '../state/keymap.ts';
import {type Mode} from '../state/mode.ts';
import {movedBy} from '../state/selection.ts';
import {settingNames, settingValues, settingWords} from '../state/display-settings.ts';
import {drawnTheme, type UiContext, type UiState, withMode} from '../state/ui-state.ts';
import {fuzzyCost} from '../text/fuzzy.ts';
import {pageRows} from '../text/layout.ts';
import {type ThemeName} from '../text/theme.ts';
import {commandActions, type PaletteCommand, parseCommand, serverCommands} from './palette.ts';

/** A command that can be chosen: as it would be typed, what it does, and the key that does the same. */
export type PaletteRow = {
	readonly command: string;
	readonly words: string;
	readonly key?: string;
	/** Something has to be typed behind it. */
	readonly isBeginning?: true;
};

type Context = Pick<UiContext, 'snapshot' | 'readOnly'>;
type PaletteMode = Extract<Mode, {kind: 'palette'}>;

/** The state that the commands depend on: earlier choices, and the list that is sorted. */
export type PaletteUi = Pick<UiState, 'recent' | 'view'>;

/** The rows of an open palette, the best first: enter runs the picked one, without one the first, if anything was typed. */
export function paletteRows({field}: Pick<PaletteMode, 'field'>, ui: PaletteUi, context: Context) {
	const {snapshot, readOnly} = context;
	const typed = withoutSign(field.value);
	const key = [typed, readOnly, ui.recent, ui.view, ...Object.values(snapshot)];
	if (last?.key.length !== key.length || !last.key.every((part, index) => part === key[index])) {
		last = {key, rows: rankedRows(typed, ui, context)};
	}

	return last.rows;
}

/** A frame asks for the rows several times. */
let last: {readonly key: readonly unknown[]; readonly rows: readonly PaletteRow[]} | undefined;

/** The command that Enter would run or complete; undefined while nothing is typed or picked. */
export function pickedCommand(mode: PaletteMode, ui: PaletteUi, context: Context): PaletteRow | undefined {
	const rows = paletteRows(mode, ui, context);
	const picked = mode.picked === undefined ? undefined : rows.find(({command}) => command === mode.picked);
	return picked ?? (withoutSign(mode.field.value) === '' ? undefined : rows[0]);
}

/** Moves the picked row of an open palette. */
export function movePalette(
	ui: UiState,
	{mode, move}: {readonly mode: PaletteMode; readonly move: Move},
	context: UiContext,
): UiState {
	const rows = paletteRows(mode, ui, context);
	const picked = pickedCommand(mode, ui, context);
	const position = picked ? rows.indexOf(picked) : -1;
	const wanted = movedBy(move, {position, last: rows.length - 1, page: pageRows(ui.size)});
	const row = rows[Math.min(rows.length - 1, Math.max(0, wanted))];
	return row ? withMode(ui, {...mode, picked: row.command}) : ui;
}

/** The theme to draw with: the one that enter would choose, while its command is picked. */
export function previewedTheme(ui: UiState, context: Context): ThemeName {
	const command = ui.mode.kind === 'palette' ? pickedCommand(ui.mode, ui, context)?.command : undefined;
	return drawnTheme(ui, settingValues('theme').find(name => command === `theme ${name}`) ?? ui.theme);
}

/** The typed text without the slash or colon that may precede a command. */
export function withoutSign(typed: string): string {
	return typed.trimStart().replace(/^[/:]/u, '');
}

function rankedRows(typed: string, {recent, view}: PaletteUi, context: Context): readonly PaletteRow[] {
	const offered = offeredRows(view, context);
	if (typed === '') {
		const again = recent.flatMap(command => offered.find(row => row.command === command) ?? typedRow(command) ?? []);
		return [...again, ...offered.filter(row => !again.includes(row))];
	}

	const place = (row: PaletteRow) => (recent.includes(row.command) ? recent.indexOf(row.command) : recent.length);
	const found = offered
		.flatMap(row => {
			// A description is a help where the command is called something else.
			const cost = fuzzyCost(typed, row.command) ?? fuzzyWords(typed, row.words);
			return cost === undefined ? [] : [{row, cost}];
		})
		.toSorted((first, second) => first.cost - second.cost || place(first.row) - place(second.row))
		.map(({row}) => row);
	const isCompleted = found[0]?.command.startsWith(typed) === true;
	const asTyped = isCompleted ? undefined : typedRow(typed.trim());
	return [
		...(asTyped ? [asTyped] : []),
		...found.filter(({command}) => command !== asTyped?.command),
		...idRows(typed, context),
	];
}

const wordsCost = 10;

function fuzzyWords(typed: string, words: string): number | undefined {
	const isThere = typed.split(/\s+/u).every(word => words.toLowerCase().includes(word.toLowerCase()));
	return isThere ? wordsCost : undefined;
}

const maxIds = 20;

/** Runs and events whose id holds what was typed. */
function idRows(typed: string, {snapshot}: Context): readonly PaletteRow[] {
	const wanted = typed.replace(/^open\s+/u, '').toLowerCase();
	const found =
		wanted === '' ? [] : identifiedTargets(snapshot).filter(({name}) => name.toLowerCase().includes(wanted));
	return found.slice(-maxIds).map(({name, words}) => ({command: `open ${name}`, words}));
}

/** A command that was typed in full, with words of its own. */
function typedRow(typed: string): PaletteRow | undefined {
	const command = parseCommand(typed);
	return command.kind === 'unknown' ? undefined : {command: typed, words: typedWords(command)};
}

function typedWords(command: Exclude<PaletteCommand, {kind: 'unknown'}>): string {
	switch (command.kind) {
		case 'action':
			return wordsOf(command.action).words;
		case 'reload':
			return commandWords.reload;
		case 'show-tools':
			return commandWords['all-tools'];
		case 'hold':
			return command.argument === '' ? commandWords.hold : 'hold everything, with this reason';
		case 'unhold':
		case 'reconnect':
		case 'enable':
		case 'disable':
		case 'login':
		case 'tools':
		case 'calls':
		case 'open':
		case 'replay':
		case 'run':
		case 'sort':
			return commandWords[command.kind];
		case 'theme':
		case 'notify':
		case 'mouse':
			return settingWords(command.kind, command.argument);
	}
}

/** The meanings of the commands that are no keys. */
const commandWords = {
	reload: 'reload the configuration',
	hold: 'hold everything (asks why)',
	unhold: 'release what is held (asks)',
	reconnect: 'connect the server again',
	enable: 'enable the server (asks)',
	disable: 'disable the server (asks)',
	login: 'log in to the server',
	tools: 'list the tools of the server',
	calls: 'list the latest calls of the server',
	'all-tools': 'list the tools of all servers',
	open: 'open its page',
	replay: 'replay the event with this id (asks)',
	run: 'start a run with this prompt',
	sort: 'sort this list',
} as const;

/** Everything that can be run now, in the order in which it is listed while nothing is typed. */
function offeredRows(view: ViewName, {snapshot, readOnly}: Context): readonly PaletteRow[] {
	const {offers} = keyNames({readOnly, snapshot});
	const isThere = snapshot.console.state !== 'lost';
	const canChange = isThere && offers === 'everything';
	const serverRows = serverCommands
		.filter(command => canChange || (isThere && (command === 'tools' || command === 'calls')))
		.flatMap(command =>
			serverNames(snapshot).map((name): PaletteRow => ({command: `${command} ${name}`, words: commandWords[command]})),
		);
	return [
		...Object.entries(commandActions).flatMap(([command, action]): PaletteRow[] =>
			isOffered(action, offers) && canBeDone(action, snapshot) ? [commandRow(command, action, offers)] : [],
		),
		...(isThere ? [{command: 'tools', words: commandWords['all-tools']}] : []),
		...(canChange ? gatewayRows(snapshot) : []),
		...sortRows(view),
		...settingNames.flatMap(name =>
			settingValues(name).map((value): PaletteRow => ({command: `${name} ${value}`, words: settingWords(name, value)})),
		),
		...namedTargets(snapshot).map(({name, words}): PaletteRow => ({command: `open ${name}`, words})),
		...serverRows,
	];
}

/** Without its key in a read-only dashboard: there the key may mean something else. */
function commandRow(command: string, action: Action, offers: 'everything' | 'looking'): PaletteRow {
	const {words, key} = wordsOf(action);
	return {command, words, ...(offers === 'everything' && {key})};
}

function gatewayRows({hold}: Snapshot): readonly PaletteRow[] {
	const {key} = wordsOf('hold');
	return [
		{command: 'reload-mcp', words: commandWords.reload},
		hold ? {command: 'unhold', words: commandWords.unhold, key} : {command: 'hold', words: commandWords.hold, key},
		{command: 'run ', words: 'start a run; its prompt follows', isBeginning: true},
		{command: 'replay ', words: 'replay an event; its id follows', isBeginning: true},
	];
}

function sortRows(view: ViewName): readonly PaletteRow[] {
	const {sorts = []} = views[view];
	const {key} = wordsOf('sort');
	return sorts.length === 0
		? []
		: [
				...sorts.map((column): PaletteRow => ({command: `sort ${column}`, words: `sort this list by ${column}`, key})),
				{command: 'sort reversed', words: wordsOf('reverse').words, key: wordsOf('reverse').key},
				{command: 'sort default', words: 'show this list in its own order'},
			];
}

/** The words of an action and its key. */
function wordsOf(action: Action): {readonly words: string; readonly key: string} {
	const binding = keymap.find(entry => entry.action === action);
	const view = tabViews.find(name => action === `view-${name}`);
	return {words: view ? `go to ${viewLabel(view)}` : (binding?.words ?? ''), key: binding?.keys[0] ?? ''};
}

function canBeDone(action: Action, {console}: Snapshot): boolean {
	return (action !== 'start-demo' || isOwnGateway(console)) && !(console.state === 'lost' && needsGateway(action));
}

/** A name that servers of several profiles have is given with its profile. */
function serverNames({servers}: Snapshot): string[] {
	const isShared = (row: ServerRow) => servers.some(other => other.server === row.server && other !== row);
	return servers.map(row => (isShared(row) ? serverId(row) : row.server));
}

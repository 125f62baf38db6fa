import chalk from 'chalk';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {parseCommand} from '../../../source/tui/input/palette.ts';
import {paletteRows, pickedCommand} from '../../../source/tui/input/palette-rows.ts';
import {fieldWith} from '../../../source/tui/state/text-field.ts';
import {frameAfter} from '../frame-after.tsx';
import {openDashboard} from '../open-dashboard.ts';
import {openWith} from '../open-with.ts';
import {inProfile, job, route, run, server, snapshotOf, started, webhook} from '../sample-events.ts';

test.each([
	['reload-mcp', {kind: 'reload'}],
	['/reload-mcp', {kind: 'reload'}],
	[' :reload-mcp ', {kind: 'reload'}],
	['reconnect github', {kind: 'reconnect', argument: 'github'}],
	['/disable github', {kind: 'disable', argument: 'github'}],
	['quit', {kind: 'action', action: 'quit'}],
	['events', {kind: 'action', action: 'view-events'}],
	['calls', {kind: 'action', action: 'view-calls'}],
	['calls github', {kind: 'calls', argument: 'github'}],
	['sort rate', {kind: 'sort', argument: 'rate'}],
	['sort', {kind: 'unknown', text: 'sort'}],
	['open route pulls', {kind: 'open', argument: 'route pulls'}],
	['reconnect', {kind: 'unknown', text: 'reconnect'}],
	['constructor', {kind: 'unknown', text: 'constructor'}],
	['fly', {kind: 'unknown', text: 'fly'}],
	['hold', {kind: 'hold', argument: ''}],
	[':hold it looks odd', {kind: 'hold', argument: 'it looks odd'}],
	['/unhold', {kind: 'unhold'}],
	['unhold now', {kind: 'unknown', text: 'unhold now'}],
])('%j means %j', (typed, meaning) => {
	expect(parseCommand(typed)).toEqual(meaning);
});

const rowsFor = (
	typed: string,
	events: readonly GatewayEventBody[],
	{recent = []}: {readonly recent?: readonly string[]} = {},
) =>
	paletteRows({field: fieldWith(typed)}, {recent, view: 'overview'}, {snapshot: snapshotOf(events), readOnly: false});
const commandsFor = (...given: Parameters<typeof rowsFor>) => rowsFor(...given).map(({command}) => command);

describe('the commands of the palette', () => {
	const events = [server('github'), server('files'), route('pulls'), job('nightly'), webhook('push'), run('run-77')];

	test.each([
		['a beginning', 'rel', 'reload-mcp'],
		['a beginning behind a slash', '/rel', 'reload-mcp'],
		['a beginning behind a colon', ':rel', 'reload-mcp'],
		['the whole of one that others begin with', 'tools', 'tools'],
		['a word of it', 'github log', 'login github'],
		['the letters of it', 'rldm', 'reload-mcp'],
		['letters of both cases', 'THEME li', 'theme light'],
		['the name of a route', 'pulls', 'open route pulls'],
		['the name of a job', 'night', 'open job job-nightly'],
		['a part of an id', 'n-77', 'open run run-77'],
		['what it does', 'the configuration', 'reload-mcp'],
		['a text of its own behind a command', 'hold it looks odd', 'hold it looks odd'],
		['an argument that begins a name', 'login git', 'login github'],
	])('are found by %s: %j', (_, typed, first) => {
		expect(commandsFor(typed, events)[0]).toBe(first);
	});

	test('say what they do, and the key that does the same', () => {
		const rows = rowsFor('', events);
		expect(rows.find(({command}) => command === 'quit')).toMatchObject({
			key: 'q',
			words: expect.stringContaining('quit'),
		});
		expect(rows.filter(({words}) => words === '')).toEqual([]);
	});

	test('list the latest first while nothing is typed, and prefer them among equals', () => {
		const recent = ['login github', 'run tidy up'];
		expect(commandsFor('', events, {recent}).slice(0, 2)).toEqual(recent);
		expect(commandsFor('github', events)[0]).toBe('open server github');
		expect(commandsFor('login', [server('aaaaaa'), server('github')], {recent})[0]).toBe('login github');
	});

	test('name a server that several profiles have with its profile', () => {
		const servers = [server('a'), server('b'), inProfile('work', server('a'))];
		expect(commandsFor('', servers).filter(command => command.startsWith('login '))).toEqual([
			'login default/a',
			'login b',
			'login work/a',
		]);
		expect(commandsFor('', servers)).toEqual(expect.arrayContaining(['open server default/a', 'open server work/a']));
	});

	test('are none that enter would run while nothing is typed or picked', () => {
		const context = {snapshot: snapshotOf(events), readOnly: false};
		const mode = {kind: 'palette', field: fieldWith(''), behind: {kind: 'browse'}} as const;
		expect(pickedCommand(mode, {recent: ['quit'], view: 'overview'}, context)).toBeUndefined();
		expect(pickedCommand({...mode, picked: 'quit'}, {recent: [], view: 'overview'}, context)?.command).toBe('quit');
	});

	test('stay within the screen with names of thousands of characters', () => {
		const long = 'n'.repeat(4000);
		const rows = frameAfter([started(), server(long)], [':', 'n'], {columns: 40, rows: 10});
		expect(rows).toHaveLength(10);
		expect(Math.max(...rows.map(row => row.length))).toBeLessThanOrEqual(40);
	});
});

test('the arrows choose a command, enter runs it, and it is listed first the next time', async () => {
	const {press, shows} = await openWith(
		[server('a'), route('pulls')],
		[
			[':', 'Commands'],
			['pull', '> open route pulls'],
			['\r', 'route      pulls'],
			[':', '  open route pulls'],
			['\u001B[B', '> open route pulls'],
			['\u001B', 'route      pulls'],
		],
	);
	await press('\u001B');
	await shows('─ 6 Routes');
});

test('a command that needs more is completed by enter, not sent', async () => {
	const {press, shows, sent} = await openWith(
		[server('a')],
		[
			[':', 'Commands'],
			['repl', '> replay'],
		],
	);
	await press('\r');
	await press('6be0');
	await shows(' : replay 6be0');
	await press('\r');
	await shows('Replay the event 6be0?');
	expect(sent).toEqual([]);
});

test('the screen is drawn in the colours of the theme that is picked, and in those of before after Esc', async () => {
	const {level} = chalk;
	chalk.level = 1;
	onTestFinished(() => void (chalk.level = level));
	const {press, terminal, shows, hides} = await openDashboard({
		events: [started(), server('a')],
		settings: {noColor: false},
	});
	// Less important text is dimmed in the dark theme, and gray in the light one.
	const [dimmed, gray] = ['\u001B[2m', '\u001B[90m'];
	/** The frames after a key, until the screen has a text. */
	const drawnAfter = async (key: string, until: () => Promise<unknown>) => {
		const before = terminal.written().length;
		await press(key);
		await until();
		return terminal.written().slice(before);
	};

	await press(':');
	await press('theme contras');
	await shows('> theme contrast');
	const dark = await drawnAfter('\u0015', () => shows('type, or choose with the arrows'));
	expect([dark.includes(dimmed), dark.includes(gray)]).toEqual([true, false]);
	const light = await drawnAfter('theme light', () => shows('> theme light'));
	expect([light.includes(dimmed), light.includes(gray)]).toEqual([false, true]);
	const back = await drawnAfter('\u001B', () => hides('theme light'));
	expect([back.includes(dimmed), back.includes(gray)]).toEqual([true, false]);
});

test('the latest calls of a server are listed by its name, as C does on its row', async () => {
	const {press, shows, sent} = await openWith([server('github')], [[':', 'Commands']]);
	await press('calls git\r');
	await shows('Latest calls');
	expect(sent).toEqual([{method: 'mcp.view-calls', params: {server: 'github'}, profile: 'default'}]);
});

import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {type Sortings, allViews, views} from '../../source/tui/lists/view-table.ts';
import {everyScreen} from './every-screen.ts';
import {frameAfter} from './frame-after.tsx';
import {openDashboard} from './open-dashboard.ts';
import {
	approval,
	failing,
	finished,
	job,
	route,
	run,
	server,
	settled,
	snapshotOf,
	started,
	webhook,
} from './sample-events.ts';
import {rehearsal} from './sample-rehearsal.ts';

const size = {columns: 80, rows: 24};
const shown = (events: Parameters<typeof frameAfter>[0], keys: readonly string[], at = size) =>
	frameAfter([started(), ...events], keys, at);

/** The names in the order in which the screen has them. */
const sequence = (lines: readonly string[], names: readonly string[]) =>
	lines
		.slice(lines.findIndex(line => line.startsWith('─')))
		.flatMap(line => names.filter(name => line.includes(name)))
		.join(' ');

const runs = [
	run('r1', {state: 'finished', route: 'bravo'}),
	run('r2', {state: 'failed', route: 'charlie', usage: {inputTokens: 900, outputTokens: 0}}),
	run('r3', {state: 'running', route: 'alpha', usage: {inputTokens: 5, outputTokens: 0}}),
];

describe('o sorts a list by its next column, O turns it round, and the title says so', () => {
	test.each([
		['as before', [], 'alpha charlie bravo', '4 Runs and inbox · 3 ─'],
		['turned round', ['O'], 'bravo charlie alpha', 'inbox · reversed · 3 ─'],
		['by name', ['o'], 'alpha bravo charlie', 'inbox · by name · 3 ─'],
		['by name, from the end', ['o', 'O'], 'charlie bravo alpha', 'inbox · by name, reversed · 3 ─'],
		['by state, what failed first', ['o', 'o'], 'charlie alpha bravo', 'inbox · by state · 3 ─'],
		['by tokens, the most first', ['o', 'o', 'o', 'o', 'o'], 'charlie alpha bravo', 'inbox · by tokens · 3 ─'],
		['as before after the last column', ['o', 'o', 'o', 'o', 'o', 'o'], 'alpha charlie bravo', 'inbox · 3 ─'],
	])('%s', (_, keys, rows, title) => {
		const lines = shown(runs, ['4', ...keys]);
		expect(sequence(lines, ['alpha', 'bravo', 'charlie'])).toBe(rows);
		expect(lines.join('\n')).toContain(title);
	});

	test('also on the smallest screen', () => {
		expect(shown(runs, ['4', 'o', 'o', 'o', 'O'], {columns: 40, rows: 10}).join('\n')).toContain('by took, reversed');
	});
});

test('a row stays picked when its list is sorted', () => {
	const lines = shown(runs, ['4', 'j', 'o']);
	expect(lines.find(line => line.startsWith('>'))).toContain('charlie');
});

test('the overview sorts routes and servers each for itself', () => {
	const events = [server('zulu'), server('mike', {state: 'failed'}), route('yankee'), route('lima'), failing('yankee')];
	const names = ['zulu', 'mike', 'yankee', 'lima'];
	// Failed rows come first, until somebody wants another order.
	expect(sequence(shown(events, []), names)).toMatch(/^yankee lima mike zulu/u);
	expect(sequence(shown(events, ['o']), names)).toMatch(/^lima yankee mike zulu/u);
	expect(sequence(shown(events, ['o', 'O']), names)).toMatch(/^yankee lima zulu mike/u);
	expect(shown(events, ['o'], {columns: 120, rows: 24}).join('\n')).toContain(
		'routes · 1 of 2 needs something · by name',
	);
});

test.each([
	[80, [], /^─ routes · 1 of 2 needs something ─+ \/s {2}failed .* p50 /u],
	[80, ['o', 'O'], /^─ routes · 2 · !1 · ↑ name ─+ max\/5s ─+ \/s {2}failed .* p50 /u],
	[80, ['/', 'y', '\r', 'o'], /^─ routes · filter: y \(1 of 2\) · by name ─ \/s {2}failed .* p50 /u],
	[40, [], /^─ routes · 2 · !1 ─+ \/s failed /u],
	[40, ['o', 'o', 'o', 'o'], /^─ routes ↓ failed ─+ \/s failed /u],
	[40, ['O'], /^─ routes !1 ↑ ─+ \/s failed /u],
	[40, ['/', 'y', '\r'], /^─ routes \/y 1\/2 ─+ \/s failed /u],
])(
	'neither an order nor a filter takes the headings of the overview their room, at %i columns after %j',
	(columns, keys, title) => {
		const events = [server('zulu'), route('yankee'), route('lima'), failing('yankee')];
		const lines = shown(events, keys, {columns, rows: columns === 40 ? 10 : 24});
		expect(lines.find(line => line.startsWith('─ routes'))).toMatch(title);
	},
);

test('what was decided stays below what waits in every order', () => {
	const events = [approval('1', {server: 'zulu'}), approval('2', {server: 'alpha'}), settled('3', {server: 'mike'})];
	const names = ['zulu', 'alpha', 'mike'];
	expect(sequence(shown(events, ['2']), names)).toBe('zulu alpha mike');
	expect(sequence(shown(events, ['2', 'o']), names)).toBe('alpha zulu mike');
});

test('events follow the newest in their own order alone', () => {
	const events = [finished('c1', {server: 'slow', ms: 900}), finished('c2', {server: 'fast', ms: 2}), webhook('push')];
	expect(shown(events, ['3']).join('\n')).toContain('3 Events · following · 3');
	const sorted = shown(events, ['3', 'o', 'o', 'o']);
	expect(sorted.join('\n')).toContain('3 Events · by took · 3');
	expect(sequence(sorted, ['slow', 'fast'])).toBe('slow fast');
	expect(sorted.find(line => line.startsWith('>'))).toContain('slow');
	expect(sorted.at(-1)).not.toContain('pause');
	expect(shown(events, ['3', 'O']).find(line => line.startsWith('>'))).toContain('push');
});

test('a list of one order stays as it is', () => {
	const lines = shown([rehearsal()], ['R', 't', 'O', 'o']);
	expect(lines.join('\n')).toContain('Rules on recorded calls · ');
	expect(lines.join('\n')).not.toContain('reversed');
});

const sortable = allViews.filter(view => views[view].sorts);

test.each(sortable)('the rows of %s have a value for each column that sorts them', view => {
	const calls: GatewayEventBody = {
		type: 'view.server-calls',
		server: 'files',
		calls: [{callId: 'c', name: 'n', tool: 't', arguments: '', origin: {kind: 'command-line'}, at: 0}],
	};
	const events = [...everyScreen.flatMap(([, screen]) => screen), calls];
	const snapshot = snapshotOf(events);
	const values = views[view].rows(snapshot).map(row => Object.keys(row.values?.(0) ?? {}));
	expect(values.flat()).toEqual(expect.arrayContaining([...(views[view].sorts ?? [])]));
});

test('orders are saved, and the dashboard begins with them', async () => {
	const saved: Sortings[] = [];
	const events = [started(), job('b'), job('a')];
	const {press, shows} = await openDashboard({
		events,
		settings: {view: 'jobs', sort: {jobs: {by: 'name', direction: 'reversed'}}},
		savePreferences: ({sort}) => void saved.push(sort),
	});
	await shows('5 Jobs · by name, reversed');
	await press('O');
	await shows('5 Jobs · by name ·');
	await press(':');
	await press('sort next\r');
	await shows('5 Jobs · by next');
	await press(':sort fast\r');
	await shows('this list sorts by: name, state, next, last, reversed, default');
	await press(':sort default\r');
	await shows('5 Jobs · 2');
	expect(saved).toEqual([{jobs: {by: 'name', direction: 'forward'}}, {jobs: {by: 'next', direction: 'forward'}}, {}]);
});

import {describe, expect, test} from 'vitest';
import {type GatewayCall} from '../../source/state/gateway-call.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {reduceAll, ringLimits} from '../../source/state/reduce.ts';
import {type Snapshot} from '../../source/state/snapshot.ts';
import {uiStep} from '../../source/tui/input/ui-step.ts';
import {foldedRows, listedIndex} from '../../source/tui/lists/folds.ts';
import {type ListRow} from '../../source/tui/lists/list-row.ts';
import {viewRows} from '../../source/tui/lists/view-rows.ts';
import {type ViewName} from '../../source/tui/lists/view-table.ts';
import {listPosition, pickedRow, selectedRow} from '../../source/tui/state/selection.ts';
import {initialUiState, type UiState} from '../../source/tui/state/ui-state.ts';
import {frameAfter} from './frame-after.tsx';
import {approval, call, finished, log, run, settled, snapshotOf, stamp, webhook} from './sample-events.ts';

const size = {columns: 80, rows: 24};
const shown = (events: readonly GatewayEventBody[], keys: readonly string[]) =>
	frameAfter(events, keys, size).join('\n');
const times = <Item>(count: number, make: (index: number) => Item) =>
	Array.from({length: count}, (_, index) => make(index));

/** A log of 3, 1,500 and 1 equal lines. */
const lines = [...times(3, () => log('began')), ...times(1500, () => log('the same')), log('over')];

/** The dashboard in this view after these keys, and what it sent. */
function after(view: ViewName, keys: readonly string[], snapshot: Snapshot) {
	const calls: GatewayCall[] = [];
	const ui = keys.reduce<UiState>(
		(before, name) => {
			const keyPress = {name, text: name.length === 1 ? name : '', alone: true} as const;
			const step = uiStep(before, {type: 'key-press', keyPress, readiness: 'ready'}, {snapshot, readOnly: false});
			calls.push(...step.calls);
			return step.ui;
		},
		{...initialUiState, view, size},
	);
	return {ui, calls, rows: listPosition(ui, view, snapshot).rows};
}

describe('equal rows that follow each other', () => {
	test('are one row with their number, and their count stays that of all rows', () => {
		const frame = shown(lines, ['W']);
		expect(frame).toMatch(/began .* × 3$/mu);
		expect(frame).toMatch(/the same .* × 1,500$/mu);
		expect(frame).toMatch(/over$/mu);
		expect(frame).toContain('W Log · following · 1504');
	});

	test.each<readonly [string, ViewName, readonly GatewayEventBody[]]>([
		['lines of the log', 'log', times(3, () => log('the same'))],
		[
			'events',
			'events',
			times(3, index => webhook('push', {eventId: `e${index}`, deliveryId: `d${index}`, ms: index})),
		],
		['calls that ended', 'events', times(3, index => finished(`c${index}`, {ms: index}))],
		['calls under way', 'calls', times(3, index => call(`c${index}`))],
		['runs that are over', 'runs', times(3, index => run(`r${index}`, {state: 'failed', reason: 'no model'}))],
		['decisions', 'you', times(3, index => settled(`s${index}`, {outcome: 'denied'}))],
		[
			'the latest calls of a server',
			'server-calls',
			[
				{
					type: 'view.server-calls',
					server: 'a',
					calls: times(3, index => ({
						callId: `c${index}`,
						name: 'n',
						tool: 't',
						arguments: '{}',
						origin: {kind: 'command-line'} as const,
						at: index,
						end: {outcome: 'ok', ms: index} as const,
					})),
				},
			],
		],
	])('fold: %s', (_, view, events) => {
		const rows = foldedRows(view, viewRows(view, snapshotOf(events), ''), undefined);
		expect(rows.map(({fold}) => fold?.rows.length)).toEqual([3]);
	});

	test.each<readonly [string, ViewName, readonly GatewayEventBody[]]>([
		['requests that wait', 'you', times(3, index => approval(`a${index}`))],
		['inbox items', 'runs', times(3, index => run(`r${index}`, {state: 'inbox'}))],
		['runs under way', 'runs', times(3, index => run(`r${index}`, {state: 'running'}))],
		['lines of another level', 'log', [log('x'), log('x', {level: 'error'}), log('x')]],
		['lines whose parts only read the same together', 'log', [log('b c', {area: 'a'}), log('c', {area: 'a b'})]],
		['events with another outcome', 'events', [webhook('push'), webhook('push', {outcome: 'delivered'})]],
	])('do not fold: %s', (_, view, events) => {
		const rows = foldedRows(view, viewRows(view, snapshotOf(events), ''), undefined);
		expect(rows).toHaveLength(events.length);
	});

	test('fold in the order of the list and its reverse, not where they are sorted by a column', () => {
		const snapshot = snapshotOf(times(3, index => webhook('push', {ms: index})));
		const newest = (sort: UiState['sort'][ViewName]) =>
			listPosition({...initialUiState, sort: {...(sort && {events: sort})}}, 'events', snapshot).rows.map(
				({id, fold}) => fold?.newest.id ?? id,
			);
		expect(newest(undefined)).toEqual(['3']);
		expect(newest({by: 'own', direction: 'reversed'})).toEqual(['3']);
		expect(newest({by: 'took', direction: 'forward'})).toEqual(['3', '2', '1']);
	});

	test('show the newest of them', () => {
		const newestOf = (view: ViewName, snapshot: Snapshot) =>
			foldedRows(view, viewRows(view, snapshot, ''), undefined)[0]?.fold?.newest.id;
		expect(newestOf('log', snapshotOf(times(3, () => log('x'))))).toBe('3');
		expect(newestOf('runs', snapshotOf(times(3, index => run(`r${index}`, {state: 'failed'}))))).toBe('r2');
	});
});

describe('enter', () => {
	const snapshot = snapshotOf([log('first'), ...times(3, () => log('the same')), log('last')]);

	test('shows the rows of a fold below it, and folds them again', () => {
		expect(after('log', ['home', 'down', 'enter'], snapshot).rows.map(({id}) => id)).toEqual([
			'1',
			' fold 4',
			'2',
			'3',
			'4',
			'5',
		]);
		const {rows, ui} = after('log', ['home', 'down', 'enter', 'enter'], snapshot);
		expect(rows).toHaveLength(3);
		expect(selectedRow(ui, snapshot)?.fold?.rows).toHaveLength(3);
	});

	test('opens a row of an open fold like any other', () => {
		const {ui} = after('log', ['home', 'down', 'enter', 'down', 'down', 'enter'], snapshot);
		expect(ui.mode).toMatchObject({kind: 'detail', id: '3'});
	});

	test('is drawn: the fold, and what is in it', () => {
		const frame = shown([log('first'), ...times(3, () => log('the same')), log('last')], ['W', 'g', 'j', '\r', 'j']);
		expect(frame).toMatch(/^ {2}.*the same .* × 3 ↓$/mu);
		expect(frame).toMatch(/^>│.*the same *$/mu);
		expect(frame).toContain('W Log · paused, 3 newer ↓ · 5');
	});
});

describe('Esc', () => {
	const snapshot = snapshotOf([log('first'), ...times(3, () => log('the same')), log('last')]);

	test('folds before it clears the filter, and picks the fold in place of its row', () => {
		const open = ['/', 's', 'a', 'm', 'enter', 'enter', 'down'];
		const folded = after('log', [...open, 'esc'], snapshot);
		expect(folded.rows).toHaveLength(1);
		expect(folded.ui.filters.log).toBe('sam');
		expect(selectedRow(folded.ui, snapshot)?.fold?.state).toBe('closed');
		expect(after('log', [...open, 'esc', 'esc'], snapshot).ui.filters.log).toBe('');
	});

	test('leaves a row picked that is not in the fold', () => {
		const {ui, rows} = after('log', ['home', 'down', 'enter', 'end', 'up', 'home', 'esc'], snapshot);
		expect(rows).toHaveLength(3);
		expect(selectedRow(ui, snapshot)?.id).toBe('1');
	});
});

describe('a key that means one row', () => {
	const events = snapshotOf(times(3, index => webhook('push', {eventId: `e${index}`})));
	const calls = snapshotOf(times(3, index => call(`c${index}`)));

	test.each<readonly [ViewName, string, Snapshot]>([
		['events', 'e', events],
		['events', 'v', events],
		['calls', 'x', calls],
	])('does nothing to a fold of %s: %s', (view, key, snapshot) => {
		const {ui, calls} = after(view, [key], snapshot);
		expect(calls).toEqual([]);
		expect(ui.mode.kind).toBe('browse');
		expect(ui.toast?.text).toBe('several equal rows: press enter to show them, then pick one');
		const opened = after(view, ['enter', 'down', key], snapshot);
		expect([opened.ui.mode.kind, opened.calls.length]).not.toEqual(['browse', 0]);
	});

	test('copies what the newest says', () => {
		const {ui} = after('events', ['c'], events);
		expect(ui.copied.text).toBe('e2');
		expect(pickedRow(ui, events)?.id).toBe('3');
	});
});

describe('a picked fold', () => {
	/** The snapshot after so many more equal lines. */
	const grown = (snapshot: Snapshot, count: number, from: number) =>
		reduceAll(
			snapshot,
			stamp(
				times(count, () => log('the same')),
				from,
			),
		);

	test('stays picked, open or not, while it grows at its end and the ring forgets its beginning', () => {
		const before = snapshotOf([log('first'), ...times(ringLimits.log - 2, () => log('the same')), log('last')]);
		const {ui} = after('log', ['home', 'down'], before);
		const later = reduceAll(
			before,
			stamp(
				times(50, () => log('more')),
				ringLimits.log + 1,
			),
		);
		expect(selectedRow(ui, before)?.fold?.rows).toHaveLength(ringLimits.log - 2);
		expect(selectedRow(ui, later)?.fold?.rows).toHaveLength(ringLimits.log - 51);
		const {ui: open} = after('log', ['home', 'down', 'enter'], before);
		expect(selectedRow(open, later)?.fold?.state).toBe('open');
	});

	test('grows with what comes, and a row of an open one stays where it is', () => {
		const before = snapshotOf([log('first'), ...times(3, () => log('the same'))]);
		const {ui} = after('log', ['home', 'down'], before);
		expect(selectedRow(ui, grown(before, 4, 5))?.fold?.rows).toHaveLength(7);
		const {ui: open} = after('log', ['home', 'down', 'enter', 'down'], before);
		expect(selectedRow(open, grown(before, 4, 5))?.id).toBe('2');
	});

	test('is the one that has a row which was picked while there was only that', () => {
		const before = snapshotOf([log('first'), log('the same')]);
		const {ui} = after('log', ['home', 'end', 'p'], before);
		expect(selectedRow(ui, before)?.id).toBe('2');
		expect(selectedRow(ui, grown(before, 4, 3))?.fold?.rows).toHaveLength(5);
	});
});

test('what is named by its id is opened, not the fold that has it', () => {
	const snapshot = snapshotOf(times(3, index => webhook('push', {eventId: `e${index}`})));
	const {ui} = after('overview', [':', ...Array.from('open event e1'), 'enter'], snapshot);
	expect(ui.mode).toMatchObject({kind: 'trace', id: '2'});
});

describe('folding', () => {
	/** Rows of which each compares itself when it is asked what it says. */
	function counted(texts: readonly string[]) {
		let asked = 0;
		const rows = texts.map((text, index): ListRow => {
			const line = () => [];
			return {
				id: `${index}`,
				fields: () => ({}),
				line,
				detail: line,
				repeats: {
					at: index,
					line,
					text() {
						asked++;
						return text;
					},
				},
			};
		});
		return {rows, asked: () => asked};
	}

	test('compares only rows that have come, however many are there', () => {
		const {rows, asked} = counted(times(20_000, index => String(Math.floor(index / 7) % 3)));
		for (let end = 5000; end <= rows.length; end += 100) {
			foldedRows('events', rows.slice(end - 5000, end), undefined);
		}

		const flushes = 151;
		expect(asked()).toBeLessThanOrEqual(rows.length + flushes);
	});

	test('after any change is what it is from the beginning', () => {
		const {rows} = counted(times(300, index => String(Math.floor((index * 7919) / 13) % 3)));
		const lengths = (list: readonly ListRow[]) => list.map(({fold}) => fold?.rows.length ?? 1);
		const windows = times(200, index => rows.slice((index * 37) % 150, 150 + ((index * 53) % 150)));
		for (const window of [...windows, [], rows.slice(0, 10), rows.slice(5, 6), rows]) {
			const found = lengths(foldedRows('log', window, undefined));
			foldedRows('log', [], undefined);
			expect(found).toEqual(lengths(foldedRows('log', window, undefined)));
			expect(found.reduce((sum, count) => sum + count, 0)).toBe(window.length);
		}
	});

	test('finds each row in what is listed, and none that is gone', () => {
		const snapshot = snapshotOf([log('a'), log('b'), log('b'), log('c')]);
		const rows = foldedRows('log', viewRows('log', snapshot, ''), undefined);
		expect(['1', '2', '3', '4', ' fold 3', 'x'].map(id => listedIndex(rows, id))).toEqual([0, 1, 1, 2, 1, undefined]);
	});
});

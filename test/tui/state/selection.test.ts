import {expect, test} from 'vitest';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {listLines} from '../../../source/tui/components/list-lines.ts';
import {listPosition, moveSelection, toggleFollow} from '../../../source/tui/state/selection.ts';
import {initialUiState, type UiState} from '../../../source/tui/state/ui-state.ts';
import {run, server, snapshotOf, webhook} from '../sample-events.ts';
import {keyNames} from '../../../source/tui/state/key-names.ts';

const servers = snapshotOf(['a', 'b', 'c'].map(name => server(name)));
const hooks = (count: number) => snapshotOf(Array.from({length: count}, (_, index) => webhook(`r${index}`)));
const events: UiState = {...initialUiState, view: 'events'};

test.each([
	[['down'], 'default/b'],
	[['down', 'down', 'down', 'down'], 'default/c'],
	[['down', 'up', 'up'], 'default/a'],
	[['bottom'], 'default/c'],
	[['bottom', 'top'], 'default/a'],
	[['page-down'], 'default/c'],
] as const)('%j from the first server selects %s', (moves, id) => {
	const ui = moves.reduce((current, move) => moveSelection(current, move, servers), initialUiState);
	const {rows, index} = listPosition(ui, 'overview', servers);
	expect(rows[index]?.id).toBe(id);
});

test('a selected row stays selected when rows come before it', () => {
	const before = snapshotOf([run('1'), run('2')]);
	const ui = moveSelection({...initialUiState, view: 'runs'}, 'down', before);
	const after = snapshotOf([run('1'), run('2'), run('3')]);
	const {rows, index} = listPosition(ui, 'runs', after);
	expect(rows[index]?.id).toBe('1');
});

test('events follow the newest until somebody moves', () => {
	expect(listPosition(events, 'events', hooks(5))).toMatchObject({index: 4, following: true});
});

test('moving up pauses on that row however many come after it', () => {
	const ui = moveSelection(events, 'up', hooks(5));
	const {rows, index, following} = listPosition(ui, 'events', hooks(50));
	expect([rows[index]?.id, following]).toEqual(['4', false]);
});

test('moving to the end follows again', () => {
	const paused = moveSelection(events, 'up', hooks(5));
	expect(listPosition(moveSelection(paused, 'bottom', hooks(5)), 'events', hooks(5)).following).toBe(true);
});

test('pausing keeps the newest row, following lets it go', () => {
	const paused = toggleFollow(events, hooks(5));
	expect([
		listPosition(paused, 'events', hooks(9)).index,
		listPosition(toggleFollow(paused, hooks(9)), 'events', hooks(9)).following,
	]).toEqual([4, true]);
});

test('a selected row that fell out of its ring hands over to the oldest', () => {
	const ui: UiState = {...events, selected: {events: 'gone'}};
	expect(listPosition(ui, 'events', hooks(3)).index).toBe(0);
});

test('an empty list can be moved in without harm', () => {
	expect(moveSelection(initialUiState, 'down', snapshotOf([]))).toBe(initialUiState);
});

test('of a long list only the rows on the screen become lines', () => {
	const position = listPosition(events, 'events', hooks(2000));
	expect(
		listLines(position, {
			width: 80,
			height: 10,
			now: 0,
			active: true,
			profileCells: 0,
			keys: keyNames({readOnly: false, snapshot: emptySnapshot}),
		}),
	).toHaveLength(10);
});

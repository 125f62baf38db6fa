import {expect, test} from 'vitest';
import {NotedList, SelectedPane} from '../../../source/tui/views/picked-note.tsx';
import {frameOf, screenOf} from '../render-component.tsx';
import {server, started} from '../sample-events.ts';

const reason = 'it wants a login';
const needy = server('needy', {state: 'needs-login', reason, nextActions: [{kind: 'login', server: 'needy'}]});
const others = Array.from({length: 9}, (_, index) => server(`other-${index}`));

test.each([
	['in the rows that the list leaves free', {columns: 40, rows: 10}, [needy], reason],
	['in rows that a long list gives up for it', {columns: 40, rows: 10}, [needy, ...others], reason],
	['not where the details have a place of their own', {columns: 160, rows: 50}, [needy], undefined],
	['not for a row that needs nobody and has room', {columns: 80, rows: 24}, others, undefined],
] as const)('why the picked row needs a person is below the list, %s', (_, size, servers, words) => {
	const screen = screenOf([started(), ...servers], {}, {size});
	const rows = frameOf(<NotedList screen={screen} view="overview" height={7} />).split('\n');
	const below = rows.slice(rows.findIndex((row, index) => index > 0 && row.startsWith('──')));
	expect(rows.length).toBeLessThanOrEqual(7);
	expect(below.some(row => row.startsWith(' reason') && row.includes(reason))).toBe(words !== undefined);
});

test('the picked row has its details in a pane of their own', () => {
	const screen = screenOf([started(), ...others, needy], {}, {size: {columns: 100, rows: 30}});
	const rows = frameOf(<SelectedPane screen={screen} view="overview" height={5} />).split('\n');
	expect(rows).toHaveLength(5);
	expect(rows.join(' ')).toMatch(/selected · enter opens it in full .*needs login .*reason +it wants a login/u);
});

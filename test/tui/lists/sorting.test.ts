import {describe, expect, test} from 'vitest';
import {
	nextSorting,
	sortingText,
	reversedSorting,
	type Sorting,
	sortRows,
	type SortValues,
	stateValue,
} from '../../../source/tui/lists/sorting.ts';
import {callText, runText, serverText} from '../../../source/state/entities/status-text.ts';

const forward = (by: Sorting['by']): Sorting => ({by, direction: 'forward'});
const reversed = (by: Sorting['by']): Sorting => ({by, direction: 'reversed'});

describe('rows are sorted', () => {
	const rows = (
		[
			['b', 10],
			['a', undefined],
			['c', 200],
			['d', 10],
		] as const
	).map(([name, rate], index) => ({
		name,
		group: index === 3 ? 1 : 0,
		values: (): SortValues => ({name, rate}),
	}));
	const names = (order: Sorting) =>
		sortRows(rows, order, {at: 0, groupOf: ({group}) => group})
			.map(({name}) => name)
			.join('');

	test.each([
		['by a text, from a to z', forward('name'), 'abcd'],
		['by a text, reversed', reversed('name'), 'cbad'],
		['by a number, the largest first and without one last', forward('rate'), 'cbad'],
		['by a number, reversed, without one still last', reversed('rate'), 'bcad'],
		['in their own order, reversed', reversed('own'), 'cabd'],
		['by what none of them has, as they were', forward('tokens'), 'bacd'],
	])('%s, each group for itself', (_, order, sorted) => {
		expect(names(order)).toBe(sorted);
	});

	test('by state: what is wrong first, then what needs somebody, then what is under way', () => {
		const states = [
			serverText.connected,
			runText.running,
			serverText['needs-login'],
			callText.failed,
			serverText.stopped,
		];
		expect(states.toSorted((a, b) => (stateValue(a) < stateValue(b) ? -1 : 1)).map(({word}) => word)).toEqual([
			'failed',
			'needs login',
			'running',
			'connected',
			'stopped',
		]);
	});
});

test('one key goes through the columns and back to the own order, another one turns any order round', () => {
	const columns = ['name', 'rate'] as const;
	const orders = [nextSorting(columns, undefined)];
	orders.push(nextSorting(columns, orders[0]));
	orders.push(nextSorting(columns, orders[1]));
	expect(orders).toEqual([forward('name'), forward('rate'), undefined]);
	expect(reversedSorting(undefined)).toEqual(reversed('own'));
	expect(reversedSorting(reversed('own'))).toBeUndefined();
	expect(reversedSorting(forward('rate'))).toEqual(reversed('rate'));
	expect(reversedSorting(reversed('rate'))).toEqual(forward('rate'));
	expect(nextSorting(columns, reversed('own'))).toEqual(forward('name'));
});

test.each([
	[undefined, ''],
	[forward('rate'), 'by rate'],
	[reversed('rate'), 'by rate, reversed'],
	[reversed('own'), 'reversed'],
])('%j is shown as %j', (order, text) => {
	expect(sortingText(order)).toBe(text);
});

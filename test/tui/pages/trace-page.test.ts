import {expect, test} from 'vitest';
import {barCells} from '../../../source/tui/pages/trace-page.ts';

test.each([
	{shares: [1, 1, 1], width: 10, cells: [4, 3, 3]},
	{shares: [4600, 5], width: 76, cells: [76, 0]},
	{shares: [], width: 10, cells: []},
	{shares: [1, 999], width: 400, cells: [0, 400]},
])('a bar of $width cells for $shares is $cells', ({shares, width, cells}) => {
	expect(
		barCells(
			shares.map(ms => ({use: 'rest', ms})),
			width,
		),
	).toEqual(cells);
});

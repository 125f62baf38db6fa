import {expect, test} from 'vitest';
import {readableRows} from '../../../source/tui/components/toast-lines.ts';

const toast = (text: string) => ({id: 1, text, tone: 'normal'}) as const;

test.each([
	[undefined, 4],
	[toast('short'), 4],
	[toast('a line that is too long for one row'), 3],
	[toast('words '.repeat(40)), 2],
])('of a text under the toast %o, %i rows are certainly read at 40x10', (shown, rows) => {
	expect(readableRows({size: {columns: 40, rows: 10}, toast: shown})).toBe(rows);
});

import {expect, test} from 'vitest';
import {type Awaited} from '../../../source/tui/state/awaited.ts';
import {coversKeys, readableRows, toastLines} from '../../../source/tui/components/toast-lines.ts';
import {emptyField} from '../../../source/tui/state/text-field.ts';
import {frameAfter} from '../frame-after.tsx';
import {server, started} from '../sample-events.ts';

const toast = (text: string) => ({id: 1, text, tone: 'normal'}) as const;
const mode = {kind: 'browse'} as const;
const low = {columns: 40, rows: 10};
const high = {columns: 80, rows: 24};
const long = toast('words '.repeat(60).trim());

test.each([
	[low, undefined, 4],
	[low, toast('short'), 4],
	[low, long, 4],
	[high, toast('short'), 17],
	[high, toast('words '.repeat(20)), 16],
	[high, long, 15],
])('of a text on %o under the notification %o, %i rows are certainly read', (size, shown, rows) => {
	expect(readableRows({size, mode, toast: shown})).toBe(rows);
});

const rowsOf = (text: ReturnType<typeof toast> & {readonly awaited?: Awaited}, size = low) =>
	toastLines({size, mode, toast: text}).map(line => line.map(part => part.text).join(''));

test('a notification takes as few rows as its text needs, over the whole width', () => {
	expect(rowsOf(toast('x'.repeat(37)))).toEqual(['x'.repeat(37)]);
	expect(rowsOf(toast(`${'x'.repeat(37)} y`))).toEqual(['x'.repeat(37), 'y']);
});

test('on a low screen it takes two rows at most, and one where it stays until something has ended', () => {
	expect(rowsOf(long).length).toBe(2);
	expect(rowsOf(long)[1]).toMatch(/^words .* more in W Log$/u);
	expect(rowsOf({...long, awaited: {kind: 'calls', calls: [], subject: 'demo', row: {kind: 'demo'}}})).toHaveLength(1);
	expect(rowsOf(long, high)).toHaveLength(3);
});

test.each([
	['a question', {kind: 'confirm', question: {kind: 'quit'}, behind: mode} as const],
	['a field to type into', {kind: 'filter', field: emptyField} as const],
	['a menu', {kind: 'copy', behind: mode} as const],
])('what %s offers is not covered on a low screen', (_, asked) => {
	expect(coversKeys({size: low, mode, toast: long})).toBe(true);
	expect(coversKeys({size: low, mode: asked, toast: long})).toBe(false);
	expect(toastLines({size: low, mode: asked, toast: long})).toHaveLength(1);
});

test('on a low screen no row of what is read gives way to a short notification, which has the row of the keys', () => {
	const rows = (...keys: readonly string[]) => frameAfter([started(), server('a')], keys, low);
	const before = rows('\r');
	const after = rows('\r', 'c');
	expect(after).toHaveLength(10);
	expect(after.slice(0, 9)).toEqual(before.slice(0, 9));
	expect(before[9]).toContain('? help');
	expect(after[9]).toBe(' ✔ copied: node server.js');
});

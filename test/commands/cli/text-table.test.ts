import stringWidth from 'string-width';
import {expect, onTestFinished, test} from 'vitest';
import {printRows, textTable} from '../../../source/commands/cli/listing.ts';

test('columns are as wide as their widest cell, without blanks at the end', async () => {
	expect(
		await textTable(
			['A', 'BB'],
			[
				['wide cell', ''],
				['x', 'y'],
			],
		),
	).toBe('A          BB\nwide cell\nx          y\n');
});

test('a line break in a cell does not make a row', async () => {
	expect(await textTable(['A'], [['one\ntwo']])).toBe('A\none␊two\n');
});

test('a long cell is cut and says so', async () => {
	expect(await textTable(['A'], [['x'.repeat(90)]])).toBe(`A\n${'x'.repeat(80)}… 10 more\n`);
});

test.each([
	['wide letters', '漢字', 4],
	['letters of one column', 'Ærø', 3],
	['an emoji', '😀', 2],
	['a letter with a mark', 'e\u0301\u0323', 1],
	['a family, whose joints are shown', '👨\u200D👩', 12],
])('the second column is in one place below %s', async (_what, cell, width) => {
	const [titles, wide, plain] = (
		await textTable(
			['A', 'B'],
			[
				[cell, 'b'],
				['x', 'c'],
			],
		)
	).split('\n');
	const places = [titles?.split('B')[0], wide?.split('b')[0], plain?.split('c')[0]].map(text =>
		stringWidth(text ?? ''),
	);
	expect(places).toEqual([width + 2, width + 2, width + 2]);
});

test('a long cell of wide letters is cut at the same width', async () => {
	expect(await textTable(['A'], [['漢'.repeat(90)]])).toBe(`A\n${'漢'.repeat(40)}… 50 more\n`);
});

const address = `https://gateway.example.org/webhooks/${'a-long-name-'.repeat(8)}?token=1&x=%20`;

test.each([
	['an address', address, address],
	['an address of another scheme', address.replace('https', 'mcp+unix'), address.replace('https', 'mcp+unix')],
	['an address in a sentence', `Open ${address} to log in`, `Open ${address}… 10 more`],
	['an address in wide letters', `漢字 ${address} 漢字`, `漢字 ${address}… 3 more`],
	['an address behind the cut', `${'x '.repeat(60)}${address}`, `${'x '.repeat(40)}… ${40 + address.length} more`],
	['the second of two addresses', `http://a/ ${address} end`, `http://a/ ${address}… 4 more`],
])('%s stays whole', async (_what, cell, shown) => {
	expect(await textTable(['A'], [[cell]])).toBe(`A\n${shown}\n`);
});

test('an address of a megabyte is cut, in time', {timeout: 5000}, async () => {
	const rows = Array.from({length: 20}, () => [`https://${'a:'.repeat(500_000)}`]);
	expect((await textTable(['A'], rows)).length).toBeLessThan(45_000);
});

test.each([
	['is cut in its prose, the widest column first', 60, '7f3a  a-very-long-server-name  run of `slui…  the server ha…'],
	['keeps names whole even where it then wraps', 20, '7f3a  a-very-long-server-name  run of `s…  the serve…'],
	[
		'is whole where nobody looks',
		undefined,
		'7f3a  a-very-long-server-name  run of `sluice runs`, by hand  the server has ended with code 1',
	],
])('a row %s', async (_, columns, expected) => {
	const cells = [
		'7f3a',
		'a-very-long-server-name',
		'run of `sluice runs`, by hand',
		'the server has ended with code 1',
	];
	const [, row = ''] = (await textTable(['ID', 'SERVER', 'FROM', 'REASON'], [cells], columns)).split('\n');
	expect(row).toBe(expected);
});

test('wide letters are cut at the width of the terminal', async () => {
	const [, row = ''] = (await textTable(['ID', 'REASON'], [['1', '漢字'.repeat(20)]], 30)).split('\n');
	expect(stringWidth(row)).toBeLessThanOrEqual(30);
	expect(row).toMatch(/字…$/u);
});

test.each<readonly [string, number, reason: string, lines: readonly string[], below: (() => string[]) | undefined]>([
	[
		'a command that fits',
		40,
		'run `sluice runs list --json` or wait for it',
		['1   run `sluice runs list --json` or wa…'],
		undefined,
	],
	[
		'a command that is cut',
		30,
		'run it `sluice runs list --json` or wait',
		['1   run it `sluice runs list …', '  reason: run it `sluice runs list --json` or wait'],
		undefined,
	],
	['other words', 30, 'the port of it is taken by another', ['1   the port of it is taken b…'], undefined],
	[
		'other words, in a list that shows no row alone',
		30,
		'the port of it is taken by another',
		['1   the port of it is taken b…', '  reason: the port of it is taken by another'],
		() => [],
	],
])('below a row stands what a terminal cuts of its reason: %s', async (...row) => {
	const [, columns, reason, lines, below] = row;
	const {stdout} = process;
	const before = {isTTY: stdout.isTTY, columns: stdout.columns};
	onTestFinished(() => void Object.assign(stdout, before));
	Object.assign(stdout, {isTTY: true, columns});
	const printed: string[] = [];
	const context = {flags: {}, stdout: (text: string) => void printed.push(text), stderr() {}};
	const titles = ['ID', 'REASON'];
	const table = {titles, cells: (row: {readonly reason: string}) => ['1', row.reason], none: '', ...(below && {below})};
	await printRows(context, [{reason}], table);
	expect(printed.join('').trimEnd().split('\n')).toEqual(['ID  REASON', ...lines]);
});

test('where a row names its gateway, that has a column behind the id', async () => {
	const print = async (rows: ReadonlyArray<{readonly id: string; readonly node?: string}>) => {
		const printed: string[] = [];
		const context = {flags: {}, stdout: (text: string) => void printed.push(text), stderr() {}};
		await printRows(context, rows, {titles: ['TIME', 'ID', 'STATE'], cells: ({id}) => ['now', id, 'ok'], none: ''});
		return printed.join('').trimEnd().split('\n');
	};

	expect(await print([{id: 'a', node: 'web-1'}, {id: 'b'}])).toEqual([
		'TIME  ID  NODE   STATE',
		'now   a   web-1  ok',
		'now   b          ok',
	]);
	expect(await print([{id: 'a'}])).toEqual(['TIME  ID  STATE', 'now   a   ok']);
});

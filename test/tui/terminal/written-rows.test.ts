import {expect, test} from 'vitest';
import {type Operation, writtenRows} from '../../../source/tui/terminal/written-rows.ts';

function text(x: number, y: number, written: string): Operation {
	return {type: 'write', x, y, text: written, transformers: []};
}

const bold = '\u001B[1mbold\u001B[22m';

test.each<readonly [string, readonly Operation[], ReadonlyArray<string | undefined>]>([
	['nothing', [], ['', '']],
	['the lines of a text', [text(0, 0, `one\n${bold}`)], ['one', bold]],
	['texts beside each other', [text(0, 1, bold), text(6, 1, 'two  ')], ['', `${bold}  two`]],
	['texts above and below the frame', [text(0, -1, 'one\ntwo'), text(0, 1, 'three\nfour')], ['two', 'three']],
	['characters wider than a cell', [text(0, 0, '古\none')], [undefined, 'one']],
	['a text over another', [text(0, 0, 'one'), text(2, 0, 'two')], [undefined, '']],
	['a style that goes on behind its line', [text(0, 0, '\u001B[1mone\ntwo\u001B[22m')], [undefined, undefined]],
	[
		'a text that may be cut',
		[{type: 'clip'}, text(0, 0, 'one'), {type: 'unclip'}, text(0, 1, 'two')],
		[undefined, 'two'],
	],
])('%s: rows are put together from plain lines alone', (_, operations, rows) => {
	expect(writtenRows(operations, 2).rows).toEqual(rows);
});

test('a frame of plain lines needs no cells', () => {
	expect(writtenRows([text(0, 0, `one\n${bold}`), text(8, 1, 'two')], 2).rest).toEqual([]);
});

test('only lines that need cells are written to them', () => {
	expect(writtenRows([text(0, 0, 'one\n古\ntwo')], 3).rest).toEqual([text(0, 1, '古')]);
});

test('what is beside a line that needs cells needs them too', () => {
	const beside = text(4, 0, 'one');
	expect(writtenRows([text(0, 0, '古'), beside, text(0, 1, 'two')], 2).rest).toEqual([text(0, 0, '古'), beside]);
});

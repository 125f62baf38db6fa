import {stripVTControlCharacters} from 'node:util';
import {expect, test} from 'vitest';
import {StatusLines} from '../../../source/tui/components/status-lines.tsx';
import {span} from '../../../source/tui/text/span.ts';
import {frameOf, openComponent} from '../render-component.tsx';

const lines = [[span('one')], [span('two')]];

test.each([
	['success', '●', '*'],
	['error', '✖', 'x'],
	['warning', '▲', '!'],
	['info', '·', '-'],
] as const)('%s has its own glyph, in both character sets', (variant, glyph, ascii) => {
	const status = <StatusLines lines={lines} variant={variant} width={40} />;
	expect(frameOf(status).split('\n')).toEqual([` ${glyph} one`, '   two']);
	expect(frameOf(status, {ascii: true}).split('\n')).toEqual([` ${ascii} one`, '   two']);
});

test('what is under way moves, in ASCII alone, and stops when it is gone', async () => {
	const {text, frames, rerender} = openComponent(<StatusLines lines={lines} variant="under-way" width={40} />);
	expect(text().split('\n')).toEqual([' .   one', '     two']);
	await expect.poll(text).toContain(' ..  one');
	rerender(<StatusLines lines={lines} variant="info" width={40} />);
	const {length} = frames;
	const {text: other} = openComponent(<StatusLines lines={lines} variant="under-way" width={40} />);
	await expect.poll(other).toContain(' ... one');
	expect(frames.length).toBe(length);
});

test.each(['error', 'under-way'] as const)('a line of %s that is too long is cut in its row', variant => {
	const long = [[span('words that do not fit '.repeat(10))], [span('next')]];
	const frame = frameOf(<StatusLines lines={long} variant={variant} width={30} indent={3} />);
	const rows = stripVTControlCharacters(frame).split('\n');
	expect(rows).toHaveLength(2);
	expect(rows[0]).toMatch(/…$/u);
	expect(rows[0]).toHaveLength(30);
	expect(rows[1]?.trim()).toBe('next');
});

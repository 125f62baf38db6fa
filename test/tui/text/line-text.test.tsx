import {renderToString} from 'ink';
import {expect, test} from 'vitest';
import {brushesOf, LinesText, ThemeProvider} from '../../../source/tui/text/line-text.tsx';
import {uiText} from '../../../source/util/characters/ui-glyphs.ts';
import {type Line, span} from '../../../source/tui/text/span.ts';

function drawn(lines: readonly Line[], size: {readonly width: number; readonly height: number}): readonly string[] {
	return renderToString(
		<ThemeProvider value={{brushes: brushesOf('mono'), ascii: false}}>
			<LinesText lines={lines} {...size} />
		</ThemeProvider>,
		{columns: 20},
	).split('\n');
}

test('a block has exactly its rows, each cut to its width', () => {
	const lines = [[span('short')], [], [span('much longer than ten cells')], [span('not on the screen')]];
	expect(drawn(lines, {width: 10, height: 3})).toEqual(['short', '', 'much long…']);
	expect(drawn([[span('one')]], {width: 10, height: 3})).toEqual(['one', '', '']);
});

test('wide characters and our own glyphs take the cells they are measured with', () => {
	const lines = [[span('古い'), span(uiText`●`), span('é👩‍💻|')], [span('古いファイル')]];
	expect(drawn(lines, {width: 10, height: 2})).toEqual(['古い●é👩‍💻|', '古いファ…']);
});

test('nothing in a line acts on the terminal, whatever came through', () => {
	const lines = [[span('a\u001B[2Jb\u009B1mc\rd\ne\u0007f')], [span('next')]];
	expect(drawn(lines, {width: 20, height: 2})).toEqual(['a[2Jb1mcdef', 'next']);
});

test('a line is painted again for another width', () => {
	const line = [span('one two three')];
	expect(drawn([line], {width: 8, height: 1})).toEqual(['one two…']);
	expect(drawn([line], {width: 20, height: 1})).toEqual(['one two three']);
});

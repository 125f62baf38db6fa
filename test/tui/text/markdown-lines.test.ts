import {beforeAll, describe, expect, test} from 'vitest';
import {loadMarkdown, markdownLines} from '../../../source/tui/text/markdown-lines.ts';
import {drawUiGlyphs} from '../../../source/util/characters/ui-glyphs.ts';
import {lineWidth} from '../../../source/tui/text/span.ts';

const drawn = (markdown: string, width = 40) =>
	markdownLines(markdown, width).map(line => drawUiGlyphs(line.map(({text}) => text).join(''), 'ascii').trimEnd());
const pieces = (markdown: string) =>
	markdownLines(markdown, 80).flatMap(line =>
		line.filter(({text}) => text.trim() !== '').map(({text, tone}) => [text, tone]),
	);

beforeAll(loadMarkdown);

describe('a Markdown text is drawn', () => {
	test.each([
		['a heading', '# Result\n\nDone.', [' Result', '', ' Done.']],
		['a list', '- one\n- two\n  - deep', [' - one', ' - two', '   - deep']],
		['a numbered list', '3. one\n4. two', [' 3. one', ' 4. two']],
		['tasks', '- [x] did\n- [ ] will', [' - [x] did', ' - [ ] will']],
		['code', '```ts\nif (a) {\n  b()\n}\n```', ['   if (a) {', '     b()', '   }']],
		['a quote', '> said\n> so', [' | said', ' | so']],
		['a table', '|a|b|\n|-|-|\n|one|2|', [' a   | b', ` ${'-'.repeat(38)}`, ' one | 2']],
		[
			'a long paragraph',
			'word '.repeat(12).trim(),
			[' word word word word word word word', ' word word word word word'],
		],
		['a line break', 'one\\\ntwo', [' one', ' two']],
		['an escaped mark', String.raw`\*no\*`, [' *no*']],
	])('%s', (_, markdown, lines) => {
		expect(drawn(markdown)).toEqual(lines);
	});

	test.each([
		['strong', '**no**', [['no', 'strong']]],
		['emphasis', '*may*', [['may', 'emphasis']]],
		['code', '`x = 1`', [['x = 1', 'string']]],
		[
			'a link, with where it leads',
			'[docs](https://a.example/x)',
			[
				['docs', 'link'],
				[' (https://a.example/x)', 'dim'],
			],
		],
		['an address', 'https://a.example/x', [['https://a.example/x', 'link']]],
		[
			'a code block of JSON',
			'```json\n{"a": 1}\n```',
			[
				['{', 'normal'],
				['"a"', 'name'],
				[':', 'normal'],
				['1', 'number'],
				['}', 'normal'],
			],
		],
	])('with %s', (_, markdown, expected) => {
		expect(pieces(markdown)).toEqual(expected);
	});
});

describe('a hostile Markdown text', () => {
	test.each([
		['HTML', '<b onclick="x()">hi</b>', 'onclick="x()"'],
		['a comment', '<!-- hidden -->', 'hidden'],
		['a link whose words are another address', '[https://bank.example](https://evil.example)', 'https://evil.example'],
		['a link without words', '[](https://evil.example)', 'https://evil.example'],
		['a picture', '![logo](https://evil.example/x.png)', 'https://evil.example/x.png'],
		['a reference', '[a]\n\n[a]: https://evil.example', '[a]: https://evil.example'],
		['a script address', '[run](javascript:alert(1))', 'javascript:alert(1)'],
	])('hides nothing: %s', (_, markdown, text) => {
		expect(drawn(markdown, 100).join('\n')).toContain(text);
	});

	test.each([
		['deep quotes', '> '.repeat(2000) + 'x'],
		['deep lists', Array.from({length: 200}, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
		['open marks', '*_`['.repeat(5000)],
		['a wide table', `|${'a|'.repeat(25)}\n|${'-|'.repeat(25)}\n|${'世界|'.repeat(25)}`],
		['a long word', '世'.repeat(20_000)],
		['a long address', `https://a.example/${'x'.repeat(5000)}`],
	])('stays within the width and is drawn quickly: %s', (_, markdown) => {
		const before = process.cpuUsage().user;
		const lines = markdownLines(markdown, 40);
		expect((process.cpuUsage().user - before) / 1000).toBeLessThan(3000);
		expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(40);
	});
});

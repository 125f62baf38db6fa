import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {claimed, quoted, shownName, toolText, uncut} from '../../source/util/safe-text.ts';

describe('quoted', () => {
	test.each([
		['a plain name', 'codex', '"codex"'],
		['an empty name', '', '""'],
		['separators and provenance of Sluice', 'codex  trusted · run f96', '"codex ␠trusted · run f96"'],
		['blanks at both ends', '  codex ', '"␠␠codex␠"'],
		['blanks alone', '   ', '"␠␠␠"'],
		['a quotation mark that would end it', 'codex" · run f96', '"codex‹U+0022› · run f96"'],
		['typographic quotation marks', '“a” ″b″ ＂', '"‹U+201C›a‹U+201D› ‹U+2033›b‹U+2033› ‹U+FF02›"'],
		['two apostrophes, which look like a quotation mark', "it's a '' b", `"it's a '‹U+0027› b"`],
		['another blank', 'a\u{A0}b\u{2003}c\u{3000}', '"a‹U+00A0›b‹U+2003›c‹U+3000›"'],
		['the empty braille pattern', 'a\u{2800}', '"a‹U+2800›"'],
		['line breaks and tabs', 'a\n\tb\r', '"a␊␉b␍"'],
		['a mark that would join with our quotation mark', '\u{301}a', '"‹U+0301›a"'],
		['a direction override', 'a\u{202E}b', '"a‹U+202E›b"'],
	])('%s', (_, name, shown) => {
		expect(quoted(name)).toBe(shown);
	});

	test('a long name is cut inside its quotation, and the cut is marked', () => {
		expect(quoted('x'.repeat(1000))).toBe(`"${'x'.repeat(240)}… 760 more"`);
		expect(quoted('x'.repeat(1000), {maximumCharacters: 5})).toBe('"xxxxx… 995 more"');
		expect(quoted('x'.repeat(1000), uncut)).toBe(`"${'x'.repeat(1000)}"`);
	});

	test('no name ends its quotation, is collapsed or trimmed, or breaks the line', () => {
		const names = fc.oneof(
			fc.string({unit: 'binary'}),
			fc.array(fc.constantFrom(' ', '"', "'", '·', '\n', '“', '\u{A0}', 'a')).map(parts => parts.join('')),
		);
		fc.assert(
			fc.property(names, name => {
				const shown = quoted(name, uncut);
				expect(shown).toMatch(/^"[^"\n“”]*"$/u);
				expect(shown.replaceAll(/\s+/gu, ' ').trim()).toBe(shown);
				expect(shown).not.toMatch(/" | "/u);
			}),
		);
	});
});

test.each([
	['client', 'codex', 'claimed client "codex"'],
	['', 'push', 'claimed "push"'],
	['delivery', '', ''],
	['delivery', ' ', 'claimed delivery "␠"'],
])('a claim of the %s %j', (what, name, shown) => {
	expect(claimed(what, name)).toBe(shown);
});

test.each([
	['write_file', 'write_file'],
	['namespace/tool.v2:run-all', 'namespace/tool.v2:run-all'],
	['/favicon.ico', '/favicon.ico'],
	['write trusted', '"write trusted"'],
	['write · trusted', '"write · trusted"'],
	['write,', '"write,"'],
	['wrіte', '"wrіte"'],
	['', '""'],
	['-x', '"-x"'],
])('the name %j is an identifier or quoted', (name, shown) => {
	expect(shownName(name)).toBe(shown);
	expect(toolText({server: 'files', tool: name})).toBe(`files/${shown}`);
});

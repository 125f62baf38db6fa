/** The dashboard's own glyphs, and their replacements where only ASCII is safe. Each is one cell wide. */
const asciiGlyphs: Readonly<Record<string, string>> = {
	'●': '*',
	'◐': '~',
	'○': 'o',
	'◇': '?',
	'✖': 'x',
	'–': '-',
	'▲': '!',
	'✔': '+',
	'─': '-',
	'│': '|',
	'·': '-',
	'×': 'x',
	'…': '~',
	'↑': '^',
	'↓': 'v',
	'▌': '>',
	'◆': '?',
	'━': '=',
	'◉': '*',
	'»': '>',
	'▁': '_',
	'▂': '.',
	'▃': ':',
	'▄': '-',
	'▅': '=',
	'▆': '+',
	'▇': '*',
	'█': '#',
	'░': 'x',
	'▒': 'X',
	'▓': '%',
	'┌': '+',
	'├': '+',
	'└': '+',
};

/** All of them in one text, for regular expressions. */
export const uiGlyphs = Object.keys(asciiGlyphs).join('');

/**
Code points of the private use area that stand for the glyphs until they are drawn. No untrusted text contains one, because `safeText` and
`exactText` escape them.
*/
const firstPlaceholder = 0xe0_00;
const glyphList = Array.from(uiGlyphs);
const placeholders = new Map(glyphList.map((glyph, index) => [glyph, String.fromCharCode(firstPlaceholder + index)]));

/** All placeholders in one text. */
export const glyphPlaceholders = [...placeholders.values()].join('');

const anyUiGlyph = new RegExp(`[${uiGlyphs}]`, 'gu');
/** Any of our own glyphs, as a placeholder. */
export const uiGlyphPattern = new RegExp(`[${glyphPlaceholders}]`, 'gu');

/**
Tags a text of the dashboard. Its glyphs are replaced by placeholders and may be drawn in ASCII; interpolated values may be untrusted and
are never changed.
*/
export function uiText(literals: TemplateStringsArray, ...values: ReadonlyArray<string | number>): string {
	return literals.map(tagOwnGlyphs).reduce((text, literal, index) => `${text}${values[index - 1] ?? ''}${literal}`);
}

/** Tags a text that is wholly our own, as `uiText` tags a literal. */
export function tagOwnGlyphs(own: string): string {
	return own.replaceAll(anyUiGlyph, glyph => placeholders.get(glyph) ?? glyph);
}

/** The text as drawn: placeholders become glyphs or their ASCII forms, the rest is unchanged. */
export function drawUiGlyphs(text: string, charset: 'unicode' | 'ascii'): string {
	return text.replaceAll(uiGlyphPattern, placeholder => {
		const glyph = glyphList[placeholder.charCodeAt(0) - firstPlaceholder] ?? placeholder;
		return charset === 'ascii' ? (asciiGlyphs[glyph] ?? glyph) : glyph;
	});
}

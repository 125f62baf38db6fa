import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {drawUiGlyphs, uiText, uiGlyphs} from '../../../source/util/characters/ui-glyphs.ts';
import {
	approvalText,
	callText,
	jobText,
	loginText,
	logText,
	partText,
	routeText,
	ruleText,
	runText,
	serverText,
	stepText,
	toolText,
	webhookText,
} from '../../../source/state/entities/status-text.ts';
import {themes} from '../../../source/tui/text/theme.ts';

const tables = [
	serverText,
	approvalText,
	callText,
	webhookText,
	runText,
	logText,
	loginText,
	jobText,
	routeText,
	toolText,
	ruleText,
	partText,
	stepText,
];
const all = tables.flatMap(table => Object.entries(table));

test.each(all)('%s has a glyph of one cell and a word', (_state, {glyph, word}) => {
	expect([stringWidth(glyph), word === ''].join()).toBe('1,false');
});

test.each(all)('the glyph of %s has an ASCII form of one cell', (_state, {glyph}) => {
	expect(drawUiGlyphs(glyph, 'ascii')).toMatch(/^[\u0020-\u007E]$/u);
});

test('server states differ by word, so that neither glyph nor colour alone carries them', () => {
	const words = Object.values(serverText).map(({word}) => word);
	expect(new Set(words).size).toBe(words.length);
});

test('without colours no tone has one', () => {
	expect([...new Set(Object.values(themes.mono).flat())].toSorted()).toEqual(['bold', 'dim', 'inverse', 'underline']);
});

test('only our own glyphs are drawn in ASCII: the same glyph in a value from outside stays', () => {
	const value = `» ● … ${uiGlyphs}`;
	const line = uiText`● ${value} …`;
	expect(drawUiGlyphs(line, 'ascii')).toBe(`* ${value} ~`);
	expect(drawUiGlyphs(line, 'unicode')).toBe(`● ${value} …`);
});

test('every glyph in the source of the dashboard is tagged as its own', () => {
	const folder = fileURLToPath(new URL('../../../source/tui', import.meta.url));
	const names = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(name => /\.tsx?$/u.test(name));
	expect(names.length).toBeGreaterThan(60);
	const stray = names.flatMap(name =>
		withoutComments(readFileSync(`${folder}/${name}`, 'utf8'))
			.split('\n')
			.filter(line => anyUiGlyph.test(line.replaceAll(/uiText`[^`]*`/gu, '')))
			.map(line => `${name}: ${line.trim()}`),
	);
	expect(stray).toEqual([]);
});

const anyUiGlyph = new RegExp(`[${uiGlyphs}]`, 'u');

function withoutComments(text: string): string {
	return text.replaceAll(/\/\*[\s\S]*?\*\//gu, '').replaceAll(/\/\/.*$/gmu, '');
}

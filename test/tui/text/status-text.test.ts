import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {drawOwnSigns, own, ownSigns} from '../../../source/tui/text/own-signs.ts';
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
} from '../../../source/tui/text/status-text.ts';
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

test.each(all)('%s has a sign of one cell and a word', (_state, {glyph, word}) => {
	expect([stringWidth(glyph), word === ''].join()).toBe('1,false');
});

test.each(all)('the sign of %s has an ASCII stand-in of one cell', (_state, {glyph}) => {
	expect(drawOwnSigns(glyph, 'ascii')).toMatch(/^[\u0020-\u007E]$/u);
});

test('server states differ by word, so that neither sign nor colour carries them', () => {
	const words = Object.values(serverText).map(({word}) => word);
	expect(new Set(words).size).toBe(words.length);
});

test('without colours no tone has one', () => {
	expect([...new Set(Object.values(themes.mono).flat())].toSorted()).toEqual(['bold', 'dim', 'inverse', 'underline']);
});

test('only our own signs are drawn in ASCII: the same sign in a value of somebody else stays', () => {
	const value = `» ● … ${ownSigns}`;
	const line = own`● ${value} …`;
	expect(drawOwnSigns(line, 'ascii')).toBe(`* ${value} ~`);
	expect(drawOwnSigns(line, 'unicode')).toBe(`● ${value} …`);
});

test('every sign of ours in the window says that it is ours', () => {
	const folder = fileURLToPath(new URL('../../../source/tui', import.meta.url));
	const names = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(name => /\.tsx?$/u.test(name));
	expect(names.length).toBeGreaterThan(60);
	const stray = names
		.filter(name => !name.endsWith('own-signs.ts'))
		.flatMap(name =>
			withoutComments(readFileSync(`${folder}/${name}`, 'utf8'))
				.split('\n')
				.filter(line => anyOwnSign.test(line.replaceAll(/own`[^`]*`/gu, '')))
				.map(line => `${name}: ${line.trim()}`),
		);
	expect(stray).toEqual([]);
});

const anyOwnSign = new RegExp(`[${ownSigns}]`, 'u');

function withoutComments(text: string): string {
	return text.replaceAll(/\/\*[\s\S]*?\*\//gu, '').replaceAll(/\/\/.*$/gmu, '');
}

import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {
	approvalWords,
	callWords,
	jobWords,
	loginWords,
	logWords,
	partWords,
	routeWords,
	ruleWords,
	runWords,
	serverWords,
	stepWords,
	toAscii,
	toolWords,
	webhookWords,
} from '../../source/tui/status-words.ts';
import {themeLooks} from '../../source/tui/theme.ts';

const tables = [
	serverWords,
	approvalWords,
	callWords,
	webhookWords,
	runWords,
	logWords,
	loginWords,
	jobWords,
	routeWords,
	toolWords,
	ruleWords,
	partWords,
	stepWords,
];
const all = tables.flatMap(table => Object.entries(table));

test.each(all)('%s has a sign of one cell and a word', (_state, {glyph, word}) => {
	expect([stringWidth(glyph), word === ''].join()).toBe('1,false');
});

test.each(all)('the sign of %s has an ASCII stand-in of one cell', (_state, {glyph}) => {
	expect(toAscii(glyph)).toMatch(/^[\u0020-\u007E]$/u);
});

test('server states differ by word, so that neither sign nor colour carries them', () => {
	const words = Object.values(serverWords).map(({word}) => word);
	expect(new Set(words).size).toBe(words.length);
});

test('without colours no tone has one', () => {
	expect([...new Set(Object.values(themeLooks.mono).flat())].toSorted()).toEqual([
		'bold',
		'dim',
		'inverse',
		'underline',
	]);
});

test('letters of people stay what they are in ASCII', () => {
	expect(toAscii('Ünïcode 古い')).toBe('Ünïcode 古い');
});

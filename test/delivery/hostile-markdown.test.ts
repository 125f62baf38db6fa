import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {plainHtml, plainText, slackMrkdwn, telegramHtml, whatsappText} from '../../source/delivery/dialects.ts';

const dialects = {telegramHtml, plainHtml, slackMrkdwn, whatsappText, plainText};

const hostile = [
	'(',
	']',
	'!',
	'~',
	'>',
	'-',
	'|',
	'#',
	'\\',
	'&',
	'"',
	'\n',
	'\t',
	'**a',
	'*a',
	'_a ',
	'~~a',
	'[a](',
	'`a',
	'***a*** ',
	'*a_',
	'*_',
	'a_',
	'*a* ',
	'**a**',
	'**a\nb** ',
	'[](',
	'[![a](b)](',
	'[a](<b',
	'[a]: b\n',
	'[a][',
	'*[a](',
	'\\[',
	'`` `',
	'<http://a> ',
	'http://a(',
	'www.',
	'a@b.c ',
	'> ',
	'- ',
	'1. ',
	'> - ',
	'- a\n',
	'- a\n  - b\n',
	'> a\nb\n',
	'> a\n\n',
	'1. a\n\n',
	'a\n\n',
	'```\n',
	'- ```\n',
	'<div\n',
	'<!--',
	'<a b="',
	'</a>\n',
	'<b>\n\n',
	'|a|\n|-|\n',
	'a|b\n-|-\n',
	'|-',
	'| a ',
	'a\n===\n',
	'# a\n',
	'  \n',
];

/** Processor time of the slowest dialect, in milliseconds. */
function slowest(text: string): number {
	return Math.max(
		...Object.values(dialects).map(render => {
			const start = process.cpuUsage();
			render(text);
			const {user, system} = process.cpuUsage(start);
			return (user + system) / 1000;
		}),
	);
}

/** Where a text took longer than `enoughMilliseconds`: how often as long as 20 kB of ordinary text here and now, because a slow machine slows both; the least of three attempts, because it does so by fits and starts. */
function slowness(text: string, enoughMilliseconds: number): number {
	const ordinary = 'Some *words* with a [link](https://example.com) and `code`.\n\n'.repeat(330);
	let least = Number.POSITIVE_INFINITY;
	for (let attempt = 0; attempt < 3; attempt++) {
		const milliseconds = slowest(text);
		least = Math.min(least, milliseconds < enoughMilliseconds ? 0 : milliseconds / slowest(ordinary));
		if (least === 0) {
			break;
		}
	}

	return least;
}

test.each(['[', '*', '_', '`', '![', '<'])('200 kB of %j are rendered in time', {timeout: 120_000}, unit => {
	expect(slowness(unit.repeat(200_000 / unit.length), 4000)).toBeLessThan(100);
});

test.each(hostile)('20 kB of %j are rendered in time', {timeout: 120_000}, unit => {
	expect(slowness(unit.repeat(20_000 / unit.length), 1000)).toBeLessThan(25);
});

test('a message at the limit of its platform does not outgrow it', () => {
	const lists = '-\ta\n\t-\tb\n'.repeat(370);
	const spans = '*a\nb\nc*\n'.repeat(500);
	expect(telegramHtml(lists, 4096).length).toBeLessThanOrEqual(4096);
	expect(whatsappText(spans, 4096)).toBe(spans);
});

test('a table of many columns and short rows is not filled with cells', () => {
	const table = `${'|a'.repeat(20_000)}\n${'|-'.repeat(20_000)}\n${'b\n'.repeat(20_000)}`;
	expect(plainHtml(table).length).toBeLessThan(table.length * 6 + 2000);
});

test('a reference cannot repeat a long address', () => {
	const text = `[a]: https://a.example/${'b'.repeat(5000)}\n\n${'[a] '.repeat(5000)}`;
	expect(slackMrkdwn(text).length).toBeLessThan(text.length + 100);
});

/** Texts with everything that Markdown gives a meaning. */
const soups = fc
	.array(
		fc.oneof(
			fc.constantFrom(...'*_~`<>&[]()|#\\"!\n \t-+.=:1a'.split(/(?:)/u)),
			fc.constantFrom(
				'**',
				'```\n',
				'\n\n',
				'> ',
				'- ',
				'1. ',
				'|-|-|\n',
				'|a|b|\n',
				'](https://a.b)',
				'<script>',
				'https://a.b',
				' @all ',
			),
		),
		{maxLength: 80},
	)
	.map(pieces => pieces.join(''));

test('no tag but ours is in the HTML, and each is closed', () => {
	fc.assert(
		fc.property(soups, text => {
			for (const html of [telegramHtml(text), plainHtml(text)]) {
				const rest = html.replaceAll(
					/<\/?(?:b|i|s|strong|em|del|code|pre|blockquote|ul|ol|li|table|thead|tbody|tr|th|td|br)>|<ol start="\d+">|<code class="language-[^"<>]*">|<a href="https?:[^"<>]*">|<a href="mailto:[^"<>]*">|<\/a>/gu,
					'',
				);
				expect(rest).not.toMatch(/[<>"]/u);
				const open: string[] = [];
				for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z]+)/gu)) {
					if (slash === '') {
						open.push(...(name === 'br' ? [] : [name]));
					} else {
						expect(open.pop()).toBe(name);
					}
				}

				expect(open).toEqual([]);
			}
		}),
	);
});

test('an image in a link is its label for Slack', () => {
	expect(slackMrkdwn('[![](https://a.b)](https://a.b)')).toBe('<https://a.b>');
	expect(slackMrkdwn('[![seal](https://a.b/c)](https://a.b)')).toBe('<https://a.b|seal>');
});

test('Slack gets no angle bracket but those of a web address', () => {
	fc.assert(
		fc.property(soups, text => {
			// A quote begins with one.
			const rest = slackMrkdwn(text)
				.replaceAll(/<(?:https?:\/\/|mailto:)[^<>]*>/gu, '')
				.replaceAll(/^(?:> ?)+/gmu, '');
			expect(rest).not.toMatch(/</u);
		}),
	);
});

test('plain text is never longer than its source where a message has no room', () => {
	fc.assert(
		fc.property(soups, text => {
			const full = `${'x'.repeat(1500)}\n\n${text}`;
			expect(plainText(full).length).toBeLessThanOrEqual(full.length);
		}),
	);
});

test('the blanks that begin a line stay behind a forced line break too', () => {
	expect(plainText('x  \n\tx')).toBe('x\n\tx');
});

/** Without blanks that nobody sees. */
function bare(text: string): string {
	return text.replaceAll(/[ \t]+(?=\n)/gu, '');
}

test('a text without signs stays as it is, in every dialect', () => {
	const words = fc.constantFrom(
		'word',
		'word.',
		' ',
		'\n',
		'\n\n',
		'\n\n\n',
		'é',
		'漢',
		'😀',
		'a_b',
		'2 * 3',
		',',
		' @all ',
		'\t',
	);
	fc.assert(
		fc.property(fc.array(words, {maxLength: 60}), pieces => {
			const text = `x${pieces.join('')}x`;
			for (const render of [telegramHtml, slackMrkdwn, whatsappText, plainText]) {
				expect(bare(render(text))).toBe(bare(text));
			}
		}),
	);
});

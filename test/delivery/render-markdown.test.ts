import {renderMarkdown} from '../../source/delivery/render-markdown.ts';
import {describe, expect, test} from 'vitest';
import {plainHtml, plainText, slackMrkdwn, telegramHtml, whatsappText} from '../../source/delivery/dialects.ts';

const dialects = {telegramHtml, plainHtml, slackMrkdwn, whatsappText, plainText};

describe.each([
	{
		markdown: '**bold** and __strong__',
		telegramHtml: '<b>bold</b> and <b>strong</b>',
		plainHtml: '<strong>bold</strong> and <strong>strong</strong>',
		slackMrkdwn: '*bold* and *strong*',
		whatsappText: '*bold* and *strong*',
		plainText: 'bold and strong',
	},
	{
		markdown: '*it* _em_ ~~gone~~ snake_case_name 2 * 3 * 4',
		telegramHtml: '<i>it</i> <i>em</i> <s>gone</s> snake_case_name 2 * 3 * 4',
		slackMrkdwn: '_it_ _em_ ~gone~ snake_case_name 2 * 3 * 4',
		whatsappText: '_it_ _em_ ~gone~ snake_case_name 2 * 3 * 4',
		plainText: 'it em gone snake_case_name 2 * 3 * 4',
	},
	{
		markdown: '# Head\ntext',
		telegramHtml: '<b>Head</b>\ntext',
		plainHtml: '<strong>Head</strong><br>\ntext',
		slackMrkdwn: '*Head*\ntext',
		plainText: 'Head\ntext',
	},
	{
		markdown: '`a<b` & `**not bold**`',
		telegramHtml: '<code>a&lt;b</code> &amp; <code>**not bold**</code>',
		slackMrkdwn: '`a&lt;b` &amp; `**not bold**`',
		plainText: 'a<b & **not bold**',
	},
	{
		markdown: '```ts\nif (a < b) {**x**}\n```',
		telegramHtml: '<pre><code class="language-ts">if (a &lt; b) {**x**}</code></pre>',
		slackMrkdwn: '```\nif (a &lt; b) {**x**}\n```',
		whatsappText: '```if (a < b) {**x**}```',
		plainText: 'if (a < b) {**x**}',
	},
	{
		markdown: '[a *b*](https://example.org/?x=1&y="2")',
		telegramHtml: '<a href="https://example.org/?x=1&amp;y=&quot;2&quot;">a <i>b</i></a>',
		slackMrkdwn: '<https://example.org/?x=1&amp;y="2"|a _b_>',
		whatsappText: 'a _b_ (https://example.org/?x=1&y="2")',
		plainText: 'a b (https://example.org/?x=1&y="2")',
	},
	{
		markdown: '[click](javascript:alert) [x](../y)',
		telegramHtml: '[click](javascript:alert) [x](../y)',
		slackMrkdwn: '[click](javascript:alert) [x](../y)',
		plainText: '[click](javascript:alert) [x](../y)',
	},
	{
		markdown: '<!channel> <@U1> </b><script> &amp;',
		telegramHtml: '&lt;!channel&gt; &lt;@U1&gt; &lt;/b&gt;&lt;script&gt; &amp;amp;',
		slackMrkdwn: '&lt;!channel&gt; &lt;@U1&gt; &lt;/b&gt;&lt;script&gt; &amp;amp;',
		plainText: '<!channel> <@U1> </b><script> &amp;',
	},
	{
		markdown: '\\*no\\* **open and *mixed',
		telegramHtml: '*no* **open and *mixed',
		slackMrkdwn: '*no* **open and *mixed',
		plainText: '*no* **open and *mixed',
	},
	{
		markdown: '```\nopen <to the end>',
		telegramHtml: '<pre>open &lt;to the end&gt;</pre>',
		slackMrkdwn: '```\nopen &lt;to the end&gt;\n```',
		plainText: 'open <to the end>',
	},
])('$markdown', ({markdown, ...expected}) => {
	test.each(Object.entries(expected))('as %s', (name, text) => {
		expect(Object.entries(dialects).find(([dialect]) => dialect === name)?.[1](markdown)).toBe(text);
	});
});

test('a hostile line is rendered in time', () => {
	const start = performance.now();
	for (const sign of ['**a', '*a', '_a ', '~~a', '[', '[a](', '`a', '\\']) {
		telegramHtml(sign.repeat(4000));
	}

	expect(performance.now() - start).toBeLessThan(3000);
});

test('a heading with a long row of blanks takes no longer than others', {timeout: 5000}, () => {
	const mark = (text: string) => text;
	const dialect = {
		text: mark,
		bold: mark,
		italic: mark,
		strike: mark,
		code: mark,
		fence: mark,
		link: mark,
		heading: (inner: string) => `<${inner}>`,
		lineBreak: '\n',
	};
	const blanks = ' '.repeat(20_000);
	expect(renderMarkdown(`# a${blanks}b ##`, dialect)).toBe(`<a${blanks}b>`);
	expect(renderMarkdown(`# ${'#'.repeat(20_000)}b`, dialect)).toContain('#b>');
});

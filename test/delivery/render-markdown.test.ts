import {describe, expect, test} from 'vitest';
import {renderMarkdown} from '../../source/delivery/render-markdown.ts';
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
	{
		markdown: '***both***',
		telegramHtml: '<i><b>both</b></i>',
		plainHtml: '<em><strong>both</strong></em>',
		slackMrkdwn: '_*both*_',
		whatsappText: '_*both*_',
		plainText: 'both',
	},
	{
		markdown: '**bold\nover lines** *it **both\nboth** it*',
		telegramHtml: '<b>bold\nover lines</b> <i>it <b>both\nboth</b> it</i>',
		plainHtml: '<strong>bold<br>\nover lines</strong> <em>it <strong>both<br>\nboth</strong> it</em>',
		slackMrkdwn: '*bold*\n*over lines* _it *both*_\n_*both* it_',
		whatsappText: '*bold*\n*over lines* _it *both*_\n_*both* it_',
		plainText: 'bold\nover lines it both\nboth it',
	},
	{
		markdown: '<https://a.org/(b)_c_> https://a.org/d_e_f*g*h www.a.org <a@b.org> <tg://user?id=1> <!here>',
		telegramHtml:
			'<a href="https://a.org/(b)_c_">https://a.org/(b)_c_</a> <a href="https://a.org/d_e_f*g*h">https://a.org/d_e_f*g*h</a> ' +
			'<a href="http://www.a.org">www.a.org</a> <a href="mailto:a@b.org">a@b.org</a> &lt;tg://user?id=1&gt; &lt;!here&gt;',
		slackMrkdwn:
			'<https://a.org/(b)_c_> <https://a.org/d_e_f*g*h> <http://www.a.org|www.a.org> <mailto:a@b.org|a@b.org> &lt;tg://user?id=1&gt; &lt;!here&gt;',
		whatsappText: 'https://a.org/(b)_c_ https://a.org/d_e_f*g*h www.a.org a@b.org <tg://user?id=1> <!here>',
		plainText: 'https://a.org/(b)_c_ https://a.org/d_e_f*g*h www.a.org a@b.org <tg://user?id=1> <!here>',
	},
	{
		markdown: '[a](https://a.org/b_(c_(d))_e) ![i](https://a.org/i.png "title") [](https://a.org)',
		telegramHtml:
			'<a href="https://a.org/b_(c_(d))_e">a</a> <a href="https://a.org/i.png">i</a> <a href="https://a.org">https://a.org</a>',
		slackMrkdwn: '<https://a.org/b_(c_(d))_e|a> <https://a.org/i.png|i> <https://a.org>',
		whatsappText: 'a (https://a.org/b_(c_(d))_e) i (https://a.org/i.png) https://a.org',
		plainText: 'a (https://a.org/b_(c_(d))_e) i (https://a.org/i.png) https://a.org',
	},
	{
		markdown: 'List:\n- a **b**\n- c\n  - d\n    1. e\n\nend',
		telegramHtml: 'List:\n• a <b>b</b>\n• c\n  • d\n    1. e\n\nend',
		plainHtml:
			'List:<br>\n<ul><li>a <strong>b</strong></li><li>c<br>\n<ul><li>d<br>\n<ol><li>e</li></ol>\n</li></ul>\n</li></ul>\nend',
		slackMrkdwn: 'List:\n• a *b*\n• c\n  • d\n    1. e\n\nend',
		whatsappText: 'List:\n- a *b*\n- c\n  - d\n    1. e\n\nend',
		plainText: 'List:\n- a b\n- c\n  - d\n    1. e\n\nend',
	},
	{
		markdown: '3. a\n4. b\n   ```sh\n   ls\n   ```\n\n- [x] c\n- [ ] d',
		telegramHtml: '3. a\n4. b\n<pre><code class="language-sh">ls</code></pre>\n\n• [x] c\n• [ ] d',
		plainHtml:
			'<ol start="3"><li>a</li><li>b<br>\n<pre><code class="language-sh">ls</code></pre></li></ol>\n<ul><li>[x] c</li><li>[ ] d</li></ul>\n',
		slackMrkdwn: '3. a\n4. b\n```\nls\n```\n\n• [x] c\n• [ ] d',
		whatsappText: '3. a\n4. b\n```ls```\n\n- [x] c\n- [ ] d',
		plainText: '3. a\n4. b\nls\n\n- [x] c\n- [ ] d',
	},
	{
		markdown: '> a **b**\nlazy\n>\n> > c\n\nend',
		telegramHtml: '<blockquote>a <b>b</b>\nlazy\n\nc</blockquote>\n\nend',
		plainHtml: '<blockquote>a <strong>b</strong><br>\nlazy<br>\n<br>\n<blockquote>c</blockquote>\n</blockquote>\nend',
		slackMrkdwn: '> a *b*\n> lazy\n> \n> > c\n\nend',
		whatsappText: '> a *b*\n> lazy\n> \n> > c\n\nend',
		plainText: '> a b\n> lazy\n> \n> > c\n\nend',
	},
	{
		markdown: '|Name|*n*|\n|---|---:|\n|a & `b`|1|\n|a long name|[22](https://a.org)|\n\nend',
		telegramHtml:
			'<pre>Name        | n\n------------|-------------------\na &amp; b       | 1\na long name | 22 (https://a.org)</pre>\n\nend',
		plainHtml:
			'<table><thead><tr><th>Name</th><th><em>n</em></th></tr></thead><tbody><tr><td>a &amp; <code>b</code></td><td>1</td></tr>' +
			'<tr><td>a long name</td><td><a href="https://a.org">22</a></td></tr></tbody></table>\nend',
		slackMrkdwn:
			'```\nName        | n\n------------|-------------------\na &amp; b       | 1\na long name | 22 (https://a.org)\n```\n\nend',
		whatsappText:
			'```Name        | n\n------------|-------------------\na & b       | 1\na long name | 22 (https://a.org)```\n\nend',
		plainText:
			'Name        | n\n------------|-------------------\na & b       | 1\na long name | 22 (https://a.org)\n\nend',
	},
	{
		markdown: '# **a** b ##',
		telegramHtml: '<b>a b</b>',
		slackMrkdwn: '*a b*',
		whatsappText: '*a b*',
		plainText: 'a b',
	},
	{
		markdown: '<div onclick="x">\n**a** <script>b</script>\n</div>\n<!-- c -->',
		telegramHtml:
			'&lt;div onclick=&quot;x&quot;&gt;\n<b>a</b> &lt;script&gt;b&lt;/script&gt;\n&lt;/div&gt;\n&lt;!-- c --&gt;',
		plainHtml:
			'&lt;div onclick=&quot;x&quot;&gt;<br>\n<strong>a</strong> &lt;script&gt;b&lt;/script&gt;<br>\n&lt;/div&gt;<br>\n&lt;!-- c --&gt;',
		plainText: '<div onclick="x">\na <script>b</script>\n</div>\n<!-- c -->',
	},
	{
		markdown: 'title\n-----\n    indented\n~one tilde~\n[a][b]\n\n[b]: https://a.example\n***\n',
		whatsappText: 'title\n-----\n    indented\n~one tilde~\n[a][b]\n\n[b]: https://a.example\n***\n',
		plainText: 'title\n-----\n    indented\n~one tilde~\n[a][b]\n\n[b]: https://a.example\n***\n',
	},
	{markdown: '> ', telegramHtml: '&gt;', plainText: '>'},
	{markdown: 'a\n\n\n\nb\n\n', telegramHtml: 'a\n\n\n\nb\n\n', plainText: 'a\n\n\n\nb\n\n'},
])('$markdown', ({markdown, ...expected}) => {
	test.each(Object.entries(expected))('as %s', (name, text) => {
		expect(Object.entries(dialects).find(([dialect]) => dialect === name)?.[1](markdown)).toBe(text);
	});
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
		list: () => '',
		quote: mark,
		lineBreak: '\n',
	};
	const blanks = ' '.repeat(20_000);
	expect(renderMarkdown(`# a${blanks}b ##`, dialect)).toBe(`<a${blanks}b>`);
	expect(renderMarkdown(`# ${'#'.repeat(20_000)}b`, dialect)).toContain('#b>');
});

import {type Dialect, type ListItem, renderMarkdown} from './render-markdown.ts';

const same = (text: string) => text;

/** The longest escape of one character, `&quot;`, has six. */
const maxGrowth = 6;

/** The marks that WhatsApp and Slack share. */
const marks: Dialect = {
	text: same,
	bold: eachLine('*'),
	italic: eachLine('_'),
	strike: eachLine('~'),
	code: code => `\`${code}\``,
	fence: code => `\`\`\`${code}\`\`\``,
	link: labelled,
	heading: eachLine('*'),
	list: textList(),
	quote: quoteLines,
	lineBreak: '\n',
};

const whatsapp: Dialect = {...marks, longest: 'source'};

const slack: Dialect = {
	...marks,
	text: escapeSlack,
	code: code => `\`${escapeSlack(code)}\``,
	fence: code => `\`\`\`\n${escapeSlack(code)}\n\`\`\``,
	link: (inner, address) => {
		const escaped = escapeSlack(address).replaceAll('|', '%7C');
		// An image in a link is a link of its own, which Slack does not nest.
		const label = inner.replaceAll(
			/<([^<>|]*)(?:\|([^<>]*))?>/gu,
			(_, target: string, text?: string) => text ?? target,
		);
		return label === escaped ? `<${escaped}>` : `<${escaped}|${label}>`;
	},
	list: textList('•'),
};

const plain: Dialect = {
	text: same,
	bold: same,
	italic: same,
	strike: same,
	code: same,
	fence: same,
	link: labelled,
	heading: same,
	list: textList(),
	quote: quoteLines,
	lineBreak: '\n',
	longest: 'source',
};

const telegramQuoted: Dialect = {
	text: escapeHtml,
	bold: inner => `<b>${inner}</b>`,
	italic: inner => `<i>${inner}</i>`,
	strike: inner => `<s>${inner}</s>`,
	code: code => `<code>${escapeHtml(code)}</code>`,
	fence: (code, language) =>
		language === ''
			? `<pre>${escapeHtml(code)}</pre>`
			: `<pre><code class="language-${escapeHtml(language)}">${escapeHtml(code)}</code></pre>`,
	link: (inner, address) => `<a href="${escapeHtml(address)}">${inner}</a>`,
	heading: inner => `<b>${inner}</b>`,
	list: textList('•'),
	// Telegram refuses a quote in a quote.
	quote: same,
	lineBreak: '\n',
};

const telegram: Dialect = {
	...telegramQuoted,
	quote: inner => `<blockquote>${inner}</blockquote>`,
	quoted: telegramQuoted,
};

const common: Dialect = {
	...telegramQuoted,
	bold: inner => `<strong>${inner}</strong>`,
	italic: inner => `<em>${inner}</em>`,
	strike: inner => `<del>${inner}</del>`,
	heading: inner => `<strong>${inner}</strong>`,
	list: htmlList,
	quote: inner => `<blockquote>${inner}</blockquote>\n`,
	table: htmlTable,
	lineBreak: '<br>\n',
};

/** Markdown as WhatsApp formats it; as written, if the marks of each line would exceed `maximum` UTF-16 units. */
export function whatsappText(markdown: string, maximum = Number.POSITIVE_INFINITY): string {
	const text = renderMarkdown(markdown, whatsapp);
	return text.length <= maximum ? text : markdown;
}

/** Markdown as Slack's mrkdwn. The three characters that could mention or link are escaped, in code too. */
export function slackMrkdwn(markdown: string): string {
	return renderMarkdown(markdown, slack);
}

/** Markdown without its markup, for platforms that show plain text. */
export function plainText(markdown: string): string {
	return renderMarkdown(markdown, plain);
}

/** Markdown as the HTML that Telegram supports; only escaped if the parsed text would exceed `maximum` UTF-16 units. */
export function telegramHtml(markdown: string, maximum = Number.POSITIVE_INFINITY): string {
	const html = renderMarkdown(markdown, telegram);
	const shown = html.replaceAll(/<[^<>]*>/gu, '').replaceAll(/&\w+;/gu, '&');
	return shown.length <= maximum ? html : escapeHtml(markdown);
}

/** Markdown as the HTML that e-mail programs and Matrix clients show. A text that is mostly markup is only escaped, because tags would make it too large to send. */
export function plainHtml(markdown: string): string {
	const html = renderMarkdown(markdown, common);
	return html.length <= markdown.length * maxGrowth + 1000
		? html
		: escapeHtml(markdown).replaceAll('\n', common.lineBreak);
}

/** Inserts an invisible character after the first one of each mention, so that a payload notifies nobody. */
export function quietMentions(text: string, mention: RegExp): string {
	return text.replaceAll(mention, found => `${found.slice(0, 1)}\u200B${found.slice(1)}`);
}

function labelled(inner: string, address: string): string {
	const isTold = [inner, `http://${inner}`, `mailto:${inner}`].includes(address);
	return isTold ? inner : `${inner} (${address})`;
}

/** These platforms format only within a line. Blanks stay outside, because a mark next to one would be text. */
function eachLine(mark: string): (inner: string) => string {
	const markLine = (line: string) => {
		const text = line.trim();
		const start = line.length - line.trimStart().length;
		return text === '' ? line : `${line.slice(0, start)}${mark}${text}${mark}${line.slice(start + text.length)}`;
	};

	return inner => inner.split('\n').map(markLine).join('\n');
}

/** Items after a bullet, or after their markers as written; nested lists are indented. */
function textList(bullet?: string): Dialect['list'] {
	return (items, {depth}) => {
		const lines = items.map(({marker, inner}) =>
			`${'  '.repeat(depth)}${/\d/u.test(marker) ? marker : (bullet ?? marker)} ${inner}`.trimEnd(),
		);
		return lines.map((line, index) => (index === 0 ? '' : items[index - 1]?.gap || '\n') + line).join('');
	};
}

function quoteLines(inner: string): string {
	return inner.replaceAll(/^/gmu, '> ');
}

function htmlList(items: readonly ListItem[], {start}: {readonly start?: number}): string {
	const [open, close] =
		start === undefined ? ['<ul>', '</ul>'] : [start === 1 ? '<ol>' : `<ol start="${start}">`, '</ol>'];
	return `${open}${items.map(({inner}) => `<li>${inner}</li>`).join('')}${close}\n`;
}

function htmlTable(header: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const row = (cells: readonly string[], tag: 'td' | 'th') =>
		`<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
	const body = rows.map(cells => row(cells, 'td')).join('');
	return `<table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table>\n`;
}

/** A text without markup of Slack (docs.slack.dev/messaging/formatting-message-text). */
export function escapeSlack(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

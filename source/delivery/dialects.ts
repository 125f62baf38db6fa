import {type Dialect, renderMarkdown} from './render-markdown.ts';

const same = (text: string) => text;

const whatsapp: Dialect = {
	text: same,
	bold: inner => `*${inner}*`,
	italic: inner => `_${inner}_`,
	strike: inner => `~${inner}~`,
	code: code => `\`${code}\``,
	fence: code => `\`\`\`${code}\`\`\``,
	link: labelled,
	heading: inner => `*${inner}*`,
	lineBreak: '\n',
};

const slack: Dialect = {
	...whatsapp,
	text: escapeSlack,
	code: code => `\`${escapeSlack(code)}\``,
	fence: code => `\`\`\`\n${escapeSlack(code)}\n\`\`\``,
	link: (inner, address) => `<${escapeSlack(address).replaceAll('|', '%7C')}|${inner}>`,
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
	lineBreak: '\n',
};

const telegram: Dialect = {
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
	lineBreak: '\n',
};

const common: Dialect = {
	...telegram,
	bold: inner => `<strong>${inner}</strong>`,
	italic: inner => `<em>${inner}</em>`,
	strike: inner => `<del>${inner}</del>`,
	heading: inner => `<strong>${inner}</strong>`,
	lineBreak: '<br>\n',
};

/** Markdown as WhatsApp formats it. */
export function whatsappText(markdown: string): string {
	return renderMarkdown(markdown, whatsapp);
}

/** Markdown as Slack's mrkdwn. The three characters that could mention or link are escaped, in code too. */
export function slackMrkdwn(markdown: string): string {
	return renderMarkdown(markdown, slack);
}

/** Markdown without its markup, for platforms that show a text as it is. */
export function plainText(markdown: string): string {
	return renderMarkdown(markdown, plain);
}

/** Markdown as the HTML that Telegram supports. */
export function telegramHtml(markdown: string): string {
	return renderMarkdown(markdown, telegram);
}

/** Markdown as the HTML that e-mail programs and Matrix clients show. */
export function plainHtml(markdown: string): string {
	return renderMarkdown(markdown, common);
}

/** Puts an invisible character after the first one of each mention of everyone, so that a payload notifies nobody. */
export function quietMentions(text: string, mention: RegExp): string {
	return text.replaceAll(mention, found => `${found.slice(0, 1)}\u200B${found.slice(1)}`);
}

function labelled(inner: string, address: string): string {
	return inner === address ? address : `${inner} (${address})`;
}

function escapeSlack(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

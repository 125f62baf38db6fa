import {type Dialect, renderMarkdown} from './render-markdown.ts';

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

/** Markdown as the HTML that Telegram takes. */
export function telegramHtml(markdown: string): string {
	return renderMarkdown(markdown, telegram);
}

/** Markdown as the HTML that e-mail programs and Matrix clients show. */
export function plainHtml(markdown: string): string {
	return renderMarkdown(markdown, common);
}

function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

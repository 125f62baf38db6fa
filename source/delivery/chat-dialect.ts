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

/** Markdown as WhatsApp formats it. */
export function whatsappText(markdown: string): string {
	return renderMarkdown(markdown, whatsapp);
}

/** Markdown as Slack's mrkdwn. The three signs that could mention or link are escaped, in code too. */
export function slackMrkdwn(markdown: string): string {
	return renderMarkdown(markdown, slack);
}

/** For platforms that show a text as it is: the words without the signs around them. */
export function plainText(markdown: string): string {
	return renderMarkdown(markdown, plain);
}

function labelled(inner: string, address: string): string {
	return inner === address ? address : `${inner} (${address})`;
}

function escapeSlack(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

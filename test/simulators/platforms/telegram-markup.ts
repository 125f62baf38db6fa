/*
What is left of a text when Telegram has taken its markup out, from
https://core.telegram.org/bots/api#markdownv2-style and https://core.telegram.org/bots/api#html-style.
*/

const tags = new Set('b strong i em u ins s strike del span tg-spoiler a tg-emoji code pre blockquote'.split(' '));
const entities: Readonly<Record<string, string>> = {lt: '<', gt: '>', amp: '&', quot: '"'};

/** Text of Telegram's HTML style; throws Telegram's sentence when a tag or an entity is none. */
export function visibleHtml(text: string): string {
	const open: string[] = [];
	let visible = '';
	let at = 0;
	for (const found of text.matchAll(/<(?<slash>\/?)(?<tag>[a-z-]*)[^>]*>?|&(?<entity>#?\w+);/g)) {
		const {slash, tag = '', entity} = found.groups ?? {};
		visible += text.slice(at, found.index);
		at = found.index + found[0].length;
		if (entity !== undefined) {
			visible += entities[entity] ?? numbered(entity) ?? found[0];
		} else if (!tags.has(tag) || !found[0].endsWith('>')) {
			throw new Error(`Unsupported start tag "${tag}"`);
		} else if (slash === '') {
			open.push(tag);
		} else if (open.pop() !== tag) {
			throw new Error(`Unexpected end tag "${tag}"`);
		}
	}

	if (open.length > 0) {
		throw new Error(`Can't find end tag corresponding to start tag "${open.at(-1)}"`);
	}

	return visible + text.slice(at);
}

function numbered(entity: string): string | undefined {
	const code = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(entity);
	return code
		? String.fromCodePoint(code[1] === undefined ? Number(code[2]) : Number.parseInt(code[1], 16))
		: undefined;
}

const marks = ['__', '||', '*', '_', '~'];

/** Text of Telegram's MarkdownV2 style; throws Telegram's sentence when a reserved character stands bare. */
export function visibleMarkdownV2(text: string): string {
	const open: string[] = [];
	let visible = '';
	for (let at = 0; at < text.length; ) {
		const rest = text.slice(at);
		const code =
			/^```(?:[\w+#.-]*\n)?((?:\\[\s\S]|[^\\])*?)```/.exec(rest) ?? /^`(?!``)((?:\\[\s\S]|[^\\`])*)`/.exec(rest);
		const mark = marks.find(candidate => rest.startsWith(candidate));
		const link = /^\]\((?:\\[\s\S]|[^\\)])+\)/.exec(rest);
		const quoteStart = /^(\*\*)?>/.exec(rest);
		if (rest.startsWith('\\') && rest.length > 1) {
			visible += rest[1];
			at += 2;
		} else if (rest.startsWith('`')) {
			if (!code) {
				throw new Error(`Can't find end of the entity starting at byte offset ${Buffer.byteLength(text.slice(0, at))}`);
			}

			visible += (code[1] ?? '').replaceAll(/\\([\s\S])/g, '$1');
			at += code[0].length;
		} else if (quoteStart && (at === 0 || text[at - 1] === '\n')) {
			at += quoteStart[0].length;
		} else if (link && open.at(-1) === '[') {
			open.pop();
			at += link[0].length;
		} else if (rest.startsWith('[')) {
			open.push('[');
			at += 1;
		} else if (mark) {
			if (open.at(-1) === mark) {
				open.pop();
			} else {
				open.push(mark);
			}

			at += mark.length;
		} else if (/^[\](){}>#+\-=|.!]/.test(rest)) {
			throw new Error(`Character '${rest[0]}' is reserved and must be escaped with the preceding '\\'`);
		} else {
			visible += rest[0];
			at += 1;
		}
	}

	if (open.length > 0) {
		throw new Error(`Can't find end of the entity "${open.at(-1)}"`);
	}

	return visible;
}

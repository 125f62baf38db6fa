import {isList, type JsonValue} from '../json-text.ts';
import {markedSigns} from './marked-signs.ts';
import {markedInWords} from './marked-words.ts';

const plain = /^[\0-\x7F]*$/u;
const notAscii = /[^\0-\x7F]/gu;
const none: ReadonlySet<number> = new Set();

/**
The places of characters in a text that a reader may take for others, in UTF-16 units (docs/approvals.md, Marked characters): in words
(`markedInWords`), for signs of names and paths (`markedSigns`), every one that is not ASCII in a host, and invisible ones beside ASCII.
*/
export function markedPlaces(text: string): ReadonlySet<number> {
	return plain.test(text)
		? none
		: new Set([...markedInWords(text), ...markedSigns(text), ...markedInHosts(text), ...markedUnseen(text)]);
}

/** The number of such characters in the texts and names of a value. */
export function countMarked(value: JsonValue): number {
	const parts = [value];
	let count = 0;
	for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
		if (typeof part === 'string') {
			count += markedPlaces(part).size;
		} else if (typeof part === 'object' && part !== null) {
			(isList(part) ? part : Object.entries(part).flat()).forEach(member => parts.push(member));
		}
	}

	return count;
}

/** The authority of a URL, whatever follows the scheme that browsers take for `//`; what follows `www.`, or the `@` of an address. */
const host = /(?:\b(?:https?|wss?|ftp):[/\\]*|:\/\/|\bwww\.|[\p{L}\p{N}._%+-]@)([^\s/\\?#"'<>()[\]{},;|`]+)/giu;
/** Characters that end a sentence or a quotation rather than a host. */
const closing = /[\p{Pe}\p{Pf}\p{Pi}。，、；：！？….:!]+$/u;

/** A host in Punycode (`xn--…`) is ASCII: it is shown as it is sent, and looks like no other. */
function* markedInHosts(text: string): Generator<number> {
	for (const {0: found, 1: name = '', index} of text.matchAll(host)) {
		const start = index + found.length - name.length;
		yield* Array.from(name.replace(closing, '').matchAll(notAscii), one => start + one.index);
	}
}

const unseen = /[\p{Default_Ignorable_Code_Point}\u202A-\u202E\u2066-\u2069]+/gu;
const turning = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const visibleAscii = /[!-~]/u;
const variation = /^[\uFE00-\uFE0F]+$/u;

/** Invisible characters at a letter or sign of ASCII, and what turns the direction. The variation selector of an emoji is none. */
function* markedUnseen(text: string): Generator<number> {
	for (const {0: run, index} of text.matchAll(unseen)) {
		const [before = '', after = ''] = [text[index - 1], text[index + run.length]];
		const isOfEmoji = variation.test(run) && (!visibleAscii.test(before) || after === '\u20E3');
		const isAtAscii = !isOfEmoji && (visibleAscii.test(before) || visibleAscii.test(after));
		yield* Array.from(run.matchAll(/[^]/gu))
			.filter(([character]) => isAtAscii || turning.test(character))
			.map(one => index + one.index);
	}
}

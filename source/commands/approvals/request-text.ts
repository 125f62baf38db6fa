import {hiddenWords, markedWords} from '../../state/approval-event.ts';
import {originFromJson} from '../../control/history-wire.ts';
import {originText} from '../../state/origin.ts';
import {indentJson, type JsonObject} from '../../util/json-text.ts';
import {safeText, shownName, uncut} from '../../util/safe-text.ts';
import {shownValue} from '../../util/shown-json.ts';

/** A call that a person decides about at a command line: a waiting request, or an uncertain call. */
type ShownCall = {
	readonly server: string;
	readonly tool: string;
	readonly arguments: JsonObject;
	readonly arguments_hash: string;
	readonly origin: {readonly kind: string; readonly [name: string]: unknown};
	readonly node?: string | undefined;
	readonly sent_bytes: number;
	readonly cut_bytes: number;
	readonly masked_values: number;
	readonly marked_characters: number;
	readonly review_hash?: string | undefined;
};

/** What a call is and where it comes from, line by line, with nothing left out that the gateway sent. Safe to print. */
export function callLines(call: ShownCall): readonly string[] {
	const hidden = hiddenWords({cutBytes: call.cut_bytes, maskedValues: call.masked_values});
	return [
		...fact('server', call.server),
		...fact('tool', shownName(call.tool, uncut)),
		...fact('node', call.node ?? ''),
		...fact('from', originText(originFromJson(call.origin))),
		...(call.marked_characters > 0 ? [] : fact('hash', call.arguments_hash)),
		...(hidden.length === 0 ? [] : [`Not shown in full: ${hidden.join(', ')}.`]),
		`arguments, ${call.sent_bytes.toLocaleString('en-US')} bytes:`,
		...indentJson(shownValue(call.arguments)).split('\n'),
	];
}

/** The end of a page whose marked characters have to be read: what they are, and the hash that says so. */
export function markedLines({
	marked_characters: markedCharacters,
	review_hash: hash = '',
	cut_bytes: cutBytes,
}: ShownCall): readonly string[] {
	const [words] = markedWords({markedCharacters});
	return words === undefined ? [] : [`${words}: ${markedMeaning}.`, ...(cutBytes > 0 ? [] : fact('hash', hash))];
}

/** The words for a marked character. */
export const markedMeaning = 'shown as ‹U+…›, a look-alike or foreign to its word, host or path';

/** A fact on a line of its own; nothing for an empty one. */
export function fact(name: string, value: string): readonly string[] {
	return value === '' ? [] : [`${name}: ${safeText(value)}`];
}

/** Words of a server. Every line begins with whose they are, so that none can pass for one of ours. */
export function quotedLines(whose: string, text: string | null): readonly string[] {
	return text === null || text === '' ? [] : linesOf(text).map(line => `${whose}: ${line}`);
}

/** A text is cut nowhere: what a person allows has to be all there. */
export function linesOf(text: string): readonly string[] {
	return text.split('\n').map(line => safeText(line, uncut));
}

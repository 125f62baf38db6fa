/** The maximum length of an untrusted text, and whether its line breaks are retained. */
export type SafeTextOptions = {
	readonly maximumCharacters?: number;
	readonly multiline?: boolean;
};

/** Emoji presentation, keycap and skin tones: terminals disagree about their width, and the base character is enough. */
const widthModifiers = /\uFE0F|\u20E3|\p{Emoji_Modifier}/gu;

/**
Controls, invisible and direction-changing code points, line separators, lone surrogates, private use, and what joins with the character after it,
whatever that is: an own space or sign, too (Grapheme_Cluster_Break=Prepend, https://www.unicode.org/reports/tr29/).
*/
const hostile =
	/[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u0D4E\u{110BD}\u{110CD}\u{111C2}\u{111C3}\u{1193F}\u{11941}\u{11A3A}\u{11A84}-\u{11A89}\u{11D46}\u{11F02}]/gu;

/** What joins: a letter with its marks, and the parts of a Hangul syllable. Nothing else is composed, so that a text that is exact already stays so. */
const joined = /\P{M}\p{M}+|[\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7FB]+\p{M}*/gu;

const loneSurrogate = /\p{Cs}/gu;

/** Printable ASCII is shown unchanged; most texts contain nothing else. */
const plain = /^[\x20-\x7E]*$/u;

/** More than three marks on one letter reach into adjacent rows. */
const markPile = /(\p{M}{3})(\p{M}+)/gu;

/**
Makes an untrusted text safe to show or log: nothing in it can move the cursor, change colours, hide or reorder text.
Dangerous characters are replaced by visible escapes (`␛`, `‹U+202E›`), never dropped silently; the length is limited in code points, and a cut is marked.
*/
export function safeText(text: string, options: SafeTextOptions = {}): string {
	const {maximumCharacters = 2000, multiline = false} = options;
	if (text.length <= maximumCharacters && plain.test(text)) {
		return text;
	}

	// Four times the limit in UTF-16 units always suffices, and bounds the work on a huge text.
	const head = text.length > maximumCharacters * 4 ? text.slice(0, maximumCharacters * 4) : text;
	const shown = head
		// First: removing what separates two lone surrogates would join them into a character.
		.replace(loneSurrogate, half => visible(half, multiline))
		.replace(widthModifiers, '')
		.replace(joined, piece => piece.normalize('NFC'))
		.replace(markPile, (_, kept: string, rest: string) => `${kept}‹${Array.from(rest).length} marks›`)
		.replace(hostile, character => visible(character, multiline));
	return capText(shown, maximumCharacters, text.length - head.length);
}

/** True when the text contains nothing that has to be escaped. */
export function isVisible(text: string): boolean {
	return plain.test(text) || text.replace(widthModifiers, '').search(hostile) === -1;
}

/** Cuts at `maximumCharacters` code points and appends how many more there were. `unseen` counts those that the caller already left out. */
function capText(text: string, maximumCharacters: number, unseen: number): string {
	if (text.length <= maximumCharacters && unseen === 0) {
		return text;
	}

	const characters = Array.from(text);
	const more = characters.length - maximumCharacters + unseen;
	return more <= 0 ? text : `${characters.slice(0, maximumCharacters).join('')}… ${more.toLocaleString('en-US')} more`;
}

function visible(character: string, multiline: boolean): string {
	const code = character.codePointAt(0) ?? 0;
	if (character === '\n') {
		return multiline ? '\n' : '␊';
	}

	if (character === '\t') {
		return multiline ? '  ' : '␉';
	}

	// The control pictures block mirrors C0 one to one.
	if (code < 0x20) {
		return String.fromCodePoint(0x24_00 + code);
	}

	return code === 0x7f ? '␡' : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}

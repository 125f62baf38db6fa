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

/** Characters that join: a letter with its marks, and the parts of a Hangul syllable. Nothing else is composed, so that a text that is exact already stays so. */
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

const lineEndSign = '␊';

/** The lines of a text that `safeText` has made one line of, where they are words for a person and no value. */
export function wordLines(text: string): readonly string[] {
	return text.includes(lineEndSign) ? text.split(lineEndSign) : [text];
}

function visible(character: string, multiline: boolean): string {
	if (character === '\n') {
		return multiline ? '\n' : lineEndSign;
	}

	if (character === '\t') {
		return multiline ? '  ' : '␉';
	}

	return characterSign(character);
}

/** A visible escape for a character: `␛`, `‹U+202E›`. */
export function characterSign(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	// The control pictures block mirrors C0 one to one.
	if (code < 0x20) {
		return String.fromCodePoint(0x24_00 + code);
	}

	return code === 0x7f ? '␡' : `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}

/** The maximum length of a name in quotation marks, in code points. Texts of events are shorter. */
const maxNameCharacters = 240;

/** The way in which a name is cut. */
type NameOptions = {readonly maximumCharacters?: number};

/** For what a person decides about: nothing of its name is left out. */
export const uncut = {maximumCharacters: Number.POSITIVE_INFINITY} as const;

/** Characters that look like a quotation mark of ours, from the confusables of Unicode Technical Standard 39; the second of two apostrophes is one. */
const quotationMarks =
	/["«»\u02BA\u02DD\u02EE\u02F6\u05F2\u05F4\u1CD3\u201C-\u201F\u2033\u2034\u2036\u2037\u2057\u275D\u275E\u2760\u3003\u301D-\u301F\uFF02\u{1F676}-\u{1F678}]|(?<=['`´\u02B9\u02BB-\u02BD\u02C8\u02CA\u02CB\u05F3\u07F4\u07F5\u2018-\u201B\u2032\u2035\uA78C\uFF07\uFF40])['`´\u02B9\u02BB-\u02BD\u02C8\u02CA\u02CB\u05F3\u07F4\u07F5\u2018-\u201B\u2032\u2035\uA78C\uFF07\uFF40]/gu;

/** Blanks that are no space, and marks at the beginning, which would join with our quotation mark. */
const unseen = /[^\S ]|\u2800|^\p{M}+/gu;

/** Spaces that a line break or a collapsed run would hide: at an end, and after another one. */
const lostSpace = /^ +|(?<= ) +| +$/gu;

/**
A name that somebody else chose, in quotation marks. Nothing in it can end the quotation, and every blank in it is seen: `"codex ␠trusted"`.
Quote a foreign name wherever it appears with words of Sluice.
*/
export function quoted(name: string, {maximumCharacters = maxNameCharacters}: NameOptions = {}): string {
	const shown = safeText(name, {maximumCharacters})
		.replaceAll(quotationMarks, characterSigns)
		.replaceAll(unseen, characterSigns)
		.replaceAll(lostSpace, spaces => '␠'.repeat(spaces.length));
	return `"${shown}"`;
}

/** The same, said to be a claim: `claimed client "codex"`; nothing for an empty name. The words come first, because the end of a line may be cut. */
export function claimed(what: string, name: string, options?: NameOptions): string {
	return name === '' ? '' : ['claimed', what, quoted(name, options)].filter(Boolean).join(' ');
}

/** No blank, separator or bracket: beside other words it is still one word. */
const identifier = /^[\w/][\w.:/@-]*$/;

/** A name unchanged if it is an identifier, as most names of tools are, else in quotation marks. */
export function shownName(name: string, options: NameOptions = {}): string {
	return name.length <= (options.maximumCharacters ?? maxNameCharacters) && identifier.test(name)
		? name
		: quoted(name, options);
}

/** A tool and its server: `files/write`, `files/"write · trusted"`. */
export function toolText(
	{server, tool}: {readonly server: string; readonly tool: string},
	options?: NameOptions,
): string {
	return `${server}/${shownName(tool, options)}`;
}

function characterSigns(characters: string): string {
	return Array.from(characters, characterSign).join('');
}

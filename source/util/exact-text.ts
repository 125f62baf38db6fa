import {createBoundedMap} from './limits/bounded-map.ts';
import {markedPlaces} from './characters/marked-characters.ts';
import {characterSign} from './safe-text.ts';

/** Letters of all scripts, digits, punctuation and symbols; not marks, controls, blanks, format characters, private use or unassigned code points. */
const drawn = /^[\p{L}\p{N}\p{P}\p{S}]$/u;

/** Exceptions that are invisible or change the look of a neighbour. The empty braille pattern is a blank; U+FFFC and U+FFFD replace what cannot be shown; terminals give U+3248 to U+324F one cell or two. */
const undrawn =
	/^[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\p{Regional_Indicator}\u2800\u3248-\u324F\uFFFC\uFFFD]$/u;

/** Our own markers: the delimiters of an escape, and the symbols of control characters. */
const ours = /^[‹›\u2400-\u2426]$/u;

const plain = /^[\n\t\x20-\x7E]*$/u;
const unusual = /[^\n\t\x20-\x7E]/gu;

/** Cache by code point; texts repeat few of them. */
const known = createBoundedMap<string, string>({max: 20_000});

let segmenter: Intl.Segmenter | undefined;

/**
Shows an untrusted text so that it can be converted back exactly. Nothing is normalised, shortened or left out: every code point is
either unchanged or escaped. `‹U+202E›` replaces code points that are invisible, have no cell of their own or change their neighbours (marks, joiners, skin
tones, variation selectors), and those that a reader may take for others (`markedPlaces`); control pictures (`␛`) replace control characters; both
kinds of markers are escaped when they occur in the text (`‹U+2039›`). Line feed and tab are retained: the caller escapes them as JSON does, or breaks the line.
*/
export function exactText(text: string): string {
	if (plain.test(text)) {
		return text;
	}

	const marked = markedPlaces(text);
	return text.replaceAll(unusual, (character, at: number) =>
		marked.has(at) ? characterSign(character) : shownCharacter(character),
	);
}

/** The same for a text that must stay on one line. */
export function exactLine(text: string): string {
	return exactText(text).replaceAll('\n', '␊').replaceAll('\t', '␉');
}

/** The same for a text of several lines, in which tabs would move the cursor. */
export function exactLines(text: string): string {
	return exactText(text).replaceAll('\t', '␉');
}

/** True if the text was cut by `exactHead`. */
export function isHead(text: string): boolean {
	return /‹[\d,]+ more›$/u.test(text);
}

/**
The same for at most `maximumCharacters` code points; `‹1,204 more›` counts the rest. No text can contain that marker, because `‹` in it is escaped.
*/
export function exactHead(text: string, maximumCharacters: number, show: (text: string) => string): string {
	if (text.length <= maximumCharacters) {
		return show(text);
	}

	const characters = Array.from(text);
	const more = characters.length - maximumCharacters;
	return more <= 0
		? show(text)
		: `${show(characters.slice(0, maximumCharacters).join(''))}‹${more.toLocaleString('en-US')} more›`;
}

function shownCharacter(character: string): string {
	const answer = known.get(character);
	if (answer !== undefined) {
		return answer;
	}

	const shown = isShownAsItIs(character) ? character : characterSign(character);
	known.set(character, shown);
	return shown;
}

function isShownAsItIs(character: string): boolean {
	return drawn.test(character) && !undrawn.test(character) && !ours.test(character) && standsAlone(character);
}

/** True if it joins neither the character before it nor the one after it (UAX #29). Characters that join have no cell of their own. */
function standsAlone(character: string): boolean {
	segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	const parts = Array.from(segmenter.segment(`x${character}${character}x`));
	return parts.length === 4;
}

import {graphemes} from '../text/text-width.ts';

/** A text that a person types, and the cursor in it, as an index between two characters. */
export type TextField = {readonly value: string; readonly cursor: number};

/** An empty text field. */
export const emptyField: TextField = {value: '', cursor: 0};

/** A field that holds a text, with the cursor at its end. */
export function fieldWith(value: string): TextField {
	return {value, cursor: value.length};
}

/** Editing commands of GNU readline in a text field (docs/dashboard.md, Keys). */
export const edits = [
	'line-start',
	'line-end',
	'character-left',
	'character-right',
	'word-left',
	'word-right',
	'erase-left',
	'erase-right',
	'erase-word',
	'erase-word-right',
	'erase-to-start',
	'erase-to-end',
] as const;

export type Edit = (typeof edits)[number];

/** The field after an edit. */
export function edited(field: TextField, edit: Edit): TextField {
	const {value, cursor} = field;
	const before = value.slice(0, cursor);
	const after = value.slice(cursor);
	const left = cursor - (graphemes(before).at(-1)?.length ?? 0);
	const right = cursor + (graphemes(after)[0]?.length ?? 0);
	switch (edit) {
		case 'line-start':
			return {value, cursor: 0};
		case 'line-end':
			return fieldWith(value);
		case 'character-left':
			return {value, cursor: left};
		case 'character-right':
			return {value, cursor: right};
		case 'word-left':
			return {value, cursor: startOfWord(before, isWordCharacter)};
		case 'word-right':
			return {value, cursor: endOfWord(value, cursor)};
		case 'erase-left':
			return without(field, left, cursor);
		case 'erase-right':
			return without(field, cursor, right);
		case 'erase-word':
			return without(field, startOfWord(before, isNoBlank), cursor);
		case 'erase-word-right':
			return without(field, cursor, endOfWord(value, cursor));
		case 'erase-to-start':
			return without(field, 0, cursor);
		case 'erase-to-end':
			return without(field, cursor, value.length);
	}
}

/** The most a field holds: a prompt of many pages, but no file that was pasted by mistake. */
const maxCharacters = 65_536;

/** The field with a text typed or pasted at its cursor. Tabs become blanks, and nothing is inserted that a terminal would act on. */
export function inserted({value, cursor}: TextField, text: string): TextField {
	const room = Math.max(0, maxCharacters - value.length);
	const added = text
		.replaceAll('\t', ' ')
		.replaceAll(/\p{Cc}/gu, '')
		.slice(0, room);
	return {value: value.slice(0, cursor) + added + value.slice(cursor), cursor: cursor + added.length};
}

function without({value}: TextField, start: number, end: number): TextField {
	return {value: value.slice(0, start) + value.slice(end), cursor: start};
}

/** Halves of a code point, joiners and marks count as part of a word, so that no character is cut in two. */
const wordCharacter = /[\p{L}\p{M}\p{N}\p{Cs}\p{Join_Control}_]/u;

function isWordCharacter(character: string): boolean {
	return wordCharacter.test(character);
}

function isNoBlank(character: string): boolean {
	return !/\s/u.test(character);
}

/** The start of the last word of a text. */
function startOfWord(text: string, isPart: (character: string) => boolean): number {
	let at = text.length;
	while (at > 0 && !isPart(text.charAt(at - 1))) {
		at--;
	}

	while (at > 0 && isPart(text.charAt(at - 1))) {
		at--;
	}

	return at;
}

/** The end of the next word of a text. */
function endOfWord(text: string, from: number): number {
	let at = from;
	while (at < text.length && !isWordCharacter(text.charAt(at))) {
		at++;
	}

	while (at < text.length && isWordCharacter(text.charAt(at))) {
		at++;
	}

	return at;
}

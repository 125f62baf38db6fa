import {type Key} from 'ink';
import {graphemes} from '../text/text-width.ts';

/** One press of a key. */
export type KeyPress = {
	/** `j`, `J`, `up`, `enter`, `ctrl+c`: as the keymap names it. */
	readonly name: string;
	/** The character it puts into a text field; empty for keys that write nothing. */
	readonly text: string;
	/** It came as an event of its own, not as part of a chunk, and the terminal did not say that the key is held. */
	readonly alone: boolean;
};

const named: ReadonlyArray<readonly [keyof Key, string]> = [
	['upArrow', 'up'],
	['downArrow', 'down'],
	['leftArrow', 'left'],
	['rightArrow', 'right'],
	['pageUp', 'pageup'],
	['pageDown', 'pagedown'],
	['home', 'home'],
	['end', 'end'],
	['return', 'enter'],
	['escape', 'esc'],
	['backspace', 'backspace'],
	['delete', 'delete'],
];

/** The presses in one event of Ink. A chunk of several characters becomes several presses, none of them alone; a release becomes none. */
export function keyPressesOf(input: string, key: Key): readonly KeyPress[] {
	if (key.eventType === 'release') {
		return [];
	}

	const alone = key.eventType !== 'repeat';
	if (key.tab) {
		return [{name: key.shift ? 'shift+tab' : 'tab', text: '', alone}];
	}

	const name = named.find(([member]) => key[member] === true)?.[1];
	if (name !== undefined) {
		const modifier = name === 'esc' ? '' : key.meta ? 'meta+' : key.ctrl && isSideways(key) ? 'ctrl+' : '';
		return [{name: `${modifier}${name}`, text: '', alone}];
	}

	if (key.ctrl || key.meta || key.super || key.hyper) {
		return [{name: `${key.ctrl ? 'ctrl' : 'meta'}+${input}`, text: '', alone}];
	}

	const characters = graphemes(input);
	return characters.map(character => {
		const name = characterName(character);
		const text = name === character || character === ' ' ? character : '';
		return {name, text, alone: alone && characters.length === 1};
	});
}

/** Only these two mean something else with Ctrl: they move by words. */
function isSideways({leftArrow, rightArrow}: Key): boolean {
	return leftArrow || rightArrow;
}

/** Line breaks and tabs inside a chunk are the keys that make them. */
function characterName(character: string): string {
	switch (character) {
		case '\r':
		case '\n':
		case '\r\n':
			return 'enter';
		case '\t':
			return 'tab';
		case '\u007F':
		case '\b':
			return 'backspace';
		case ' ':
			return 'space';
		default:
			return character;
	}
}

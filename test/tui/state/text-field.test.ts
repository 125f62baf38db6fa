import {describe, expect, test} from 'vitest';
import {type Edit, edited, fieldWith, inserted, type TextField} from '../../../source/tui/state/text-field.ts';

/** A field in one text: the cursor is the bar. */
function parse(text: string): TextField {
	return {value: text.replace('|', ''), cursor: text.indexOf('|')};
}

function show({value, cursor}: TextField): string {
	return `${value.slice(0, cursor)}|${value.slice(cursor)}`;
}

const cases: ReadonlyArray<readonly [Edit, string, string]> = [
	['line-start', 'one two|', '|one two'],
	['line-end', '|one two', 'one two|'],
	['character-left', 'ab|c', 'a|bc'],
	['character-left', '|abc', '|abc'],
	['character-left', 'a👩‍💻|', 'a|👩‍💻'],
	['character-right', 'a|bc', 'ab|c'],
	['character-right', 'abc|', 'abc|'],
	['character-right', '|é́x', 'é́|x'],
	['word-left', 'one two|', 'one |two'],
	['word-left', 'one --two  |', 'one --|two  '],
	['word-left', '|one', '|one'],
	['word-right', 'one| --two', 'one --two|'],
	['word-right', 'one |  ', 'one   |'],
	['erase-left', 'ab|c', 'a|c'],
	['erase-left', 'x👩‍💻|', 'x|'],
	['erase-left', '|abc', '|abc'],
	['erase-right', 'a|bc', 'a|c'],
	['erase-right', 'abc|', 'abc|'],
	['erase-word', 'run --now  |x', 'run |x'],
	['erase-word', '  |', '|'],
	['erase-word-right', 'one| two three', 'one| three'],
	['erase-to-start', 'one |two', '|two'],
	['erase-to-end', 'one |two', 'one |'],
];

test.each(cases)('%s of %j is %j', (edit, before, after) => {
	expect(show(edited(parse(before), edit))).toBe(after);
});

describe('what is typed or pasted', () => {
	test('stands at the cursor, which moves behind it', () => {
		expect(show(inserted(parse('a|c'), 'b'))).toBe('ab|c');
	});

	test('holds nothing that a terminal would act on', () => {
		expect(show(inserted(parse('|'), 'a\tb\u001B[2Jc\u0000'))).toBe('a b[2Jc|');
	});

	test('is cut where the field is full', () => {
		const full = inserted(fieldWith('x'.repeat(65_530)), 'y'.repeat(100));
		expect([full.value.length, inserted(full, 'z')]).toEqual([65_536, full]);
	});
});

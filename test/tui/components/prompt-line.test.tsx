import {expect, test} from 'vitest';
import {PromptLine} from '../../../source/tui/components/prompt-line.tsx';
import {fieldWith, type TextField} from '../../../source/tui/state/text-field.ts';
import {frameOf} from '../render-component.tsx';

const prompt = (field: TextField, completion = '') =>
	frameOf(<PromptLine label=" : " field={field} placeholder="type here" completion={completion} width={40} />);

test('shows the placeholder while nothing is typed', () => {
	expect(prompt(fieldWith(''))).toBe(' : type here');
});

test('shows what was typed, and what Tab would add to it', () => {
	expect(prompt(fieldWith('re'), 'load-mcp')).toBe(' : reload-mcp');
});

test('a text of the width of the line and more shows its part around the cursor in one row', () => {
	const value = Array.from({length: 60}, (_, index) => String(index).padStart(2, '0')).join(' ');
	const rowAt = (cursor: number) => prompt({value, cursor});
	expect(rowAt(value.length)).toBe(' : …48 49 50 51 52 53 54 55 56 57 58 59');
	expect(rowAt(0)).toBe(' : 00 01 02 03 04 05 06 07 08 09 10 11 …');
	expect(rowAt(90)).toContain(' 29 30 31');
	for (let cursor = 0; cursor <= value.length; cursor++) {
		expect(rowAt(cursor).split('\n')).toHaveLength(1);
		expect(rowAt(cursor)).toContain(value.slice(cursor, cursor + 1).trim());
	}
});

test('wide characters take their cells', () => {
	const row = prompt(fieldWith('古い'.repeat(30)));
	expect(row).toMatch(/^ : …[古い]+$/u);
	expect(row.split('\n')).toHaveLength(1);
});

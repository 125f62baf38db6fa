import {expect, test} from 'vitest';
import {FormPane} from '../../../source/tui/components/form-pane.tsx';
import {type AnyField, type Form, openForm} from '../../../source/tui/state/form.ts';
import {formMode} from '../../../source/tui/state/form-mode.ts';
import {frameOf, screenOf} from '../render-component.tsx';
import {question} from '../sample-events.ts';

const fields: readonly AnyField[] = [
	{name: 'text', title: 'Text', description: '', need: 'required', kind: 'text', defaultValue: 'abc'},
	{name: 'sure', title: 'Sure', description: '', need: 'optional', kind: 'boolean', defaultValue: true},
];

function rowsOf(change: Partial<Form>, height = 20) {
	const mode = formMode({...openForm({kind: 'question', id: 'q'}, fields), ...change}, {kind: 'browse'});
	if (mode.kind !== 'form' && mode.kind !== 'form-text') {
		throw new Error('no form');
	}

	const screen = screenOf([question('q', {message: 'Which one?'})]);
	return frameOf(<FormPane screen={screen} mode={mode} height={height} />).split('\n');
}

test('shows who asks, each field, and the cursor in the first one', () => {
	const text = rowsOf({}).join('\n');
	expect(text).toContain('QUESTION 1 of 1');
	expect(text).toContain(' server     github');
	expect(text).toContain('Which one?');
	expect(text).toContain('\n > abc');
	expect(text).toContain('\n   ◉ yes');
	expect(text).toContain('\n   ○ no');
});

test('the cursor stands on a value to pick, and what is wrong stands below its field', () => {
	const text = rowsOf({stop: 2, problems: ['at least 5 characters', '']}).join('\n');
	expect(text).toContain('\n > ○ no');
	expect(text).toContain('   abc\n   ✖ at least 5 characters\n');
});

test('keeps the cursor in sight where the form is higher than its place', () => {
	const rows = rowsOf({stop: 3}, 6);
	expect(rows).toHaveLength(6);
	expect(rows.join('\n')).toContain('> enter sends the answer');
});

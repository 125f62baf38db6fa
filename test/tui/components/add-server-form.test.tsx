import {expect, test} from 'vitest';
import {emptyField, fieldWith} from '../../../source/tui/state/text-field.ts';
import {AddServerForm} from '../../../source/tui/components/add-server-form.tsx';
import {frameOf} from '../render-component.tsx';

const field = emptyField;
const form = {kind: 'add-server', step: 'name', name: '', field, problem: ''} as const;
const rowsOf = (mode: Parameters<typeof AddServerForm>[0]['mode']) =>
	frameOf(<AddServerForm mode={mode} width={60} height={8} />).split('\n');

test('asks for the name first, with an example', () => {
	const rows = rowsOf(form);
	expect(rows).toHaveLength(8);
	expect(rows[0]).toContain('Add a tool server');
	expect(rows[2]).toBe(' name      github');
});

test('then for the address, with the name above it', () => {
	const rows = rowsOf({...form, step: 'address', name: 'files', field: fieldWith('npx server')});
	expect(rows[2]).toBe(' name      files');
	expect(rows[3]).toContain(' command or address  npx server');
});

test('says what is wrong in one row, however long it is', () => {
	const rows = rowsOf({...form, problem: 'no such thing '.repeat(20)});
	expect(rows[3]).toMatch(/^ ✖ no such thing .*…$/u);
	expect(rows[4]).toContain('Enter continues, Esc leaves');
});

import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {z} from 'zod';
import {createJsonStore} from '../../../source/config/values/json-store.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const schema = z.object({rules: z.array(z.object({id: z.string()}))});

function open(directory = temporaryDirectory()) {
	return createJsonStore({directory, name: 'rules', schema, fallback: {rules: []}});
}

test('a missing file is the fallback and is not made', () => {
	const store = open();
	expect([store.read(), existsSync(store.path)]).toEqual([{rules: []}, false]);
});

test('what was written is read by another process', () => {
	const directory = temporaryDirectory();
	open(directory).write({rules: [{id: 'a'}]});
	expect(open(directory).read()).toEqual({rules: [{id: 'a'}]});
});

test('what another process wrote is seen by a store that is open', () => {
	const store = open();
	store.write({rules: []});
	writeFileSync(store.path, '{"rules":[{"id":"b"}]}');
	expect(store.read()).toEqual({rules: [{id: 'b'}]});
});

test('the file is for this user alone, in a folder for this user alone', () => {
	const directory = join(temporaryDirectory(), 'deeper');
	const store = open(directory);
	store.write({rules: []});
	expect([statSync(store.path).mode & 0o777, statSync(directory).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('writing leaves no other file behind', () => {
	const directory = temporaryDirectory();
	open(directory).write({rules: []});
	expect(readdirSync(directory)).toEqual(['rules.json']);
});

test('names with dots are names, not paths', () => {
	const directory = temporaryDirectory();
	const store = createJsonStore({directory, name: 'dots', schema: z.record(z.string(), z.number()), fallback: {}});
	store.write({'a.b': 1, a: 2});
	expect(store.read()).toEqual({'a.b': 1, a: 2});
});

describe('an invalid file', () => {
	const invalid: ReadonlyArray<readonly [string, string, string]> = [
		['{broken', 'config_syntax', 'is not a JSON object'],
		['', 'config_syntax', 'is not a JSON object'],
		['[1]', 'config_syntax', 'is not a JSON object'],
		['5', 'config_syntax', 'is not a JSON object'],
		['{"rules":[{"id":5}]}', 'config_invalid', 'rules[0].id: found another value than allowed'],
		['{}', 'config_invalid', 'rules: found another value than allowed'],
	];

	test.each(invalid)('%j is a problem that names the file', (text, code, message) => {
		const store = open();
		writeFileSync(store.path, text);
		expect(() => store.read()).toThrow(
			expect.objectContaining({
				code,
				message: expect.stringMatching(
					new RegExp(`^${store.path}:? .*${message.replaceAll(/[[\].]/gu, '\\$&')}$`, 'u'),
				),
			}),
		);
	});

	test.each(invalid)('%j is neither cleared by reading nor overwritten', text => {
		const store = open();
		writeFileSync(store.path, text);
		for (const act of [() => store.read(), () => store.write({rules: []})]) {
			expect(act).toThrow();
		}

		expect(readFileSync(store.path, 'utf8')).toBe(text);
	});
});

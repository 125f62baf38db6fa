import {parseEnv} from 'node:util';
import * as fastCheck from 'fast-check';
import {describe, expect, test} from 'vitest';
import {separateSecrets} from '../../../source/config/secrets/entry-secrets.ts';
import {withoutVariables, withVariables} from '../../../source/config/secrets/env-file.ts';

describe('the text of a .env', () => {
	test('leaves its comments and other lines', () => {
		expect(withVariables('# mine\nA=1 # one\nB=2', {C: '3', A: '4'})).toBe('# mine\nB=2\nC=3\nA=4\n');
	});

	test('is not touched when the value is there', () => {
		expect(withVariables('A = "1"\n', {A: '1'})).toBe('A = "1"\n');
	});

	test('loses a variable with all its lines', () => {
		expect(withoutVariables('A=1\nexport KEY="x\ny"\nB=2\n', ['KEY'])).toBe('A=1\nB=2\n');
	});

	test('a variable whose name begins like another one stays', () => {
		expect(withoutVariables('TOKEN_2=a\nMY_TOKEN=b\nTOKEN=c\n', ['TOKEN'])).toBe('TOKEN_2=a\nMY_TOKEN=b\n');
	});

	test('refuses a value of several lines', () => {
		expect(() => withVariables('', {A: 'x\ny'})).toThrow('cannot be written');
	});

	test('gives back every value it takes', () => {
		fastCheck.assert(
			fastCheck.property(fastCheck.string(), fastCheck.constantFrom('', 'B=1\n', 'A="old"\n# x\n'), (value, before) => {
				try {
					const after = parseEnv(withVariables(before, {A: value}));
					return after['A'] === value && after['B'] === parseEnv(before)['B'];
				} catch (error) {
					return error instanceof Error && error.message.includes('cannot be written');
				}
			}),
		);
	});
});

describe('secrets of an entry', () => {
	const none = () => undefined;

	test('become references; the kind of a header stays in sight', () => {
		const entry = {url: 'https://h', headers: {Authorization: 'Bearer abc', 'X-Team': 'red', 'X-Api-Key': 'k'}};
		expect(separateSecrets('my tracker', entry, none)).toEqual({
			entry: {
				url: 'https://h',
				headers: {Authorization: 'Bearer ${MY_TRACKER_TOKEN}', 'X-Team': 'red', 'X-Api-Key': '${MY_TRACKER_X_API_KEY}'},
			},
			variables: {MY_TRACKER_TOKEN: 'abc', MY_TRACKER_X_API_KEY: 'k'},
		});
	});

	test('of the environment have their own name as variable, unless it has another value', () => {
		const entry = {command: 'x', env: {API_KEY: 'a', OTHER_TOKEN: 'b', LEVEL: '1'}};
		const current = (name: string) => (name === 'API_KEY' ? 'taken' : name === 'OTHER_TOKEN' ? 'b' : undefined);
		expect(separateSecrets('files', entry, current)).toEqual({
			entry: {command: 'x', env: {API_KEY: '${FILES_API_KEY}', OTHER_TOKEN: '${OTHER_TOKEN}', LEVEL: '1'}},
			variables: {FILES_API_KEY: 'a', OTHER_TOKEN: 'b'},
		});
	});

	test('that are references already stay', () => {
		const entry = {command: 'x', env: {API_KEY: '${MINE}'}};
		expect(separateSecrets('files', entry, none)).toEqual({entry, variables: {}});
	});
});

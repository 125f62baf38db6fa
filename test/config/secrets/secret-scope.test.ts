import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readSecretScope} from '../../../source/config/secrets/variables.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

async function scopeOf(env: string, inherited: Readonly<Record<string, string>> = {}) {
	const path = join(temporaryDirectory(), '.env');
	writeFileSync(path, env);
	const {scope} = await readSecretScope(path, {variables: inherited});
	return scope;
}

describe('a variable', () => {
	test.each([
		['the .env wins', 'A=own\n', {A: 'inherited'}, 'own'],
		['the process fills what is missing', 'B=x\n', {A: 'inherited'}, 'inherited'],
		['an empty one in .env is unset', 'A=\n', {A: 'inherited'}, 'inherited'],
		['an empty one in both is unset', 'A=\n', {A: ''}, undefined],
		['an unset one is undefined', '', {}, undefined],
		['quotes and comments are those of .env files', 'A="a b" # why\n', {}, 'a b'],
	])('%s', async (...[_name, env, inherited, expected]) => {
		expect((await scopeOf(env, inherited)).variables('A')).toBe(expected);
	});

	test('names of inherited members are unset', async () => {
		expect((await scopeOf('')).variables('constructor')).toBeUndefined();
	});
});

test('the redactor learns the .env and what the process calls a secret, but no settings and not where it works', async () => {
	const scope = await scopeOf('A=secret-one\nWEBHOOK_PORT=12345678\n', {
		PATH: '/usr/bin',
		PWD: '/home/robin/garden',
		GITHUB_TOKEN: 'secret-two',
	});
	expect(scope.values).toEqual(['secret-one', 'secret-two']);
});

test('a missing .env is empty', async () => {
	const {scope, problems} = await readSecretScope(join(temporaryDirectory(), '.env'), {variables: {A: 'x'}});
	expect([scope.variables('A'), problems]).toEqual(['x', []]);
});

test('an .env that cannot be read is a problem, and only the environment of the process is used', async () => {
	const path = join(temporaryDirectory(), '.env');
	mkdirSync(path);
	const {scope, problems} = await readSecretScope(path, {variables: {A: 'x'}});
	expect([scope.variables('A'), problems.map(problem => [problem.code, problem.message])]).toEqual([
		'x',
		[['config_unreadable', `${path} cannot be read: it is a folder`]],
	]);
});

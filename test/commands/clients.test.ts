import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parse} from 'yaml';
import {describe, expect, test} from 'vitest';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {stateDirectory} from '../helpers/sluice.ts';

const configIn = (home: string): unknown => parse(readFileSync(join(home, 'config.yaml'), 'utf8'));
const variablesIn = (home: string) => readFileSync(join(home, '.env'), 'utf8');

test('a client is added, listed, asked for its headers, given another token and removed', async () => {
	const home = stateDirectory({gateway: {endpoint: {port: 0}}});
	const added = await runSluice({home}, 'clients', 'add', 'laptop', '--tools', 'files/read_*, git/log');
	expect(added.stdout).toBe('Added laptop. Its token is in .env as SLUICE_CLIENT_LAPTOP.\n');
	expect(configIn(home)).toMatchObject({
		gateway: {
			endpoint: {clients: {laptop: {token: '${SLUICE_CLIENT_LAPTOP}', tools: {include: ['files/read_*', 'git/log']}}}},
		},
	});
	const [, token = ''] = /^SLUICE_CLIENT_LAPTOP=([\w-]{43})$/mu.exec(variablesIn(home)) ?? [];
	expect(token).not.toBe('');
	expect(added.stdout + added.stderr).not.toContain(token);
	expect(await runSluiceJson({home}, 'clients', 'list')).toMatchObject([
		{name: 'default', state: 'new', variable: 'SLUICE_ENDPOINT_TOKEN', include: null},
		{name: 'laptop', state: 'ready', variable: 'SLUICE_CLIENT_LAPTOP', include: ['files/read_*', 'git/log']},
	]);
	expect((await runSluice({home}, 'clients', 'list')).stdout).not.toContain(token);
	expect(JSON.parse((await runSluice({home}, 'clients', 'headers', 'laptop')).stdout)).toEqual({
		Authorization: `Bearer ${token}`,
	});

	await runSluice({home}, 'clients', 'rotate', 'laptop');
	const [, fresh = ''] = /^SLUICE_CLIENT_LAPTOP=([\w-]{43})$/mu.exec(variablesIn(home)) ?? [];
	expect(fresh).not.toBe(token);
	expect(fresh).not.toBe('');

	const removed = await runSluiceJson({home}, 'clients', 'remove', 'laptop', '--yes');
	expect(removed).toEqual({name: 'laptop', variables: ['SLUICE_CLIENT_LAPTOP']});
	expect(variablesIn(home)).not.toContain('SLUICE_CLIENT_LAPTOP');
	expect(configIn(home)).not.toMatchObject({gateway: {endpoint: {clients: {laptop: expect.anything()}}}});
});

test('`default` is switched off, and gets a new token', async () => {
	const home = stateDirectory({gateway: {endpoint: {port: 0}}});
	await runSluice({home}, 'clients', 'rotate', 'default');
	expect(variablesIn(home)).toMatch(/^SLUICE_ENDPOINT_TOKEN=[\w-]{43}$/mu);
	await runSluice({home}, 'clients', 'remove', 'default', '--yes');
	expect(configIn(home)).toMatchObject({gateway: {endpoint: {clients: {default: false}}}});
	expect(await runSluiceJson({home}, 'clients', 'list')).toMatchObject([{name: 'default', state: 'off'}]);
});

describe('nothing is written', () => {
	test.each([
		['a name that is none', {}, ['add', 'my laptop'], 'cannot be the name'],
		['the name default', {}, ['add', 'default'], 'cannot be the name'],
		[
			'a name that is taken',
			{gateway: {endpoint: {clients: {laptop: {token: 'a'}}}}},
			['add', 'laptop'],
			'exists already',
		],
		['an unknown client', {gateway: {endpoint: {clients: {laptop: {token: 'a'}}}}}, ['rotate', 'labtop'], 'laptop'],
		[
			'a token that is no reference',
			{gateway: {endpoint: {clients: {laptop: {token: 'a'}}}}},
			['rotate', 'laptop'],
			'reference',
		],
		['commands that may not', {approvals: {cli: 'deny'}}, ['add', 'laptop'], 'Commands may not change'],
		[
			'no terminal and no --yes',
			{gateway: {endpoint: {clients: {laptop: {token: 'a'}}}}},
			['remove', 'laptop'],
			'--yes',
		],
	])('for %s', async (_, config, words, reason) => {
		const home = stateDirectory(config);
		const before = readFileSync(join(home, 'config.yaml'), 'utf8');
		const result = await runSluice({home}, 'clients', ...words);
		expect(result.code).not.toBe(0);
		expect(result.stderr).toContain(reason);
		expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(before);
	});
});

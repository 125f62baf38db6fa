import {expect, test} from 'vitest';
import {loadConfig} from '../../../source/config/read/load-config.ts';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {writeFileSync} from 'node:fs';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

async function secretsOf(entry: Record<string, unknown>): Promise<readonly string[]> {
	const root = temporaryDirectory();
	const paths = statePaths({root, profile: 'default'});
	writeFileSync(paths.config, JSON.stringify({mcp_servers: {one: entry}}));
	const environment = {variables: {}, home: root, workingDirectory: root};
	return (await loadConfig({paths, environment})).secrets.values;
}

test.each([
	['a variable whose name ends in _KEY', {command: 'x', env: {MY_KEY: 'whale-song'}}],
	['a password inside a setting', {command: 'x', env: {DATABASE: 'postgres://me:whale-song@host/db'}}],
	['the argument after a secret flag', {command: 'x', args: ['--token', 'whale-song']}],
	['the value of a secret flag', {command: 'x', args: ['--key=whale-song']}],
	['an assignment among the arguments', {command: 'x', args: ['API_TOKEN=whale-song']}],
	[
		'an authorization header, also without its scheme',
		{url: 'http://h/', headers: {Authorization: 'Bearer whale-song'}},
	],
	['a header called auth', {url: 'http://h/', headers: {'X-Auth': 'whale-song'}}],
	['the password of an address', {url: 'http://me:whale-song@h/'}],
	['a secret parameter of an address', {url: 'http://h/?api_key=whale-song'}],
])('%s is a secret', async (_name, entry) => {
	expect(await secretsOf(entry)).toContain('whale-song');
});

test('what is no secret is not masked everywhere', async () => {
	const entry = {command: 'node', args: ['--port', '8080', 'server.js'], env: {NODE_ENV: 'production'}};
	expect(await secretsOf(entry)).toEqual([]);
});

test('a token of a platform is a secret, as it is written and as it appears in an address', async () => {
	const root = temporaryDirectory();
	const paths = statePaths({root, profile: 'default'});
	writeFileSync(paths.config, JSON.stringify({platforms: {telegram: {token: '1:whale'}}}));
	const environment = {variables: {}, home: root, workingDirectory: root};
	const {secrets} = await loadConfig({paths, environment});
	expect(secrets.values).toEqual(expect.arrayContaining(['1:whale', '1%3Awhale']));
});

test.each([
	['the key of the model', {model: {provider: 'openai', api_key: 'whale-song'}}],
	['the key of the vision model', {vision_model: {provider: 'openai', api_key: 'whale-song'}}],
	['the key of the search service', {search: {provider: 'exa', api_key: 'whale-song'}}],
	['the password in the address of the model', {model: {base_url: 'http://me:whale-song@h/v1'}}],
])('%s is a secret', async (_name, config) => {
	const root = temporaryDirectory();
	const paths = statePaths({root, profile: 'default'});
	writeFileSync(paths.config, JSON.stringify(config));
	const environment = {variables: {}, home: root, workingDirectory: root};
	expect((await loadConfig({paths, environment})).secrets.values).toContain('whale-song');
});

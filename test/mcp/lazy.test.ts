import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type ServerConfig} from '../../source/config/servers/server-entry.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {callForText, openConnections, schemaCache, serverConfig, stdioFixture} from './fixture-servers.ts';

const plain = stdioFixture('mcp-plain.ts');
const lazy = (members: Partial<ServerConfig> = {}) => serverConfig(plain, {start: 'lazy', ...members});

const cacheFile = 'mcp-schemas.json';
let filled: string | undefined;

/** A folder whose cache holds the tools of a server that was connected. All have what the first connection kept. */
async function fillCache(): Promise<string> {
	const folder = filled === undefined ? await connectOnce(lazy()) : temporaryDirectory();
	const file = join(folder, cacheFile);
	filled ??= readFileSync(file, 'utf8');
	writeFileSync(file, filled, {mode: 0o600});
	return folder;
}

/** Connects a server once, so that its tools are in the cache of the folder if it is lazy. */
async function connectOnce(config: ServerConfig): Promise<string> {
	const folder = temporaryDirectory();
	const {connections} = openConnections([config], {schemaCache: schemaCache(folder)});
	await connections.settled(neverAborted());
	await connections.stop();
	return folder;
}

function statesAfterStart(config: ServerConfig, folder: string) {
	const opened = openConnections([config], {schemaCache: schemaCache(folder)});
	return {...opened, states: () => opened.recorded.ofType('server.state').map(({state}) => state)};
}

describe('a lazy server', () => {
	test('whose tools are cached registers them at the start and does not connect', async () => {
		const {connections, offers, recorded} = statesAfterStart(lazy(), await fillCache());
		await connections.settled(neverAborted());
		expect(recorded.ofType('server.state')).toMatchObject([
			{state: 'lazy', tools: 8, reason: 'connects at the first tool call'},
		]);
		expect(offers.get('fixture')?.tools.map(({name}) => name)).toContain('echo');
	});

	test('registers from the cache exactly what it offered when it was connected', async () => {
		const folder = temporaryDirectory();
		const live = openConnections([lazy()], {schemaCache: schemaCache(folder)});
		await live.connections.settled(neverAborted());
		const offered = live.offers.get('fixture');
		await live.connections.stop();
		expect(offered?.tools).toHaveLength(8);
		expect(statesAfterStart(lazy(), folder).offers.get('fixture')).toEqual(offered);
	});

	test('connects at its first call, which is answered', async () => {
		const {connections, states} = statesAfterStart(lazy(), await fillCache());
		expect(await callForText(connections, 'echo', {text: 'awake'})).toBe('awake');
		expect(states()).toEqual(['lazy', 'connecting', 'connected']);
	});

	test('starts once for calls that come together', async () => {
		const {connections, states} = statesAfterStart(lazy({calls: 'parallel'}), await fillCache());
		await Promise.all(['a', 'b', 'c'].map(text => callForText(connections, 'echo', {text})));
		expect(states()).toEqual(['lazy', 'connecting', 'connected']);
	});

	test('that was never connected connects at once', async () => {
		const {connections, states} = statesAfterStart(lazy(), temporaryDirectory());
		await connections.settled(neverAborted());
		expect(states()).toEqual(['connecting', 'connected']);
	});

	test.each<{readonly change: string; readonly config: ServerConfig}>([
		{change: 'command line', config: lazy({transport: stdioFixture('mcp-plain.ts', 'another')})},
		{change: 'protocol', config: lazy({protocol: 'legacy'})},
		{change: 'name', config: lazy({name: 'other'})},
	])('with another $change than the cached one connects at once', async ({config}) => {
		const {connections, states} = statesAfterStart(config, await fillCache());
		await connections.settled(neverAborted());
		expect(states()).toEqual(['connecting', 'connected']);
	});

	test('with other filters, times or trust sleeps on', async () => {
		const config = lazy({
			trust: 'untrusted',
			timeoutSeconds: 77,
			tools: {exclude: ['die'], resources: false, prompts: false},
		});
		const {states} = statesAfterStart(config, await fillCache());
		expect(states()).toEqual(['lazy']);
	});

	test.each([
		{name: 'of another format', edit: (text: string) => text.replace('"version": 1', '"version": 2')},
		{name: 'that holds something else', edit: () => '{"version": 1, "servers": [{"name": "fixture"}]}'},
	])('with a cache $name connects at once and fills it again', async ({edit}) => {
		const folder = await fillCache();
		const file = join(folder, cacheFile);
		writeFileSync(file, edit(readFileSync(file, 'utf8').replace(/"version":\s*1/u, '"version": 1')));
		const {connections, states} = statesAfterStart(lazy(), folder);
		await connections.settled(neverAborted());
		expect(states()).toEqual(['connecting', 'connected']);
		await connections.stop();
		expect(statesAfterStart(lazy(), folder).states()).toEqual(['lazy']);
	});

	test('with a cache that is no JSON connects at once, and says why', async () => {
		const folder = await fillCache();
		writeFileSync(join(folder, cacheFile), '{');
		const {connections, states, recorded} = statesAfterStart(lazy(), folder);
		await connections.settled(neverAborted());
		expect(states()).toEqual(['connecting', 'connected']);
		expect(recorded.ofType('log')[0]?.text).toContain('cached tools cannot be read');
	});

	test('that is switched off registers nothing', async () => {
		const {states, offers} = statesAfterStart(lazy({enabled: false}), await fillCache());
		expect([states(), offers.size]).toEqual([['disabled'], 0]);
	});

	test('that cannot be started tells the caller why, and keeps its tools', async () => {
		const transport = {kind: 'stdio', command: 'no-such-program', args: [], env: {}} as const;
		const offer = {tools: [{name: 'echo', inputSchema: {type: 'object'}}], resources: false, prompts: false};
		const cache = schemaCache();
		await cache.keep(lazy({transport}), offer);
		const {connections, offers} = openConnections([lazy({transport})], {schemaCache: cache});
		await expect(callForText(connections, 'echo', {})).rejects.toMatchObject({
			code: 'server_unavailable',
			message: expect.stringContaining('no-such-program was not found'),
		});
		expect(offers.get('fixture')).toEqual(offer);
	});

	test('is connected when a person asks for it', async () => {
		const {connections, until} = statesAfterStart(lazy(), await fillCache());
		connections.find('fixture')?.reconnect();
		expect(await until(({state}) => state === 'connected')).toMatchObject({tools: 8});
	});
});

describe('the cache', () => {
	test('is not made by servers that are not lazy', async () => {
		const folder = await connectOnce(serverConfig(plain));
		expect(existsSync(join(folder, cacheFile))).toBe(false);
	});

	test('is brought up to date by each connect', async () => {
		const cache = schemaCache();
		await cache.keep(lazy(), {tools: [{name: 'old', inputSchema: {type: 'object'}}], resources: false, prompts: false});
		const {connections} = openConnections([lazy()], {schemaCache: cache});
		await callForText(connections, 'echo', {text: 'x'});
		await connections.stop();
		expect(cache.find(lazy())?.tools.map(({name}) => name)).toContain('echo');
	});

	test('keeps servers apart', async () => {
		const cache = schemaCache();
		const offer = (name: string) => ({
			tools: [{name, inputSchema: {type: 'object'}}],
			resources: false,
			prompts: true,
		});
		await cache.keep(lazy({name: '__proto__'}), offer('a'));
		await cache.keep(lazy({name: 'constructor'}), offer('b'));
		expect(cache.find(lazy({name: '__proto__'}))).toEqual(offer('a'));
		expect(cache.find(lazy({name: 'constructor'}))).toEqual(offer('b'));
	});

	test('does not grow without end: what was kept first goes first', async () => {
		const cache = schemaCache();
		const description = 'x'.repeat(6_000_000);
		const offer = {tools: [{name: 'a', description, inputSchema: {}}], resources: false, prompts: false};
		for (const name of ['first', 'second', 'third']) {
			await cache.keep(lazy({name}), offer);
		}

		expect(['first', 'second', 'third'].map(name => cache.find(lazy({name})) !== undefined)).toEqual([
			false,
			true,
			true,
		]);
	});
});

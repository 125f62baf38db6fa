import {describe, expect, test} from 'vitest';
import {neverAborted} from '../helpers/never-aborted.ts';
import {callForText, openConnections, serverConfig, stdioFixture} from './fixture-servers.ts';

const named = (name: string, timeoutSeconds = 10) => serverConfig(stdioFixture('mcp-plain.ts'), {name, timeoutSeconds});

describe('a reload', () => {
	test('says what it did, by difference', async () => {
		const {connections} = openConnections([named('same'), named('changed'), named('gone')]);
		await connections.settled(neverAborted());
		expect(connections.apply([named('new'), named('changed', 20), named('same')])).toEqual({
			added: ['new'],
			removed: ['gone'],
			reconnected: ['changed'],
			unchanged: ['same'],
		});
		expect(connections.list().map(({config}) => config.name)).toEqual(['new', 'changed', 'same']);
	});

	test('leaves an unchanged server its connection', async () => {
		const {connections} = openConnections([named('same')]);
		await connections.settled(neverAborted());
		const before = connections.find('same');
		connections.apply([named('same'), named('other')]);
		expect(connections.find('same')).toBe(before);
	});

	test('removes a server: its tools, its process, its row', async () => {
		const {connections, offers, recorded} = openConnections([named('gone')]);
		await connections.settled(neverAborted());
		connections.apply([]);
		expect(offers.get('gone')).toBeUndefined();
		await expect.poll(() => recorded.ofType('server.removed')).toEqual([{type: 'server.removed', server: 'gone'}]);
	});

	test('connects a changed server again', async () => {
		const {connections} = openConnections([named('changed')]);
		await connections.settled(neverAborted());
		connections.apply([named('changed', 20)]);
		expect(await callForText(connections, 'echo', {text: 'new'})).toBe('new');
	});

	test('withdraws the tools of a server that is switched off', async () => {
		const {connections, offers, until} = openConnections([named('one')]);
		await connections.settled(neverAborted());
		connections.apply([{...named('one'), enabled: false}]);
		expect(offers.get('one')).toBeUndefined();
		expect(await until(({state}) => state === 'disabled')).toMatchObject({tools: 0});
	});
});

test('settled ends when its signal aborts', async () => {
	const {connections} = openConnections([serverConfig(stdioFixture('mcp-misbehaving.ts', 'hang'))]);
	const controller = new AbortController();
	const settled = connections.settled(controller.signal);
	controller.abort();
	await expect(settled).resolves.toBeUndefined();
});

test('after a stop every server is stopped and nothing is started any more', async () => {
	const {connections} = openConnections([named('one')]);
	await connections.stop();
	expect(connections.apply([named('two')]).added).toEqual([]);
	expect(connections.find('one')?.state().kind).toBe('stopped');
});

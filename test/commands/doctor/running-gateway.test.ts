import {writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {describe, expect, onTestFinished, test} from 'vitest';
import {listen} from '../../helpers/loopback.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {runSluiceJson} from '../../helpers/run-sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openTelegram} from '../../simulators/platforms/telegram.ts';

/** A state directory with a gateway on it. */
async function start(config: object) {
	const home = temporaryDirectory();
	const running = await runGateway(JSON.stringify({gateway: {endpoint: {port: 0}}, ...config}), home);
	return {...running, doctor: () => runSluiceJson({home}, 'doctor', '--offline')};
}

describe('doctor asks a running gateway', () => {
	test('where its endpoint is, and finds nothing wrong with the ports that it holds', async () => {
		const {doctor, eventWhere} = await start({});
		await eventWhere(event => event.type === 'endpoint.state' && event.state === 'listening');
		expect(await doctor()).toContainEqual({
			check: 'endpoint',
			level: 'ok',
			message: expect.stringMatching(/^All tools are offered at http:\/\/127\.0\.0\.1:\d+\/mcp$/u),
			remedy: null,
		});
	});

	test('what is wrong with its journal, once, and nothing of it before', async () => {
		const {doctor, eventWhere, gateway, paths} = await start({});
		const findings = async () => {
			const all = (await doctor()) as ReadonlyArray<{readonly check: string}>;
			return all.filter(({check}) => check === 'journal');
		};

		expect(await findings()).toEqual([]);
		writeFileSync(paths.journal, 'no database at all, '.repeat(5000));
		await gateway.reload();
		await runSluiceJson({home: paths.root}, 'events', 'list').catch(() => undefined);
		await eventWhere(event => event.type === 'fault.state' && event.part === 'journal');
		expect(await findings()).toEqual([
			{
				check: 'journal',
				level: 'error',
				message: expect.stringMatching(/^The journal cannot be used \(.*\)\. It is tried again/u),
				remedy: expect.stringContaining(`Restore ${paths.journal}, or move it away with its -wal file: \``),
			},
		]);
	});

	test('that everything is held, and since when', async () => {
		const {doctor, eventWhere, gateway, paths} = await start({});
		gateway.send({method: 'hold', params: {reason: 'it deletes files'}});
		await eventWhere(event => event.type === 'hold.state');
		const message = expect.stringMatching(/^Everything is held since .* by console:1: it deletes files$/u) as string;
		const held = {check: 'hold', level: 'warning', message, remedy: expect.stringContaining('`sluice')};
		expect(await doctor()).toContainEqual(held);
		writeFileSync(`${paths.root}/hold.json`, '{"held": ');
		expect(await doctor()).toContainEqual({...held, remedy: expect.stringContaining('move it away with `mv ')});
	});

	test('why its endpoint is off', async () => {
		const port = Number(new URL(await listen(createServer())).port);
		const {doctor, eventWhere} = await start({gateway: {endpoint: {port}}});
		await eventWhere(event => event.type === 'endpoint.state' && event.state === 'failed');
		expect(await doctor()).toContainEqual({
			check: 'endpoint',
			level: 'warning',
			message: `The endpoint is off: Port ${port} on 127.0.0.1 is in use by another program`,
			remedy: expect.stringContaining('Set `gateway.endpoint.port` ('),
		});
	});

	test('why webhooks do not arrive', async () => {
		const port = Number(new URL(await listen(createServer())).port);
		const {doctor} = await start({platforms: {webhook: {enabled: true, port, secret: 'x', routes: {pulls: {}}}}});
		expect(await doctor()).toContainEqual({
			check: 'webhooks',
			level: 'error',
			message: `Port ${port} on 127.0.0.1 is in use by another program`,
			remedy: expect.stringContaining('Set `platforms.webhook.port` ('),
		});
	});

	test('where deliveries fail, which it also says once the gateway has stopped', async () => {
		const telegram = await openTelegram();
		onTestFinished(telegram.close);
		const route = {prompt: 'x', deliver: 'telegram', deliver_only: true, deliver_extra: {chat_id: telegram.chatId}};
		const webhook = {enabled: true, port: 0, secret: 'INSECURE_NO_AUTH', routes: {r: route}};
		const {doctor, gateway} = await start({platforms: {telegram: telegram.settings, webhook}});
		const failing = expect.objectContaining({
			check: 'route r',
			level: 'warning',
			message: expect.stringContaining('A delivery to telegram failed since the last one that arrived: '),
			remedy: expect.stringMatching(/send the last one again: `sluice events replay \S+ --deliver`$/u),
		});
		expect(await doctor()).not.toContainEqual(failing);
		telegram.plan({kind: 'rejected'});
		const response = await fetch(`${gateway.webhookUrl()}/webhooks/r`, {method: 'POST', body: '{}'});
		expect(response.status).toBe(502);
		expect(await doctor()).toContainEqual(failing);
		await gateway.stop('the test is over');
		expect(await doctor()).toContainEqual(failing);
	});

	describe('which routes it serves while', () => {
		const webhook = (routes: object) => ({
			platforms: {webhook: {enabled: true, port: 0, secret: 'INSECURE_NO_AUTH', routes}},
		});

		test('another one is refused since a reload', async () => {
			const {doctor, writeConfig, gateway} = await start(webhook({one: {}}));
			const blocked = (level: string, message: string) =>
				expect.objectContaining({check: 'route one', level, message: expect.stringContaining(message)});
			writeConfig(JSON.stringify(webhook({one: {}, two: {deliver_only: true}})));
			await gateway.reload();
			expect(await doctor()).toContainEqual(
				blocked(
					'warning',
					'It is still served, but no route would be served after a restart, because these are refused: two',
				),
			);
			await gateway.stop('the test is over');
			expect(await doctor()).toContainEqual(blocked('error', 'It is not served'));
		});

		test('config.yaml cannot be read, without a word about webhooks that are off', async () => {
			const {doctor, writeConfig, paths} = await start(webhook({}));
			writeFileSync(paths.subscriptions, JSON.stringify({sub: {secret: 'other-secret'}}));
			writeConfig('platforms: {');
			const findings = await doctor();
			expect(findings).toContainEqual(expect.objectContaining({check: 'config', level: 'error'}));
			expect(findings).toContainEqual({check: 'route sub', level: 'ok', message: 'It is complete', remedy: null});
			expect(JSON.stringify(findings)).not.toContain('Webhooks are off');
		});
	});
});

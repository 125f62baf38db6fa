import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type CommandContext} from '../../../source/commands/cli/command.ts';
import {type RouteRegistry} from '../../../source/commands/webhook/route-registry.ts';
import {runWebhookTest as runTest} from '../../../source/commands/webhook/webhook-test.ts';
import {toSignatureScheme} from '../../../source/config/webhooks/signature-scheme.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openAdapter} from '../../webhooks/open-adapter.ts';
import {route, webhookConfig} from '../../webhooks/webhook-config.ts';
import {openState} from '../webhook-fixture.ts';

const runWebhookTest = (context: CommandContext, openRoutes: () => Promise<RouteRegistry>) =>
	runTest(context, openRoutes, () => Promise.reject(new Error('tried dry')));

const running = (url: string | null) =>
	startControl({status: () => ({version: '1', pid: 1, profile: 'default', webhook_url: url})});

describe('webhook test', () => {
	/** A gateway that listens with one signed route, and a state directory that knows its secret. */
	async function startReceiver(secrets: readonly string[], events: readonly string[] = []) {
		const routes = [route({name: 'alerts', secrets, events})];
		const {url, journal, ofType} = await openAdapter({config: webhookConfig({routes})});
		const {path} = await running(url);
		return {path, journal, ofType};
	}

	test.each(['plain secret', `whsec_${Buffer.from('a standard key').toString('base64')}`, 'INSECURE_NO_AUTH'])(
		'signs with the secret of the route: %s',
		async secret => {
			const {path, ofType} = await startReceiver([secret]);
			const {run} = openState({}, {alerts: {secret}}, path);
			const {code, stdout} = await run(runWebhookTest, ['alerts'], {json: true});
			expect([code, JSON.parse(stdout)]).toMatchObject([0, {status: 202, body: {status: 'accepted', event: 'test'}}]);
			expect(ofType('webhook.settled')).toHaveLength(1);
		},
	);

	test('signs by the scheme of the route', async () => {
		const routes = [route({name: 'alerts', secrets: ['s'], signature: toSignatureScheme('stripe')})];
		const {url} = await openAdapter({config: webhookConfig({routes})});
		const {path} = await running(url);
		const {run} = openState({}, {alerts: {secret: 's', signature: 'stripe'}}, path);
		expect(await run(runWebhookTest, ['alerts'])).toMatchObject({code: 0, stdout: expect.stringMatching(/^202 /u)});
	});

	test('sends an event that the route accepts', async () => {
		const {path} = await startReceiver(['s'], ['push']);
		const {run} = openState({}, {alerts: {secret: 's', events: ['push']}}, path);
		expect((await run(runWebhookTest, ['alerts'])).stdout).toContain('"event":"push"');
	});

	test('sends the payload as typed', async () => {
		const {path} = await startReceiver(['s']);
		const {run} = openState({}, {alerts: {secret: 's'}}, path);
		const {stdout} = await run(runWebhookTest, ['alerts'], {payload: '{"event_type":"mine"}'});
		expect(stdout).toContain('"event":"mine"');
	});

	test('fails when the gateway refuses it', async () => {
		const {path} = await startReceiver(['another secret']);
		const {run} = openState({}, {alerts: {secret: 's'}}, path);
		const {code, stdout} = await run(runWebhookTest, ['alerts']);
		expect([code, stdout]).toEqual([1, expect.stringMatching(/^401 /u)]);
	});

	test('says that no gateway runs', async () => {
		const {run} = openState({}, {alerts: {secret: 's'}});
		const {code, stderr} = await run(runWebhookTest, ['alerts']);
		expect([code, stderr]).toEqual([1, expect.stringContaining('No gateway is running')]);
	});

	test('says that the gateway is not listening', async () => {
		const {path} = await running(null);
		const {run} = openState({}, {alerts: {secret: 's'}}, path);
		const {code, stderr} = await run(runWebhookTest, ['alerts']);
		expect([code, stderr]).toEqual([1, expect.stringContaining('is not listening')]);
	});

	test.each([
		['nothing', 'There is no route named "nothing"'],
		['bad', 'No secret is set'],
	])('fails for the route %s', async (name, reason) => {
		const {run} = openState({}, {bad: {}});
		const {code, stderr} = await run(runWebhookTest, [name]);
		expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
	});

	test('does not understand a payload that is no JSON', async () => {
		const {run} = openState({}, {alerts: {secret: 's'}});
		expect((await run(runWebhookTest, ['alerts'], {payload: '{'})).code).toBe(2);
	});

	test('reads the secret from the environment file', async () => {
		const {path} = await startReceiver(['from the file']);
		const {run, home} = openState({routes: {alerts: {secret: '${HOOK_KEY}'}}}, undefined, path);
		writeFileSync(join(home, '.env'), 'HOOK_KEY="from the file"\n', {mode: 0o600});
		expect((await run(runWebhookTest, ['alerts'])).code).toBe(0);
	});
});

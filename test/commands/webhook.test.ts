import {describe, expect, test} from 'vitest';
import {runWebhookList} from '../../source/commands/webhook/webhook-list.ts';
import {runWebhookRemove, runWebhookSubscribe} from '../../source/commands/webhook/subscriptions.ts';
import {type CommandContext} from '../../source/commands/cli/command.ts';
import {type RouteRegistry} from '../../source/commands/webhook/route-registry.ts';
import {startControl} from '../control/control-fixture.ts';
import {ownEvents} from './command-fixture.ts';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {openState} from './webhook-fixture.ts';

const running = (url: string | null) =>
	startControl({status: () => ({version: '1', pid: 1, profile: 'default', webhook_url: url})});

const listRoutes = (context: CommandContext, openRoutes: () => Promise<RouteRegistry>) =>
	runWebhookList(context, openRoutes, ownEvents({}));

describe('webhook subscribe', () => {
	test('prints name, URL and secret as JSON, and stores the entry', async () => {
		const {run, stored} = openState();
		const {code, stdout} = await run(runWebhookSubscribe, ['My Alerts'], {json: true, events: 'push'});
		const {secret} = stored()['my-alerts'] ?? {};
		expect(JSON.parse(stdout)).toEqual({
			name: 'my-alerts',
			url: 'http://127.0.0.1:8655/webhooks/my-alerts',
			secret,
		});
		expect(secret).toMatch(/^[\w-]{43}$/u);
		expect([code, stored()['my-alerts']]).toEqual([0, {secret, events: ['push'], created_at: expect.any(String)}]);
	});

	test('prints URL and secret for a person', async () => {
		const {run, stored} = openState();
		const {stdout} = await run(runWebhookSubscribe, ['alerts']);
		expect(stdout).toBe(
			`Name    alerts\nURL     http://127.0.0.1:8655/webhooks/alerts\nSecret  ${String(stored()['alerts']?.['secret'])}\n`,
		);
	});

	test('names the address of the running gateway', async () => {
		const {path} = await running('http://127.0.0.1:9999');
		const {run} = openState({}, undefined, path);
		const {stdout} = await run(runWebhookSubscribe, ['alerts']);
		expect(stdout).toContain('http://127.0.0.1:9999/webhooks/alerts');
	});

	test('with a profile has the prefix of the profile', async () => {
		const {run, home} = openState();
		mkdirSync(join(home, 'profiles', 'work'), {recursive: true});
		const {stdout} = await run(runWebhookSubscribe, ['alerts'], {routeProfile: 'work'});
		expect(stdout).toContain('/p/work/webhooks/alerts');
	});

	test('for a profile that is not there is refused, and nothing is written or printed', async () => {
		const {run, stored} = openState();
		const {code, stdout, stderr} = await run(runWebhookSubscribe, ['alerts'], {routeProfile: 'nope'});
		expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('There is no profile "nope"')]);
		expect(stored()).toEqual({});
	});

	test('warns what a platform lacks, and stores the entry all the same', async () => {
		const {run, stored} = openState();
		const {code, stderr} = await run(runWebhookSubscribe, ['alerts'], {
			deliver: 'sms',
			deliverChatId: '+4915112345678',
		});
		expect([code, Object.keys(stored())]).toEqual([0, ['alerts']]);
		expect(stderr).toContain('platforms.sms.auth_token is missing (or the variable TWILIO_AUTH_TOKEN)');
	});

	test('keeps the secret and the other subscriptions on update', async () => {
		const {run, stored} = openState({}, {alerts: {secret: 'kept'}, other: {secret: 'x'}});
		await run(runWebhookSubscribe, ['alerts'], {prompt: 'new'});
		expect(stored()).toEqual({alerts: {secret: 'kept', prompt: 'new'}, other: {secret: 'x'}});
	});

	test.each([
		['deliver_only to the log', {deliverOnly: true}, 'deliver_only'],
		['an unknown target', {deliver: 'pigeon'}, 'Allowed: log'],
		['a job that nobody knows', {cronJob: 'daily'}, 'No job has the id or name "daily"'],
		[
			'a job of another profile that has none',
			{cronJob: 'daily', routeProfile: 'work'},
			'No job has the id or name "daily"',
		],
	])('refuses %s and writes nothing', async (_, flags, reason) => {
		const {run, stored, home} = openState();
		mkdirSync(join(home, 'profiles', 'work'), {recursive: true});
		const {code, stdout, stderr} = await run(runWebhookSubscribe, ['alerts'], flags);
		expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(reason)]);
		expect(stored()).toEqual({});
	});

	test('takes a scheduled job by its name, in any case, and stores its id', async () => {
		const {home, run, stored} = openState();
		const job = {
			id: '0123456789ab',
			name: 'Daily',
			prompt: 'p',
			schedule: {kind: 'interval', seconds: 60},
			deliver: 'log',
			deliver_extra: {},
			skills: [],
			enabled: true,
			paused: false,
		};
		mkdirSync(join(home, 'cron'), {recursive: true});
		writeFileSync(join(home, 'cron', 'jobs.json'), JSON.stringify({jobs: [job]}));
		const {code, stderr} = await run(runWebhookSubscribe, ['alerts'], {cronJob: 'daily'});
		expect([code, stderr]).toEqual([0, '']);
		expect(stored()['alerts']).toMatchObject({cron_job: '0123456789ab'});
	});

	test('refuses the name of a configured route', async () => {
		const {run, stored} = openState({routes: {alerts: {secret: 's'}}});
		const {code, stderr} = await run(runWebhookSubscribe, ['alerts']);
		expect([code, stderr, stored()]).toEqual([
			1,
			expect.stringContaining('config.yaml has a route with this name, and that one is used'),
			{},
		]);
	});

	test.each([[[]], [['a', 'b']], [['a/b']]])('%j is not understood', async words => {
		const {run} = openState();
		expect((await run(runWebhookSubscribe, words)).code).toBe(2);
	});

	test('refuses a profile name that would leave the path', async () => {
		const {run} = openState();
		expect((await run(runWebhookSubscribe, ['a'], {routeProfile: '../x'})).code).toBe(2);
	});

	test('does not overwrite a file it cannot read', async () => {
		const {run} = openState({}, '{ broken');
		const {code, stderr} = await run(runWebhookSubscribe, ['alerts']);
		expect([code, stderr]).toEqual([1, expect.stringContaining('webhook_subscriptions.json')]);
	});

	test.each([
		['a new one', {}],
		['one that is there', {alerts: {secret: 's'}}],
	])('while webhooks are off writes nothing, for %s, and says how to switch them on', async (_, before) => {
		const {run, stored} = openState({enabled: false}, before);
		const {code, stdout, stderr} = await run(runWebhookSubscribe, ['alerts'], {prompt: 'new'});
		expect([code, stdout, stored()]).toEqual([1, '', before]);
		expect(stderr).toBe(
			'sluice: Webhooks are off; nothing was written\n        Run `sluice gateway setup`, or set `platforms.webhook.enabled: true` in config.yaml\n',
		);
	});

	test('goes by the running gateway when that receives webhooks all the same', async () => {
		const {path} = await running('http://127.0.0.1:9999');
		const {run, stored} = openState({enabled: false}, undefined, path);
		expect((await run(runWebhookSubscribe, ['alerts'])).code).toBe(0);
		expect(Object.keys(stored())).toEqual(['alerts']);
	});
});

describe('webhook list', () => {
	const secret = 'enough';
	const list = async (webhook: object, subscriptions?: object) => {
		const {run} = openState(webhook, subscriptions);
		const {stdout} = await run(listRoutes, [], {json: true});
		return JSON.parse(stdout) as Array<Record<string, unknown>>;
	};

	test('has configured routes and subscriptions', async () => {
		const rows = await list({routes: {first: {secret, events: ['push']}}}, {second: {secret, profile: 'default'}});
		expect(rows).toEqual([
			{
				name: 'first',
				url: 'http://127.0.0.1:8655/webhooks/first',
				profile: 'default',
				events: ['push'],
				deliver: 'log',
				targets: ['log'],
				source: 'config',
				state: 'served',
				reason: null,
			},
			expect.objectContaining({
				name: 'second',
				url: 'http://127.0.0.1:8655/p/default/webhooks/second',
				source: 'subscription',
				state: 'served',
			}),
		]);
	});

	test.each([
		{
			state: 'shadowed',
			webhook: {routes: {x: {secret}}},
			subscriptions: {x: {secret}},
			reason: 'config.yaml has a route with this name, and that one is used',
		},
		{state: 'failed', webhook: {}, subscriptions: {x: {}}, reason: 'No secret is set'},
		{
			state: 'failed',
			webhook: {},
			subscriptions: {x: {secret, deliver: 'telegram', deliver_only: true, cron_job: 'j'}},
			reason: 'cron_job and deliver_only',
		},
		{state: 'failed', webhook: {routes: {x: {}}}, subscriptions: undefined, reason: 'No secret is set'},
		{
			state: 'failed',
			webhook: {routes: {bad: {}}},
			subscriptions: {x: {secret}},
			reason: 'while a route of config.yaml is invalid: bad',
		},
		{state: 'off', webhook: {enabled: false}, subscriptions: {x: {secret}}, reason: 'webhooks are off'},
		{state: 'off', webhook: {}, subscriptions: {x: {secret, profile: 'work'}}, reason: 'profile work'},
		{state: 'paused', webhook: {}, subscriptions: {x: {secret, enabled: false}}, reason: null},
		{state: 'failed', webhook: {}, subscriptions: {x: {secret, filters: [{field: 'a', regex: '(?=a)'}]}}, reason: '('},
		{state: 'failed', webhook: {routes: {x: {secret: 'whsec_!'}}}, subscriptions: {}, reason: 'not base64'},
		{state: 'failed', webhook: {}, subscriptions: {x: {secret: 'whsec_!'}}, reason: 'not base64'},
	])('$state: $webhook with $subscriptions', async ({state, webhook, subscriptions, reason}) => {
		const row = (await list(webhook, subscriptions)).findLast(({name}) => name === 'x');
		expect(row).toMatchObject({state, reason: reason === null ? null : expect.stringContaining(reason)});
	});

	test('without a gateway calls nothing served, and says below a row what to do about it', async () => {
		const {run} = openState(
			{routes: {first: {secret}}},
			{second: {secret, filters: [{field: 'a', regex: '(?=a)'}]}, third: {}},
		);
		const {stdout, stderr} = await run(listRoutes, []);
		const lines = stdout.split('\n').map(line => line.trimEnd().replaceAll(/ +/gu, ' '));
		expect(lines.map(line => line.split(' ').slice(0, 2).join(' '))).toEqual([
			'ROUTE STATE',
			'first ready',
			'second failed',
			' route',
			expect.stringMatching(/^ →/u),
			'third failed',
			expect.stringMatching(/^ →/u),
			'',
		]);
		expect(lines[4]).toContain('→ Rewrite `regex` without lookaround and backreferences');
		expect(lines[6]).toContain('→ Set `secret` of the route, or `platforms.webhook.secret`');
		expect(stderr).toContain('No gateway is running: nothing is received');
	});

	test('of a running gateway calls a route served, and says nothing beside it', async () => {
		const {path} = await running('http://127.0.0.1:9999');
		const {run} = openState({routes: {first: {secret}}}, undefined, path);
		const {stdout, stderr} = await run(listRoutes, []);
		expect([stdout.includes(' served '), stderr]).toEqual([true, '']);
	});

	test('shows no secret', async () => {
		const {run} = openState({routes: {first: {secret: 'a1-very-secret'}}}, {second: {secret: 'b2-very-secret'}});
		const text = (await run(listRoutes, [])).stdout + (await run(listRoutes, [], {json: true})).stdout;
		expect(text).toContain('second');
		expect(text).not.toContain('very-secret');
	});
});

describe('webhook remove', () => {
	test('takes the subscription out and leaves the others', async () => {
		const {run, stored} = openState({}, {alerts: {secret: 's'}, other: {secret: 's'}});
		expect([(await run(runWebhookRemove, ['Alerts'])).code, stored()]).toEqual([0, {other: {secret: 's'}}]);
	});

	test.each([
		['nothing', 'There is no subscription named nothing'],
		['fixed', 'config.yaml'],
	])('fails for %s', async (name, reason) => {
		const {run} = openState({routes: {fixed: {secret: 's'}}}, {alerts: {secret: 's'}});
		const {code, stderr} = await run(runWebhookRemove, [name]);
		expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
	});
});

import {describe, expect, test} from 'vitest';
import {readConfigText} from '../../../source/config/read/load-config.ts';
import {type WebhookConfig} from '../../../source/config/webhooks/webhook-entry.ts';
import {to} from '../../helpers/destinations.ts';

type Variables = Readonly<Record<string, string>>;

function read(webhook: unknown, variables: Variables = {}) {
	const text = JSON.stringify({platforms: {webhook}});
	const {config} = readConfigText('config.yaml', text, name => variables[name] || undefined);
	return {
		webhook: config.webhook,
		problems: config.problems.map(problem => `${problem.level}: ${problem.place?.keyPath}: ${problem.message}`),
	};
}

function settings(webhook: unknown, variables?: Variables): WebhookConfig {
	return read(webhook, variables).webhook;
}

function route(entry: Record<string, unknown>) {
	const {webhook, problems} = read({secret: 'global', routes: {one: entry}});
	return {route: webhook.routes[0], broken: webhook.brokenRoutes[0], problems};
}

describe('the adapter', () => {
	test('defaults', () => {
		expect(settings({})).toEqual({
			enabled: false,
			host: '127.0.0.1',
			port: 8644,
			rateLimit: 30,
			maxBodyBytes: 1_048_576,
			secrets: [],
			routes: [],
			brokenRoutes: [],
		});
	});

	test.each([
		['port', 1234, 'port', 1234],
		['port', '1234', 'port', 1234],
		['port', 0, 'port', 0],
		['host', '::1', 'host', '::1'],
		['rate_limit', 5, 'rateLimit', 5],
		['max_body_bytes', 2_097_152, 'maxBodyBytes', 2_097_152],
		['secret', 'x', 'secrets', ['x']],
		['secret', ['x', 'y'], 'secrets', ['x', 'y']],
		['secret', '', 'secrets', []],
		['enabled', 'yes', 'enabled', true],
	] as const)('%s: %j', (...[key, written, name, expected]) => {
		expect(settings({[key]: written})[name]).toEqual(expected);
	});

	test.each([
		['port', 65_536, 'port', 8644],
		['port', 1.5, 'port', 8644],
		['rate_limit', 0, 'rateLimit', 30],
		['rate_limit', -5, 'rateLimit', 30],
		['max_body_bytes', 'big', 'maxBodyBytes', 1_048_576],
	] as const)('%s: %j is the default, with a warning', (...[key, written, name, expected]) => {
		const {webhook, problems} = read({[key]: written});
		expect([webhook[name], problems]).toEqual([expected, [expect.stringMatching(/^warning: platforms\.webhook\./u)]]);
	});

	test.each([
		['port', 1, 2, 'port', 2],
		['host', 'a', 'b', 'host', 'b'],
		['rate_limit', 1, 2, 'rateLimit', 2],
		['max_body_bytes', 1, 2, 'maxBodyBytes', 2],
		['secret', 'a', 'b', 'secrets', ['b']],
	] as const)('%s under extra wins', (...[key, direct, extra, name, expected]) => {
		expect(settings({[key]: direct, extra: {[key]: extra}})[name]).toEqual(expected);
	});

	test('routes under extra win as a whole, and a warning says so', () => {
		const {webhook, problems} = read({secret: 's', routes: {a: {}}, extra: {routes: {b: {}}}});
		expect([webhook.routes.map(one => one.name), problems]).toEqual([
			['b'],
			[
				'warning: platforms.webhook.routes: The key is set here and under `extra`; the one under `extra` is used. Remove this one',
			],
		]);
	});

	test('an empty secret under extra is a missing one', () => {
		expect(settings({secret: 'direct', extra: {secret: ''}}).secrets).toEqual(['direct']);
	});

	test.each([5, [], 'x'])('platforms.webhook: %j is an error and leaves the defaults', written => {
		const {webhook, problems} = read(written);
		expect([webhook.port, problems.length, problems[0]?.slice(0, 6)]).toEqual([8644, 1, 'error:']);
	});
});

describe('the environment', () => {
	test.each([
		[{enabled: false}, 'true', true],
		[{enabled: true}, '0', false],
		[{enabled: true}, 'off', false],
		[{}, 'YES', true],
	])('WEBHOOK_ENABLED beats the file: %j and %s', (webhook, value, expected) => {
		expect(settings(webhook, {WEBHOOK_ENABLED: value}).enabled).toBe(expected);
	});

	test('WEBHOOK_PORT beats the file', () => {
		expect(settings({port: 1, extra: {port: 2}}, {WEBHOOK_PORT: '3'}).port).toBe(3);
	});

	test.each([
		['WEBHOOK_ENABLED', 'perhaps'],
		['WEBHOOK_PORT', '99999'],
		['WEBHOOK_PORT', 'x'],
	])('%s=%s is ignored, with a warning', (name, value) => {
		const {webhook, problems} = read({enabled: true, port: 5}, {[name]: value});
		expect([webhook.enabled, webhook.port, problems]).toEqual([
			true,
			5,
			[expect.stringContaining(`The variable ${name}`)],
		]);
	});

	test('WEBHOOK_SECRET fills a missing global secret, as a reference', () => {
		expect(settings({}, {WEBHOOK_SECRET: 'from-env'}).secrets).toEqual(['${WEBHOOK_SECRET}']);
	});

	test.each([{secret: 'own'}, {extra: {secret: 'own'}}])('WEBHOOK_SECRET does not replace %j', webhook => {
		expect(settings(webhook, {WEBHOOK_SECRET: 'from-env'}).secrets).toEqual(['own']);
	});
});

describe('a route', () => {
	test('defaults', () => {
		expect(route({}).route).toEqual({
			name: 'one',
			place: {file: 'config.yaml', line: 1, column: 54, keyPath: 'platforms.webhook.routes.one'},
			events: [],
			secrets: ['global'],
			filters: [],
			skills: [],
			deliver: to('log'),
			action: 'agent',
			enabled: true,
		});
	});

	test.each([
		[{events: ['push', 'pull_request']}, {events: ['push', 'pull_request']}],
		[{events: 'push'}, {events: ['push']}],
		[{secret: 'own'}, {secrets: ['own']}],
		[{secret: ['a', '', 'b']}, {secrets: ['a', 'b']}],
		[{secret: '${HOOK}'}, {secrets: ['${HOOK}']}],
		[{secret: ''}, {secrets: []}],
		[{secret: []}, {secrets: []}],
		[{secret: null}, {secrets: ['global']}],
		[{profile: 'work'}, {profile: 'work'}],
		[{prompt: 'see {a}'}, {prompt: 'see {a}'}],
		[{prompt: ''}, {prompt: ''}],
		[{enabled: 'off'}, {enabled: false}],
		[
			{deliver_only: 'yes', deliver: 'telegram'},
			{action: 'deliver-only', deliver: to('telegram')},
		],
		[{deliver_extra: {a: null, b: {c: [1]}}}, {deliver: to('log', {a: null, b: {c: [1]}})}],
		[{filters: {field: 'a', equals: 1}}, {filters: [{kind: 'equals', field: 'a', value: 1}]}],
		[
			{skills: ['x'], toolsets: []},
			{skills: ['x'], toolsets: []},
		],
		[{description: 'what for'}, {name: 'one'}],
	])('%j', (entry, expected) => {
		expect(route(entry).route).toMatchObject(expected);
	});

	test('a malformed filter stays, with a warning', () => {
		const {route: read, problems} = route({filters: [{field: 'a'}]});
		expect([read?.filters, problems]).toEqual([
			[{kind: 'malformed'}],
			[expect.stringContaining('A filter cannot be read and matches no event')],
		]);
	});

	test('an unknown key is a warning with a suggestion', () => {
		expect(route({promt: 'x'}).problems).toEqual([
			'warning: platforms.webhook.routes.one.promt: "promt" is not a known key; did you mean "prompt"?',
		]);
	});

	test.each([
		{events: {a: 1}},
		{secret: 5},
		{prompt: ['a']},
		{deliver_extra: []},
		{deliver: 5},
		{deliver: [5]},
		{on_failure: 'slack'},
	])('%j: the route is not served and the problem is its own', entry => {
		const {route: read, broken} = route(entry);
		expect([read, broken?.name, broken?.problem.code, broken?.problem.scope]).toEqual([
			undefined,
			'one',
			'config_invalid',
			{kind: 'route', name: 'one'},
		]);
	});

	test('an unknown delivery target is named with the known ones, and the route is not served', () => {
		const {route: read, broken} = route({deliver: 'telegramm'});
		expect([read, broken?.problem.code, broken?.problem.message]).toEqual([
			undefined,
			'unknown_target',
			'"telegramm" is not a known delivery target; did you mean "telegram"? Allowed: log, github_comment, telegram, discord, slack, signal, sms, whatsapp, matrix, mattermost, homeassistant, email, dingtalk, feishu, wecom, weixin, bluebubbles, qqbot, teams, google_chat, ntfy, pagerduty, url',
		]);
	});

	test('a scheduled job is read', () => {
		expect(route({cron_job: 'nightly'}).route).toMatchObject({cronJob: 'nightly'});
	});

	test.each([
		['strype', ''],
		[{header: 'x', algorithm: 'md5'}, '.algorithm'],
		[{prefix: 'v1='}, ''],
		[7, ''],
	])('the signature %j is refused by its key, and the route is not served', (signature, key) => {
		const {route: read, broken} = route({signature});
		expect([read, broken?.problem.code, broken?.problem.place?.keyPath]).toEqual([
			undefined,
			'config_invalid',
			`platforms.webhook.routes.one.signature${key}`,
		]);
	});

	test.each([
		['stripe', 'stripe-signature'],
		[{header: 'X-Sum', encoding: 'base64'}, 'x-sum'],
	])('the signature %j is read', (signature, header) => {
		expect(route({signature}).route?.signature?.header).toBe(header);
	});

	test('script and coalesce are read, with defaults', () => {
		expect(route({script: 'a.py', coalesce: {key: 'id'}}).route).toMatchObject({
			script: 'a.py',
			coalesce: {key: 'id', windowSeconds: 30, maxWaitSeconds: 300},
		});
	});

	test.each([0, -1, '0', 'soon'])('a wait of %j for coalescing is replaced by the default, with a warning', value => {
		const {route: read, problems} = route({
			coalesce: {key: 'id', window_seconds: value, max_wait_seconds: value},
		});
		expect(read?.coalesce).toEqual({key: 'id', windowSeconds: 30, maxWaitSeconds: 300});
		expect(problems).toEqual([
			expect.stringMatching(/^warning: .*window_seconds.*Allowed: a number of seconds, more than 0\. Using 30/u),
			expect.stringMatching(/^warning: .*max_wait_seconds.*Allowed: a number of seconds, more than 0\. Using 300/u),
		]);
	});

	test.each([
		[3, 3],
		['2', 2],
		[undefined, undefined],
	])('max_runs %j is a limit of %j', (value, limit) => {
		expect(route({max_runs: value}).route?.maxRuns).toBe(limit);
	});

	test.each([0, 1.5, 'many'])('max_runs %j is ignored with a warning', value => {
		const {route: read, problems} = route({max_runs: value});
		expect(read?.maxRuns).toBeUndefined();
		expect(problems).toEqual([
			expect.stringMatching(/^warning: .*max_runs.*Allowed: a whole number, 1 or more\. The key is ignored/u),
		]);
	});

	test('a bad route stops no other', () => {
		const {webhook} = read({secret: 's', routes: {bad: 5, good: {}, '': {}}});
		expect([webhook.routes.map(one => one.name), webhook.brokenRoutes.map(one => one.name)]).toEqual([
			['good'],
			['bad', ''],
		]);
	});
});

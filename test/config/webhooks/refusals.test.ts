import {describe, expect, test} from 'vitest';
import {readConfigText} from '../../../source/config/read/load-config.ts';
import {webhookRefusals, isLoopbackHost} from '../../../source/config/webhooks/refusals.ts';

const set: Readonly<Record<string, string>> = {SET: 'a-secret', OPEN: 'INSECURE_NO_AUTH'};
const expand = (text: string) => text.replaceAll(/\$\{(\w+)\}/gu, (reference, name: string) => set[name] ?? reference);

function refusals(webhook: Record<string, unknown>) {
	const text = JSON.stringify({platforms: {webhook: {enabled: true, ...webhook}}}, null, 1);
	return webhookRefusals(readConfigText('config.yaml', text, () => undefined).config.webhook, expand);
}

function codes(route: unknown, webhook: Record<string, unknown> = {}): string[] {
	return refusals({...webhook, routes: {one: route}}).map(problem => problem.code);
}

describe('a route without a secret', () => {
	test.each([
		[{}, {}],
		[{secret: ''}, {secret: 'global'}],
		[{secret: []}, {secret: 'global'}],
		[{secret: ['', ' ']}, {secret: 'global'}],
		[{secret: '${UNSET}'}, {}],
		[{}, {secret: '${UNSET}'}],
		[{enabled: false}, {}],
		[{script: 'a.py'}, {}],
	])('%j with the platform %j is refused', (route, webhook) => {
		expect(codes(route, webhook)).toEqual(['route_without_secret']);
	});

	test.each([
		[{secret: 'own'}, {}],
		[{}, {secret: 'global'}],
		[{secret: '${SET}'}, {}],
		[{secret: ['${UNSET}', 'own']}, {}],
	])('%j with the platform %j is not', (route, webhook) => {
		expect(codes(route, webhook)).toEqual([]);
	});
});

describe('a route for tokens', () => {
	const pubsub = {audience: 'https://hooks.example/r', email: 'a@example.com'};
	const own = {issuer: 'https://id.example', audience: 'a', jwks: 'https://id.example/jwks'};
	test.each([
		['pubsub', undefined, 'not a mapping'],
		['pubsub', 'a text', 'not a mapping'],
		['pubsub', 'INSECURE_NO_AUTH', 'not a mapping'],
		['pubsub', [], 'not a mapping'],
		['pubsub', {audience: 'a'}, '`email`'],
		['pubsub', {email: 'a@example.com'}, '`audience`'],
		['pubsub', {...pubsub, audience: '${UNSET}'}, '`audience`'],
		['pubsub', [pubsub, {audience: 'a'}], '`email`'],
		['pubsub', {...pubsub, jwks: 'http://id.example/jwks'}, 'not an https address'],
		['jwt', {...own, issuer: ''}, '`issuer`'],
		['jwt', {...own, jwks: undefined}, '`jwks`'],
		['jwt', {...own, jwks: 'nowhere'}, 'not an https address'],
	])('%s with the secret %j is refused, even with a global secret', (name, secret, fault) => {
		const signature = name === 'jwt' ? {algorithm: 'jwt', header: 'Authorization'} : name;
		const found = refusals({secret: 'global', routes: {one: {signature, secret}}});
		expect(found.map(({code, message}) => [code, message.includes(fault)])).toEqual([['route_without_secret', true]]);
	});

	test.each([
		['pubsub', pubsub],
		['pubsub', [pubsub, {...pubsub, email: '${SET}'}]],
		[{algorithm: 'jwt', header: 'Authorization'}, own],
	])('%j with the secret %j is not', (signature, secret) => {
		expect(codes({signature, secret})).toEqual([]);
	});
});

describe('a route for SNS', () => {
	const topic = {topic_arn: 'arn:aws:sns:us-east-1:123456789012:alarms'};
	test.each([
		[undefined, 'not a mapping'],
		['a text', 'not a mapping'],
		['INSECURE_NO_AUTH', 'not a mapping'],
		[[], 'not a mapping'],
		[{}, 'not a mapping'],
		[{topic_arn: ''}, '`topic_arn`'],
		[{topic_arn: '${UNSET}'}, '`topic_arn`'],
		[[topic, {topic_arn: ' '}], '`topic_arn`'],
	])('with the secret %j is refused, even with a global secret', (secret, fault) => {
		const found = refusals({secret: 'global', routes: {one: {signature: 'sns', secret}}});
		expect(found.map(({code, message}) => [code, message.includes(fault)])).toEqual([['route_without_secret', true]]);
	});

	test.each([[topic], [[topic, {topic_arn: '${SET}'}]]])('with the secret %j is not', secret => {
		expect(codes({signature: 'sns', secret})).toEqual([]);
	});
});

describe('the address that a sender signs', () => {
	const signature = (url: string) => ({secret: 'own', signature: {preset: 'square', url}});

	test('may be a reference to a variable', () => {
		expect(codes(signature('https://${SET}/webhooks/one'))).toEqual([]);
	});

	test('with a variable that is not set is refused, with the line to add', () => {
		const [problem] = refusals({routes: {one: signature('${UNSET}/webhooks/one')}});
		expect(problem).toMatchObject({
			code: 'route_without_address',
			message: expect.stringContaining('The variable UNSET of `url`'),
			remedy: expect.stringContaining('`UNSET=…`'),
		});
	});
});

describe('a challenge that needs a token', () => {
	const challenge = {method: 'GET', parameter: 'hub.challenge', token_parameter: 'hub.verify_token'};
	test.each([undefined, '', ' ', '${UNSET}'])('with %j for one is refused', token => {
		expect(codes({secret: 'own', challenge: {...challenge, token}})).toEqual(['route_without_secret']);
	});

	test.each(['own', '${SET}'])('with %j for one is not', token => {
		expect(codes({secret: 'own', challenge: {...challenge, token}})).toEqual([]);
	});

	test('names the variable that is not set', () => {
		const [problem] = refusals({routes: {one: {secret: 'own', challenge: {...challenge, token: '${UNSET}'}}}});
		expect(problem?.message).toBe('route one: The token of its challenge is not set');
		expect(problem?.remedy).toBe('Add the line `UNSET=…` to .env, then run `sluice reload`');
	});
});

describe('INSECURE_NO_AUTH', () => {
	test.each(['0.0.0.0', '192.168.1.5', '::', 'example.org', '127.0.0.1.example.org', '127.0.0.2'])(
		'is refused on host %s',
		host => {
			expect(codes({secret: 'INSECURE_NO_AUTH'}, {host})).toEqual(['insecure_public_bind']);
		},
	);

	test.each(['127.0.0.1', 'localhost', 'LOCALHOST', '::1'])('is accepted on host %s', host => {
		expect(codes({secret: 'INSECURE_NO_AUTH'}, {host})).toEqual([]);
	});

	test.each([
		[{secret: '${OPEN}'}, {}],
		[{secret: ['real', 'INSECURE_NO_AUTH']}, {}],
		[{}, {secret: 'INSECURE_NO_AUTH'}],
	])('is found in %j with the platform %j', (route, webhook) => {
		expect(codes(route, {...webhook, host: '0.0.0.0'})).toEqual(['insecure_public_bind']);
	});
});

describe('combinations', () => {
	test.each([
		[{deliver_only: true}, ['deliver_only_without_target']],
		[{deliver_only: true, deliver: 'log'}, ['deliver_only_without_target']],
		[{deliver_only: true, deliver: 'telegram'}, []],
		[{deliver_only: true, deliver: 'telegram', cron_job: 'a'}, ['deliver_only_with_cron']],
		[{deliver_only: true, deliver: ['telegram', 'slack']}, []],
		[{deliver_only: true, deliver: ['telegram', 'log']}, ['deliver_only_without_target']],
		[{deliver: ['telegram', 'log']}, []],
		[{deliver: []}, ['deliver_list_invalid']],
		[{deliver_only: true, deliver: []}, ['deliver_list_invalid']],
		[{deliver: ['slack', 'telegram', 'slack']}, ['deliver_list_invalid']],
		[{deliver: ['slack', {target: 'slack'}]}, ['deliver_list_invalid']],
		[
			{
				deliver: [
					{target: 'slack', extra: {a: 1, b: 2}},
					{target: 'slack', extra: {b: 2, a: 1}},
				],
			},
			['deliver_list_invalid'],
		],
		[{deliver: ['slack', {target: 'slack', extra: {chat_id: 'C1'}}]}, []],
		[{deliver: ['slack', {target: 'slack', extra: {}}], deliver_extra: {chat_id: 'C1'}}, []],
		[{on_failure: {deliver: []}}, ['deliver_list_invalid']],
		[{on_failure: {deliver: ['slack', 'slack']}}, ['deliver_list_invalid']],
		[{on_failure: {deliver: ['slack', 'log']}, deliver_only: true, deliver: 'telegram'}, []],
		[{cron_job: 'a'}, []],
		[{coalesce: {key: 'a'}}, []],
		[{coalesce: {key: 'a'}, cron_job: 'a'}, ['coalesce_conflict']],
		[{coalesce: {key: 'a'}, deliver_only: true, deliver: 'slack'}, ['coalesce_conflict']],
		[{respond: {}}, []],
		[{respond: {}, deliver_only: true, deliver: 'slack'}, []],
		[{respond: {}, cron_job: 'a'}, ['respond_conflict']],
		[{respond: {}, coalesce: {key: 'a'}}, ['respond_conflict']],
		[
			{coalesce: {key: 'a'}, cron_job: 'a', deliver_only: true},
			['deliver_only_without_target', 'deliver_only_with_cron', 'coalesce_conflict'],
		],
	])('%j', (route, expected) => {
		expect(codes({secret: 's', ...route})).toEqual(expected);
	});
});

test('all refusals are reported together, in the order of the file, each with its place', () => {
	const found = refusals({routes: {a: {script: 'x'}, b: {secret: 's', deliver_only: true}}});
	expect(found.map(problem => [problem.scope, problem.code, problem.place?.keyPath])).toEqual([
		[{kind: 'route', name: 'a'}, 'route_without_secret', 'platforms.webhook.routes.a'],
		[{kind: 'route', name: 'b'}, 'deliver_only_without_target', 'platforms.webhook.routes.b'],
	]);
});

test('an adapter that is off refuses nothing', () => {
	expect(codes({}, {enabled: false})).toEqual([]);
});

test('a message says what was found and what is allowed', () => {
	expect(refusals({routes: {a: {secret: '${UNSET}'}}}).map(problem => problem.message)).toEqual([
		'route a: The variable UNSET of its secret is not set',
	]);
});

test('an address that only begins like loopback is none', () => {
	expect(isLoopbackHost('localhost.example.org')).toBe(false);
});

import {describe, expect, test} from 'vitest';
import {readConfigText} from '../../../source/config/read/load-config.ts';

function route(entry: object) {
	const text = JSON.stringify({platforms: {webhook: {secret: 'global', routes: {one: entry}}}});
	const {config} = readConfigText('config.yaml', text, () => undefined);
	return {
		rules: config.webhook.routes[0],
		problems: config.problems.map(({place, message}) => `${place?.keyPath}: ${message}`),
	};
}

describe('the rules of a route', () => {
	test('are those of its preset', () => {
		expect(route({signature: 'slack'}).rules).toMatchObject({
			deliveryId: {from: 'field', name: 'event_id'},
			eventType: {from: 'field', name: 'event.type'},
			challenge: {kind: 'field', field: 'challenge'},
			retrySeconds: 86_400,
		});
	});

	test('of its own replace those of its preset one by one', () => {
		const {rules, problems} = route({
			signature: {preset: 'slack', tolerance: 10},
			delivery_id: {header: 'X-Own-Id'},
			event_type: 'none',
			challenge: {field: 'proof'},
		});
		expect(problems).toEqual([]);
		expect(rules).toMatchObject({
			deliveryId: {from: 'header', name: 'x-own-id'},
			eventType: {from: 'none'},
			challenge: {kind: 'field', field: 'proof', answer: 'text'},
			retrySeconds: 86_400,
		});
	});

	test('without a preset are its own alone', () => {
		const challenge = {
			method: 'POST',
			parameter: 'validationToken',
			token: '${T}',
			token_parameter: 'key',
			answer: 'json',
		};
		expect(route({delivery_id: {field: 'a.b'}, challenge}).rules).toMatchObject({
			deliveryId: {from: 'field', name: 'a.b'},
			eventType: undefined,
			challenge: {
				kind: 'parameter',
				method: 'POST',
				parameter: 'validationToken',
				tokenParameter: 'key',
				token: '${T}',
				answer: 'json',
			},
		});
	});

	test('without a token name no parameter for it', () => {
		const {rules} = route({challenge: {parameter: 'challenge'}});
		expect(rules?.challenge).toMatchObject({method: 'GET', tokenParameter: undefined, answer: 'text'});
	});
});

describe('a challenge that could verify nothing breaks its route', () => {
	test.each([
		[{}, 'nothing to send back'],
		[{token: 't'}, 'nothing to send back'],
		[{parameter: 'a', field: 'b'}, 'both `parameter` and `field`'],
		[{field: 'a', method: 'GET'}, 'read from a signed POST'],
		[{field: 'a', token: 't'}, 'read from a signed POST'],
	])('%j', (challenge, fault) => {
		const {rules, problems} = route({challenge});
		expect(rules).toBeUndefined();
		expect(problems).toEqual([expect.stringContaining(fault)]);
	});
});

test.each([
	[
		{signature: 'stripe', secret: {topic_arn: 'a'}},
		'A mapping with `topic_arn` is a secret for `signature: sns` alone',
	],
	[
		{signature: 'pubsub', secret: {topic_arn: 'a'}},
		'A mapping with `topic_arn` is a secret for `signature: sns` alone',
	],
	[{signature: 'sns', secret: {audience: 'a'}}, 'is a mapping with `topic_arn`'],
	[{signature: {field: 'a.b'}, secret: 'x'}, '`field` carries the secret itself'],
	[{signature: {preset: 'msgraph', header: 'X-Sum'}, secret: 'x'}, '`field` carries the secret itself'],
	[{signature: {preset: 'sns', algorithm: 'sha256'}, secret: 'x'}, 'The signature has no header'],
])('%j breaks its route', (written, fault) => {
	const {rules, problems} = route(written);
	expect(rules).toBeUndefined();
	expect(problems).toEqual([expect.stringContaining(fault)]);
});

test('a mapping as the secret of a route that takes no tokens breaks it', () => {
	const {rules, problems} = route({secret: {audience: 'a'}, signature: 'stripe'});
	expect(rules).toBeUndefined();
	expect(problems).toEqual([expect.stringContaining('A mapping is a secret for `algorithm: jwt` alone')]);
});

test.each([
	['delivery_id', 5, 'none, or a mapping with `header` or `field`'],
	['event_type', {header: ''}, 'none, or a mapping with `header` or `field`'],
	['challenge', 'yes', 'a mapping with method, parameter, field, token, token_parameter, answer'],
])('%s: %j is refused with the allowed forms', (key, value, allowed) => {
	const {problems} = route({[key]: value});
	expect(problems).toEqual([expect.stringContaining(allowed)]);
});

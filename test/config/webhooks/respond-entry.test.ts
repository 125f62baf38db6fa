import {describe, expect, test} from 'vitest';
import {readConfigText} from '../../../source/config/read/load-config.ts';

function read(respond: unknown, route: object = {}) {
	const routes = {r: {secret: 's', respond, ...route}};
	const text = JSON.stringify({platforms: {webhook: {enabled: true, routes}}});
	const {config} = readConfigText('config.yaml', text, () => undefined);
	return {
		respond: config.webhook.routes[0]?.respond,
		broken: config.webhook.brokenRoutes.map(({problem}) => problem.message),
		warnings: config.problems.filter(({level}) => level === 'warning').map(({message}) => message),
	};
}

describe('the wait', () => {
	test.each([
		['no preset', {}, {}, 25],
		['no preset', {wait: 3}, {}, 3],
		['slack', {}, {signature: 'slack'}, 2.5],
		['slack', {wait: 1}, {signature: 'slack'}, 1],
		['slack, with changes', {wait: 25}, {signature: {preset: 'slack', tolerance: 60}}, 2.5],
		['twilio', {wait: 25}, {signature: 'twilio'}, 14.5],
		['linear, which takes no results', {}, {signature: 'linear'}, 4.5],
	])('of %s for %j ends before the provider gives up', (_who, respond, route, seconds) => {
		expect(read(respond, route).respond?.waitSeconds).toBe(seconds);
	});
});

test('the answer is plain text unless the route says so', () => {
	expect(read({}).respond).toEqual({waitSeconds: 25, contentType: 'text/plain'});
	expect(read({body: '{result}'}, {signature: 'slack'}).respond).toMatchObject({body: '{result}', preset: 'slack'});
	expect(read(undefined).respond).toBeUndefined();
});

describe('a route is refused', () => {
	test.each<[respond: object, reason: string]>([
		[{wait: 26}, 'from 0 to 25'],
		[{wait: -1}, 'from 0 to 25'],
		[{wait: '5 minutes'}, 'from 0 to 25'],
		[{content_type: 'text/html'}, 'Allowed: application/json, text/plain, application/xml, text/xml'],
		[{content_type: 'application/javascript'}, 'Allowed: application/json'],
		[{body: 'Hello {result'}, '{result has no closing brace'],
		...[
			'{"a":"{result}"',
			'{"a":1{n}}',
			'{"a":-{n}}',
			'{"a":"\\{result}"}',
			'{{result}:1}',
			'{"a":{result}{result}}',
			'',
		].map(
			body =>
				[{content_type: 'application/json', body}, 'cannot be parsed as application/json'] satisfies [object, string],
		),
		...[
			'{result}',
			'<a>{result}',
			'<a>{result}</b>',
			'<a/><b/>',
			'<a>{result}</a>text',
			'<{result}/>',
			'<a {result}="1"/>',
			'<a b={result}/>',
			'<a>&{result};</a>',
			'<a><![CDATA[{result}]]></a>',
			'<a><!-- {result} --></a>',
			'<!DOCTYPE a [<!ENTITY x "y">]><a>{result}</a>',
			'',
		].map(body => [{content_type: 'text/xml', body}, 'cannot be parsed as text/xml'] satisfies [object, string]),
	])('for %j', (respond, reason) => {
		const {broken} = read(respond);
		expect(broken).toEqual([expect.stringContaining(reason)]);
	});
});

describe('a template is accepted', () => {
	test.each([
		['text/plain', '{"json": {result}}'],
		['application/json', '{"type":4,"data":{"content":"{result} \\\\{n}"}}'],
		['application/json', '[{result},"{a.b} {c}"]'],
		['application/json', '{result}'],
		[
			'text/xml',
			'<?xml version="1.0" encoding="UTF-8"?>\n<Response><Say voice="{v}">{result} &amp; more</Say><!-- x --><Hangup/></Response>\n',
		],
		['application/xml', '<a:b c=\'1\' d = "2">{result}</a:b>'],
	])('as %s: %j', (content_type, body) => {
		expect(read({content_type, body})).toMatchObject({broken: [], respond: {body}});
	});
});

test('a content type that the provider does not understand is warned of', () => {
	expect(read({}, {signature: 'discord'}).warnings).toEqual([
		expect.stringContaining('The provider does not understand answers of text/plain. Allowed: application/json'),
	]);
	expect(read({content_type: 'application/json'}, {signature: 'discord'}).warnings).toEqual([]);
});

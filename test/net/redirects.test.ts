import {describe, expect, test} from 'vitest';
import {redirectStep} from '../../source/net/redirects.ts';

const from = new URL('https://host.example/mcp');

describe('a redirect within the origin is followed', () => {
	test.each([
		{method: 'POST', status: 307, keepsBody: true},
		{method: 'POST', status: 308, keepsBody: true},
		{method: 'POST', status: 301, keepsBody: false},
		{method: 'POST', status: 302, keepsBody: false},
		{method: 'POST', status: 303, keepsBody: false},
		{method: 'GET', status: 302, keepsBody: true},
	])('$method $status, body kept: $keepsBody', ({method, status, keepsBody}) => {
		expect(redirectStep({from, method, status, location: '/new'})).toEqual({
			kind: 'follow',
			url: new URL('https://host.example/new'),
			keepsBody,
		});
	});
});

test.each([
	'https://other.example/mcp',
	'http://host.example/mcp',
	'https://host.example:8443/mcp',
	'//other.example/mcp',
	'javascript:alert(1)',
	'file:///etc/passwd',
	'unix:/run/socket',
	'https://',
])('a redirect to %s is refused', location => {
	expect(redirectStep({from, method: 'GET', status: 302, location}).kind).toBe('refuse');
});

test('a refusal does not repeat the query', () => {
	const step = redirectStep({from, method: 'GET', status: 302, location: 'https://other.example/a?token=abc'});
	expect(step).toMatchObject({reason: expect.not.stringContaining('abc')});
});

test('credentials in a redirect are dropped', () => {
	const step = redirectStep({from, method: 'GET', status: 302, location: 'https://me:pw@host.example/a'});
	expect(step).toMatchObject({kind: 'follow', url: new URL('https://host.example/a')});
});

test.each([
	{status: 200, location: '/new'},
	{status: 304, location: '/new'},
	{status: 302, location: null},
])('status $status with location $location is an answer', ({status, location}) => {
	expect(redirectStep({from, method: 'GET', status, location})).toEqual({kind: 'take'});
});

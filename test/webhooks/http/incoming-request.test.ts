import {expect, test} from 'vitest';
import {readRequestPath} from '../../../source/webhooks/http/incoming-request.ts';

test.each([
	{url: '/health', path: {kind: 'health'}},
	{url: '/health?x=1', path: {kind: 'health'}},
	{url: '/ready', path: {kind: 'ready'}},
	{url: '/ready?', path: {kind: 'ready'}},
	{url: '/ready/', path: {kind: 'other', name: '/ready/'}},
	{url: '/p/work/ready', path: {kind: 'other', name: '/p/work/ready'}},
	{url: '/health/', path: {kind: 'other', name: '/health/'}},
	{url: '/webhooks/r', path: {kind: 'route', name: 'r', profile: undefined}},
	{url: '/webhooks/r?token=x', path: {kind: 'route', name: 'r', profile: undefined}},
	{url: '/webhooks/a%2Fb', path: {kind: 'route', name: 'a/b', profile: undefined}},
	{url: '/webhooks/%zz', path: {kind: 'route', name: '%zz', profile: undefined}},
	{url: '/webhooks/r/', path: {kind: 'other', name: '/webhooks/r/'}},
	{url: '/p/work/webhooks/r', path: {kind: 'route', name: 'r', profile: 'work'}},
	{url: '/p/work/r', path: {kind: 'other', name: '/p/work/r'}},
	{url: 'http://evil/webhooks/r', path: {kind: 'other', name: 'http://evil/webhooks/r'}},
	{url: '*', path: {kind: 'other', name: '*'}},
	{url: '', path: {kind: 'other', name: ''}},
])('$url', ({url, path}) => {
	expect(readRequestPath(url)).toEqual(path);
});

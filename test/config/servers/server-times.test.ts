import {describe, expect, test} from 'vitest';
import {parse, server} from '../parsed-server.ts';

describe('keepalive_interval', () => {
	const url = 'http://127.0.0.1/mcp';
	test.each([
		[{}, undefined],
		[{keepalive_interval: null}, undefined],
		[{keepalive_interval: 30}, 30],
		[{keepalive_interval: 1}, 5],
		[{keepalive_interval: 0}, 5],
		[{command: undefined, url}, 180],
		[{command: undefined, url, transport: 'sse'}, 180],
		[{command: undefined, url, keepalive_interval: '20'}, 20],
		[{command: undefined, url, keepalive_interval: 4.9}, 5],
		[{command: undefined, url, keepalive_interval: 'often'}, 180],
	])('of %j means %j seconds', (entry, expected) => {
		expect(server(entry).keepaliveSeconds).toBe(expected);
	});
});

describe('recycling', () => {
	test.each([
		[{}, undefined, undefined],
		[{idle_timeout_seconds: 5}, 5, undefined],
		[{max_lifetime_seconds: '60'}, undefined, 60],
		[{idle_timeout_seconds: 0, max_lifetime_seconds: 0}, undefined, undefined],
		[{lifecycle: {idle_timeout_seconds: 5, max_lifetime_seconds: 6}}, 5, 6],
		[{lifecycle: {idle_timeout_seconds: 5}, idle_timeout_seconds: 7}, 7, undefined],
		[{lifecycle: {idle_timeout_seconds: 5}, idle_timeout_seconds: 0}, undefined, undefined],
		[{lifecycle: {}}, undefined, undefined],
		[{idle_timeout_seconds: 'soon'}, undefined, undefined],
	])('of %j: idle %j, age %j', (entry, idle, age) => {
		const {idleSeconds, lifetimeSeconds} = server(entry);
		expect([idleSeconds, lifetimeSeconds]).toEqual([idle, age]);
	});

	test.each(['idle_timeout_seconds', 'max_lifetime_seconds'])(
		'%s on a remote server has no effect, with a warning',
		key => {
			const {parsed, problems} = parse({url: 'http://h/', [key]: 5});
			const {idleSeconds, lifetimeSeconds} = parsed.kind === 'server' ? parsed.server : {};
			expect([idleSeconds, lifetimeSeconds, problems]).toEqual([
				undefined,
				undefined,
				[`warning: entry: ${key}: \`${key}\` has no effect on a remote server; it is for servers with \`command\``],
			]);
		},
	);
});

import {describe, expect, test} from 'vitest';
import {readToolChoice} from '../../source/commands/choose-tools.ts';
import {type CommandFlags} from '../../source/commands/command-context.ts';
import {newServer} from '../../source/commands/new-server.ts';

describe('a server as typed', () => {
	test.each<[string, readonly string[], CommandFlags, object]>([
		['a command', ['npx', '-y', 'x'], {}, {command: 'npx', args: ['-y', 'x'], trust: 'untrusted'}],
		[
			'a command with variables',
			['x'],
			{env: ['A=1', 'B=c=d']},
			{command: 'x', env: {A: '1', B: 'c=d'}, trust: 'untrusted'},
		],
		[
			'an address with headers',
			['https://h/mcp'],
			{header: ['Authorization: Bearer a:b', 'X:  y']},
			{url: 'https://h/mcp', headers: {Authorization: 'Bearer a:b', X: 'y'}, trust: 'untrusted'},
		],
		[
			'an SSE address',
			['http://h'],
			{transport: 'sse', trust: 'full'},
			{url: 'http://h', transport: 'sse', trust: 'full'},
		],
		['chosen tools', ['x'], {tools: 'a, b_*,'}, {command: 'x', trust: 'untrusted', tools: {include: ['a', 'b_*']}}],
	])('can be %s', (...[, words, flags, entry]) => {
		expect(newServer(['a', ...words], flags)).toEqual({name: 'a', entry});
	});

	test.each<[readonly string[], CommandFlags, string]>([
		[['garden'], {}, 'a name, and an address or a command'],
		[['my garden', 'x'], {}, 'letters, digits, dots'],
		[['a', 'https://h', 'more'], {}, 'Nothing belongs behind an address'],
		[['a', 'https://'], {}, 'cannot be read'],
		[['a', 'https://h'], {env: ['A=1']}, '--env belongs to a command'],
		[['a', 'https://h'], {transport: 'stdio'}, '--transport must be'],
		[['a', 'x'], {header: ['A: 1']}, 'belong to an address'],
		[['a', 'x'], {env: ['A']}, '--env must be NAME=VALUE'],
		[['a', 'https://h'], {header: ['A']}, "--header must be 'NAME: VALUE'"],
		[['a', 'x'], {trust: 'some'}, '--trust must be'],
	])('is refused: %j %j', (words, flags, why) => {
		expect(() => newServer(words, flags)).toThrow(
			expect.objectContaining({code: 'bad_usage', message: expect.stringContaining(why)}),
		);
	});
});

test.each<[string, 'all' | readonly string[] | undefined]>([
	['', 'all'],
	['all', 'all'],
	['none', []],
	['2', ['b']],
	['1-2 c', ['a', 'b', 'c']],
	['c,a', ['a', 'c']],
	['0', undefined],
	['4', undefined],
	['2-1', undefined],
	['1-9', undefined],
	['d', undefined],
	['1,', undefined],
])('the answer %j means %j of three tools', (answer, choice) => {
	expect(readToolChoice(answer, ['a', 'b', 'c'])).toEqual(choice);
});

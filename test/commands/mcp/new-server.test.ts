import {describe, expect, test} from 'vitest';
import {readToolChoice} from '../../../source/commands/mcp/try-server.ts';
import {type CommandFlags} from '../../../source/commands/cli/command.ts';
import {newServer} from '../../../source/commands/mcp/new-server.ts';

describe('a server as typed', () => {
	test.each<[string, {words: readonly string[]; flags: CommandFlags; entry: object}]>([
		[
			'a command',
			{words: ['npx', '-y', 'x'], flags: {}, entry: {command: 'npx', args: ['-y', 'x'], trust: 'untrusted'}},
		],
		[
			'a command whose path has blanks',
			{words: ['/opt/my app/run'], flags: {}, entry: {command: '/opt/my app/run', trust: 'untrusted'}},
		],
		[
			'a command with variables',
			{
				words: ['x'],
				flags: {env: ['A=1', 'B=c=d']},
				entry: {command: 'x', env: {A: '1', B: 'c=d'}, trust: 'untrusted'},
			},
		],
		[
			'a command that gets variables of Sluice',
			{
				words: ['npx', 'x'],
				flags: {passEnv: ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'HTTPS_PROXY']},
				entry: {command: 'npx', args: ['x'], pass_env: ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY'], trust: 'untrusted'},
			},
		],
		[
			'a command with a folder and a file of variables',
			{
				words: ['x'],
				flags: {cwd: '.', envFile: '../server.env'},
				entry: {command: 'x', cwd: '/work/here', env_file: '/work/server.env', trust: 'untrusted'},
			},
		],
		[
			'a command with paths that are expanded at its start',
			{
				words: ['x'],
				flags: {cwd: '~/notes', envFile: '${userHome}/server.env'},
				entry: {command: 'x', cwd: '~/notes', env_file: '${userHome}/server.env', trust: 'untrusted'},
			},
		],
		[
			'an address with headers',
			{
				words: ['https://h/mcp'],
				flags: {header: ['Authorization: Bearer a:b', 'X:  y']},
				entry: {url: 'https://h/mcp', headers: {Authorization: 'Bearer a:b', X: 'y'}, trust: 'untrusted'},
			},
		],
		[
			'an SSE address',
			{
				words: ['http://h'],
				flags: {transport: 'sse', trust: 'full'},
				entry: {url: 'http://h', transport: 'sse', trust: 'full'},
			},
		],
		[
			'an address with a login',
			{
				words: ['https://h/mcp'],
				flags: {auth: 'oauth', flow: 'device', scope: 'read write'},
				entry: {url: 'https://h/mcp', auth: 'oauth', oauth: {flow: 'device', scope: 'read write'}, trust: 'untrusted'},
			},
		],
		[
			'an address with a login as it comes',
			{
				words: ['https://h/mcp'],
				flags: {auth: 'oauth'},
				entry: {url: 'https://h/mcp', auth: 'oauth', trust: 'untrusted'},
			},
		],
		[
			'chosen tools',
			{
				words: ['x'],
				flags: {tools: 'a, b_*,'},
				entry: {command: 'x', trust: 'untrusted', tools: {include: ['a', 'b_*']}},
			},
		],
	])('can be %s', (_what, {words, flags, entry}) => {
		expect(newServer(['a', ...words], flags, '/work/here')).toEqual({name: 'a', entry});
	});

	test.each<[readonly string[], CommandFlags, string]>([
		[['garden'], {}, 'a name, and a URL or a command'],
		[['my garden', 'x'], {}, 'letters, digits, dots'],
		[['a', 'https://h', 'more'], {}, 'A URL takes no arguments'],
		[['a', 'https://h'], {cwd: '/'}, '--cwd and --env-file are for a command'],
		[['a', 'https://h'], {envFile: '/x'}, '--cwd and --env-file are for a command'],
		[['a', 'x'], {cwd: ''}, 'need a path'],
		[['a', 'https://'], {}, 'is not valid'],
		[['a', 'ftp://h/mcp'], {}, 'begins with http:// or https://'],
		[['a', 'FILE:///etc/passwd'], {}, 'begins with http:// or https://'],
		[['a', 'ws://h', '--x'], {}, 'begins with http:// or https://'],
		[['a', 'https://h'], {env: ['A=1']}, '--env and --pass-env are for a command'],
		[['a', 'https://h'], {transport: 'stdio'}, '--transport must be'],
		[['a', 'x'], {header: ['A: 1']}, 'are for a URL'],
		[['a', 'npx -y x'], {}, 'sluice mcp add NAME -- npx -y x'],
		[['a', 'x'], {env: ['A']}, '--env must be NAME=VALUE'],
		[['a', 'https://h'], {passEnv: ['A']}, '--pass-env are for a command'],
		[['a', 'x'], {passEnv: ['A=1']}, '--pass-env must be the NAME of a variable'],
		[['a', 'https://h'], {header: ['A']}, "--header must be 'NAME: VALUE'"],
		[['a', 'x'], {trust: 'some'}, '--trust must be'],
		[['a', 'x'], {auth: 'oauth'}, 'are for a URL'],
		[['a', 'https://h'], {auth: 'basic'}, '--auth must be oauth'],
		[['a', 'https://h'], {flow: 'device'}, 'need --auth oauth'],
		[['a', 'https://h'], {scope: 'read'}, 'need --auth oauth'],
		[['a', 'https://h'], {auth: 'oauth', flow: 'sms'}, '--flow must be'],
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

import {describe, expect, test} from 'vitest';
import {writtenRule} from '../../../source/commands/approvals/written-rule.ts';
import {type CommandFlags} from '../../../source/commands/cli/command.ts';

describe('a rule of a command line', () => {
	test.each<readonly [readonly string[], object | undefined]>([
		[['path=/etc'], {path: {equals: '/etc'}}],
		[['path^=/etc'], {path: {prefix: '/etc'}}],
		[['path*=*.key'], {path: {glob: '*.key'}}],
		[['url@=api.example.com'], {url: {host: ['api.example.com']}}],
		[['url@=a.example', 'url@=b.example'], {url: {host: ['a.example', 'b.example']}}],
		[['amount<=5'], {amount: {max: 5}}],
		[['amount>=-1.5'], {amount: {min: -1.5}}],
		[['amount>=1', 'amount<=5'], {amount: {min: 1, max: 5}}],
		[['options.limit=5'], {'options.limit': {equals: 5}}],
		[['force=true', 'mode="5"'], {force: {equals: true}, mode: {equals: '5'}}],
		[['mode=a', 'mode=2'], {mode: {in: ['a', 2]}}],
		[['text=a=b^=c'], {text: {equals: 'a=b^=c'}}],
		[['text='], {text: {equals: ''}}],
		[['text={"a": 1}'], {text: {equals: '{"a": 1}'}}],
		[[], undefined],
	])('with the conditions %j has %j', (conditions, expected) => {
		const rule = writtenRule(['files/write_file', ...conditions], {deny: true});
		expect(rule).toEqual({action: 'deny', server: 'files', tool: 'write_file', ...(expected && {arguments: expected})});
	});

	test.each<readonly [CommandFlags, object]>([
		[{deny: true}, {action: 'deny'}],
		[
			{ask: true, reason: 'look first'},
			{action: 'ask', reason: 'look first'},
		],
		[
			{allow: true, ignore: ['a', 'b.c']},
			{action: 'allow', ignore: ['a', 'b.c']},
		],
		[
			{ask: true, origin: 'person'},
			{action: 'ask', origin: {kind: 'person'}},
		],
		[
			{ask: true, origin: 'route:a:b'},
			{action: 'ask', origin: {kind: 'route', name: 'a:b'}},
		],
	])('with the flags %j has %j', (flags, expected) => {
		expect(writtenRule(['*/a/b'], flags)).toEqual({server: '*', tool: 'a/b', ...expected});
	});

	test.each<readonly [readonly string[], CommandFlags, string]>([
		[['files/a'], {}, 'one of --deny, --ask or --allow'],
		[['files/a'], {deny: true, allow: true}, 'one of --deny, --ask or --allow'],
		[[], {deny: true}, 'SERVER/TOOL'],
		[['write_file'], {deny: true}, '"write_file" is not a tool'],
		[['/a'], {deny: true}, 'SERVER/TOOL'],
		[['files/'], {deny: true}, 'SERVER/TOOL'],
		[['files/a', 'path'], {deny: true}, '"path" is not a condition'],
		[['files/a', '=x'], {deny: true}, '"=x" is not a condition'],
		[['files/a', '__proto__=x'], {allow: true}, 'is not a condition'],
		[
			['files/a', 'path^=/a', 'path^=/b'],
			{deny: true},
			'The argument "path" has an operator twice; only = and @= can be repeated',
		],
		[['files/a', 'id=9007199254740993'], {deny: true}, 'The number 9007199254740993 is too large or too exact'],
	])('%j with %j is refused', (words, flags, message) => {
		expect(() => writtenRule(words, flags)).toThrow(expect.objectContaining({code: 'bad_usage'}));
		expect(() => writtenRule(words, flags)).toThrow(message);
	});
});

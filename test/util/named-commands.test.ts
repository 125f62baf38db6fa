import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {shellWord, typedFlags, withFlags} from '../../source/util/named-commands.ts';

test.each([
	['run `sluice mcp login x`', {profile: 'work'}, 'run `sluice --profile work mcp login x`'],
	[
		'Run `sluice`, or `sluice doctor`',
		{profile: 'work'},
		'Run `sluice --profile work`, or `sluice --profile work doctor`',
	],
	['Start `sluice`', {home: '/a b', profile: 'work'}, "Start `sluice --home '/a b' --profile work`"],
	['Start `sluice`', {home: '/a$&b'}, "Start `sluice --home '/a$&b'`"],
	['run `sluice --profile other doctor`', {profile: 'work'}, 'run `sluice --profile other doctor`'],
	[
		'run `sluice --profile work mcp list`',
		{home: '/a b', profile: 'work'},
		"run `sluice --home '/a b' --profile work mcp list`",
	],
	["run `sluice --profile 'a b' mcp list`", {home: '/x'}, "run `sluice --home /x --profile 'a b' mcp list`"],
	['open `sluice --demo`', {profile: 'work'}, 'open `sluice --demo`'],
	['run `sluice mcp list`', {}, 'run `sluice mcp list`'],
	['run `sluice mcp list`', {profile: 'default'}, 'run `sluice mcp list`'],
	['the folder `sluices` and sluice itself', {profile: 'work'}, 'the folder `sluices` and sluice itself'],
])('the commands of %j with %j', (text, flags, expected) => {
	expect(withFlags(text, typedFlags(flags))).toBe(expected);
	expect(withFlags(expected, typedFlags(flags))).toBe(expected);
});

test.each(['plain', 'a b', "it's", '$HOME `x` "y"', '', '\\', '-x'])('a shell reads %j as one word', word => {
	expect(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`], {encoding: 'utf8'})).toBe(word);
});

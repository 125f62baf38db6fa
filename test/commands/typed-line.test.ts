import {describe, expect, test} from 'vitest';
import {typedLine} from '../../source/commands/typed-line.ts';

function read(...argv: readonly string[]) {
	const line = typedLine(argv);
	if (line.kind === 'not-understood') {
		throw new Error(line.message);
	}

	return line;
}

test('words are what is not a flag, in their order', () => {
	expect(read('mcp', '--json', 'list').words).toEqual(['mcp', 'list']);
});

test('what stands behind -- is words, whatever it looks like', () => {
	expect(read('mcp', 'add', 'x', '--', 'npx', '--deliver', '-y', '--json', '--').words).toEqual([
		'mcp',
		'add',
		'x',
		'npx',
		'--deliver',
		'-y',
		'--json',
		'--',
	]);
});

test('switches that are not typed stand as the table says', () => {
	expect(read().flags).toMatchObject({tui: true, readOnly: false, env: [], header: []});
	expect(read().flags).not.toHaveProperty('json');
});

describe('a flag', () => {
	test.each([
		[['--json'], {json: true}],
		[['--no-tui'], {tui: false}],
		[['--tui=false'], {tui: false}],
		[['--read-only'], {readOnly: true}],
		[['-h'], {help: true}],
		[['-hv'], {help: true, version: true}],
		[['--limit', '7'], {limit: 7}],
		[['--limit', '-7'], {limit: -7}],
		[['--home=--odd'], {home: '--odd'}],
		[['--message', ''], {message: ''}],
		[['--deliver', '--json'], {deliver: '', json: true}],
		[['--deliver', 'slack'], {deliver: 'slack'}],
		[['--deliver', '--', 'x'], {deliver: ''}],
		[['--deliver-chat-id', '-100'], {deliverChatId: '-100'}],
		[['--env', 'A=1', '--env', 'B=2=3'], {env: ['A=1', 'B=2=3']}],
	])('%j is %j', (argv, flags) => {
		expect(read(...argv).flags).toMatchObject(flags);
	});

	test.each([
		[['--home'], '--home needs a value'],
		[['--home', '--json'], '--home needs a value'],
		[['--home', 'a', '--home', 'b'], '--home can only be set once'],
	])('%j cannot be read: %s', (argv, message) => {
		expect(typedLine(argv)).toEqual({kind: 'not-understood', message});
	});

	test.each([
		[['--frobnicate'], ['frobnicate']],
		[['--dry-rn'], ['dryRn']],
		[['--no-home'], ['noHome']],
		[['-x'], ['x']],
	])('%j is unknown: %j', (argv, unknownFlags) => {
		expect(read(...argv).unknownFlags).toEqual(unknownFlags);
	});
});

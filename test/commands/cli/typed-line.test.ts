import {describe, expect, test} from 'vitest';
import {describeFlag, flagNames} from '../../../source/commands/cli/flag-table.ts';
import {typedLine} from '../../../source/commands/cli/typed-line.ts';

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

describe('a switch with a value', () => {
	const switches = flagNames().filter(name => describeFlag(name).type === 'boolean');
	const hyphenated = (name: string) => name.replaceAll(/[A-Z]/gu, letter => `-${letter.toLowerCase()}`);

	describe.each(switches)('%s', name => {
		test.each(['true', 'yes', 'on', '1', 'TRUE', 'Yes', 'oN'])('is on with =%s', value => {
			expect(read(`--${hyphenated(name)}=${value}`).flags).toMatchObject({[name]: true});
			expect(read(`--no-${hyphenated(name)}=${value}`).flags).toMatchObject({[name]: false});
		});

		test.each(['false', 'no', 'off', '0', 'FALSE', 'No', 'oFF'])('is off with =%s', value => {
			expect(read(`--${hyphenated(name)}=${value}`).flags).toMatchObject({[name]: false});
			expect(read(`--no-${hyphenated(name)}=${value}`).flags).toMatchObject({[name]: true});
		});

		test.each(['', 'maybe', 'nope', '2', '-1', 'null', 'y', 'n'])('is refused with =%s', value => {
			for (const typed of [`--${hyphenated(name)}`, `--no-${hyphenated(name)}`]) {
				expect(typedLine([`${typed}=${value}`])).toEqual({
					kind: 'not-understood',
					message: `${typed} is a switch: "${value}" is neither yes nor no (true|false|yes|no|on|off|1|0)`,
				});
			}
		});
	});

	test('takes no word behind it for its value', () => {
		expect(read('--json', 'no')).toMatchObject({words: ['no'], flags: {json: true}});
	});

	test('may be said twice, but not once on and once off', () => {
		expect(read('--yes', '--yes=on').flags).toMatchObject({yes: true});
		expect(read('--no-tui', '--tui=off').flags).toMatchObject({tui: false});
		for (const line of [
			['--yes', '--yes=no'],
			['--yes=no', '--yes'],
			['--no-yes', '--yes'],
		]) {
			expect(typedLine(line)).toEqual({kind: 'not-understood', message: expect.stringContaining('given twice')});
		}
	});

	test('shows nothing of its value that a terminal could obey', () => {
		const line = typedLine(['--yes=\u001B[2J']);
		expect(line).toEqual({kind: 'not-understood', message: expect.stringContaining('"␛[2J"')});
	});
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
		[['--port='], {port: Number.NaN}],
		[['--port', ' '], {port: Number.NaN}],
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

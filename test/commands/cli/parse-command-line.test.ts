import {fileURLToPath} from 'node:url';
import {assert, property, string} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {describeFlag, flagNames} from '../../../source/commands/cli/flag-table.ts';
import {parseCommandLine} from '../../../source/commands/cli/parse-command-line.ts';
import {emptyLine} from '../../../source/cli.ts';
import {Problem} from '../../../source/util/problem.ts';
import {readTree} from '../../helpers/architecture.ts';

function read(...argv: readonly string[]) {
	return parseCommandLine(argv);
}

/** The refusal of a command line. */
function refusal(argv: readonly string[]): string {
	try {
		parseCommandLine(argv);
	} catch (error) {
		return error instanceof Problem && error.code === 'bad_usage' ? error.message : String(error);
	}

	return 'not refused';
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

test('flags that are not typed have their default, or are missing', () => {
	expect(read('mcp').flags).toEqual(emptyLine.flags);
});

test('an empty command line is what the parser would make of it', () => {
	expect(read()).toEqual(emptyLine);
});

test('the parser is loaded on demand, and by the entry point alone', () => {
	const parser = 'commands/cli/parse-command-line.ts';
	const importers = readTree(fileURLToPath(new URL('../../../source', import.meta.url))).filter(file =>
		file.imports.includes(parser),
	);
	expect(importers.map(({path}) => path)).toEqual(['cli.ts']);
	expect(importers[0]?.lazyImports).toContain(parser);
});

test('words keep their form: numbers, true and false, empty ones', () => {
	expect(read('--json', 'false', '0x10', '-', '', '1e3').words).toEqual(['false', '0x10', '-', '', '1e3']);
});

test('the process goes by the whole command line', () => {
	const before = process.title;
	read('mcp', 'list', '--json');
	expect(process.title).toMatch(/^sluice mcp/u);
	process.title = before;
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
				expect(refusal([`${typed}=${value}`])).toBe(
					`${typed} cannot be "${value}". Allowed: true, false, yes, no, on, off, 1, 0`,
				);
			}
		});
	});

	test('takes no word behind it for its value', () => {
		expect(read('--json', 'no')).toMatchObject({words: ['no'], flags: {json: true}});
		expect(read('-h', 'true', '--json', 'false')).toMatchObject({
			words: ['true', 'false'],
			flags: {help: true, json: true},
		});
	});

	test('may be said twice, but not once on and once off', () => {
		expect(read('--yes', '--yes=on').flags).toMatchObject({yes: true});
		expect(read('--no-tui', '--tui=off').flags).toMatchObject({tui: false});
		for (const line of [
			['--yes', '--yes=no'],
			['--yes=no', '--yes'],
			['--no-yes', '--yes'],
		]) {
			expect(refusal(line)).toContain('exclude each other');
		}
	});

	test('shows nothing of its value that a terminal could obey', () => {
		expect(refusal(['--yes=\u001B[2J'])).toContain('"␛[2J"');
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
		[['-n', '20', '-f'], {lines: 20, follow: true}],
		[['-fn20'], {lines: 20, follow: true}],
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
		[['--env=', '--env', '-x'], {env: ['', '-x']}],
		[['--message', '-x'], {message: '-x'}],
		[['--message=a\nb=c'], {message: 'a\nb=c'}],
		[['--payload', '"a JSON text"'], {payload: '"a JSON text"'}],
		[["--payload='single'"], {payload: "'single'"}],
		[['--args', '{"a.b": 1}'], {args: '{"a.b": 1}'}],
		[['--base-url', 'http://x/?a=b'], {baseUrl: 'http://x/?a=b'}],
		[['--model', '12'], {model: '12'}],
		[['--limit', '0x10'], {limit: 16}],
		[['--limit', 'many'], {limit: Number.NaN}],
	])('%j is %j', (argv, flags) => {
		expect(read(...argv).flags).toMatchObject(flags);
	});

	test('gets any text as it was typed', () => {
		assert(
			property(string({unit: 'binary'}), string(), (joined, next) => {
				const {flags} = read(`--message=${joined}`, '--env', `x${next}`, `--env=${joined}`);
				expect(flags).toMatchObject({message: joined, env: [`x${next}`, joined]});
			}),
		);
	});

	test.each([
		[['--home'], '--home needs a value'],
		[['--home', '--json'], '--home needs a value'],
		[['--home', 'a', '--home', 'b'], '--home can only be given once'],
		[['--base-url', '', '--base-url='], '--base-url can only be given once'],
	])('%j cannot be read: %s', (argv, message) => {
		expect(refusal(argv)).toBe(message);
	});

	test.each([
		[['--frobnicate'], ['frobnicate']],
		[['--dry-rn'], ['dryRn']],
		[['--no-home'], ['noHome']],
		[['-x'], ['x']],
		[['-xh7'], ['x', '7']],
		[
			['--frob', 'list', '--some.thing=1'],
			['frob', 'some.thing'],
		],
		[['--dryRun'], ['dryRun']],
		[['--__proto__=1'], ['__proto__']],
	])('%j is unknown: %j', (argv, unknownFlags) => {
		expect(read(...argv).unknownFlags).toEqual(unknownFlags);
	});
});

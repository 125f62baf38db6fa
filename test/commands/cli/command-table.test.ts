import {describe, expect, test} from 'vitest';
import {namesOf} from '../../../source/commands/cli/command.ts';
import {commands, matchCommand} from '../../../source/commands/cli/command-table.ts';
import {flagNames, globalFlags, typedFlag} from '../../../source/commands/cli/flag-table.ts';
import {helpText, nounOf, usedNouns} from '../../../source/commands/cli/help-text.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {sluice, stateDirectory} from '../../helpers/sluice.ts';

const named = commands.map(command => ({name: command.words.join(' ') || 'sluice', command}));

describe('every command', () => {
	test.each(named)('$name has a help with its usage, its flags and an example', ({command}) => {
		const help = helpText(command.words);
		expect(help).toContain(command.usage);
		expect(command.examples.length).toBeGreaterThan(0);
		if (command.words.length > 0) {
			for (const text of [...command.flags.map(typedFlag), ...command.examples]) {
				expect(help).toContain(text);
			}
		}
	});

	test.each(named)('$name is found by its words, and shows flags of its own in its examples', ({command}) => {
		for (const name of namesOf(command)) {
			expect(matchCommand(name)).toEqual({command, rest: []});
		}

		const known = [...command.flags, ...globalFlags].map(typedFlag);
		for (const example of command.examples.flatMap(line => line.split(/ -- | \| /u)[0] ?? [])) {
			expect(known).toEqual(expect.arrayContaining([...example.matchAll(/(?<= )--[a-z-]+/gu)].map(match => match[0])));
		}
	});

	test.each(named)('$name names in its usage what its flags are', ({command: {usage, flags}}) => {
		const missing = flags.map(typedFlag).filter(flag => !usage.includes(flag));
		expect(
			usage.includes('[flags]') ||
				usage === 'sluice [--demo] [--new-journal]' ||
				missing.every(flag => ['--demo', '--json'].includes(flag)),
		).toBe(true);
	});
});

test('no two commands have one name', () => {
	const names = commands.flatMap(namesOf).map(name => name.join(' '));
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each([
	['run --log json', 'gateway run'],
	['setup --yes', 'gateway setup'],
	['approve 9db7', 'approvals allow'],
	['deny 9db7', 'approvals deny'],
	['approvals rules', 'rules list'],
	['approvals rules list', 'rules list'],
	['approvals rules revoke 9db7', 'rules remove'],
	['approvals rules remove 9db7', 'rules remove'],
	['approvals rules test', 'rules test'],
	['approvals rules rehearse', 'rules rehearse'],
	['rules revoke 9db7', 'rules remove'],
	['webhook add alerts', 'webhook subscribe'],
	['cron add report', 'cron create'],
	['logins', 'logins list'],
	['logins add tracker', 'mcp login'],
	['logins remove tracker', 'mcp logout'],
])('`sluice %s` is `sluice %s`', (typed, own) => {
	expect(matchCommand(typed.split(' ').filter(word => !word.startsWith('--'))).command.words.join(' ')).toBe(own);
});

describe('the main help', () => {
	const rows = (/\nCommands\n(.*?)\n\n/su.exec(helpText([]))?.[1] ?? '')
		.split('\n')
		.filter(line => /^ {2}sluice/u.test(line));

	test('shows the commands of every day, at most 25', () => {
		expect(rows.length).toBe(commands.filter(({help}) => help === 'main').length);
		expect(rows.length).toBeGreaterThan(15);
		expect(rows.length).toBeLessThanOrEqual(25);
	});

	test.each([
		'sluice run',
		'sluice setup',
		'sluice mcp login NAME',
		'sluice mcp reauth NAME | --all',
		'sluice webhook subscribe NAME',
		'sluice webhook list',
		'sluice webhook remove NAME',
		'sluice webhook test NAME',
	])('has `%s`, a command that the specifications name', usage => {
		expect(rows.map(row => row.trim().split('   ')[0])).toContain(usage);
	});

	test('names the nouns, whose helps have all other commands under all their names', () => {
		const nouns = usedNouns();
		expect(new Set(commands.map(nounOf))).toEqual(new Set(nouns));
		nouns.forEach(noun => expect(helpText([])).toContain(`\n  ${noun} `));
		const all = nouns.map(noun => helpText([noun])).join('');
		const missing = commands.flatMap(namesOf).filter(name => !all.includes(['sluice', ...name].join(' ')));
		expect(missing).toEqual([]);
	});
});

test('the help of a short form has its usage, and names the other forms', () => {
	expect(helpText(['approve'])).toContain('  sluice approve ID [--scope');
	expect(helpText(['approve'])).toContain('The same: sluice approvals allow\n');
});

test('every flag belongs to a command or to all of them', () => {
	const used = new Set([...globalFlags, ...commands.flatMap(command => command.flags)]);
	expect(flagNames().filter(name => !used.has(name))).toEqual([]);
});

test.each([
	[['mcp', 'lst'], 'Unknown command "mcp lst"; did you mean "sluice mcp list"?'],
	[['webhok'], 'Unknown command "webhok"; did you mean "sluice webhook"?'],
	[['docter'], 'did you mean "sluice doctor"?'],
	[['events', 'relay', 'x'], 'did you mean "sluice events replay"?'],
])('the words %j are not understood', (words, why) => {
	expect(() => matchCommand(words)).toThrow(
		expect.objectContaining({code: 'bad_usage', message: expect.stringContaining(why)}),
	);
});

test.each([
	[['mcp', 'list', '--jsn'], 'Unknown flag: --jsn; did you mean --json?'],
	[['gateway', 'run', '--no-tiu'], 'did you mean --no-tui?'],
	[['mcp', 'list', '--limit', '3'], '`sluice mcp list` has no flag --limit'],
	[['mcp', 'list', '--no-probe'], '`sluice mcp list` has no flag --no-probe'],
	[['foo', '--help'], 'Unknown command "foo"'],
	[['mcp', 'lst', '--help'], 'did you mean "sluice mcp list"?'],
	[['help', 'webhok'], 'did you mean "sluice webhook"?'],
	[['mcp', 'list', '--help', '--jsn'], 'Unknown flag: --jsn; did you mean --json?'],
	[['--hom', '/nowhere', 'mcp', 'list'], 'Unknown flag: --hom; did you mean --home?'],
	[['--prfile', 'work', 'status'], 'Unknown flag: --prfile; did you mean --profile?'],
	[['serve'], 'did you mean "sluice mcp serve"?'],
	[['subscribe'], 'did you mean "sluice webhook subscribe"?'],
	[['servce'], 'did you mean "sluice service --help"?'],
	[['service'], '`sluice service` needs an action: '],
	[['aprove', '9db7'], 'Unknown command "aprove"; did you mean "sluice approve"?'],
	[['inbx'], 'did you mean "sluice inbox"?'],
	[['webhook', 'ad', 'x'], 'did you mean "sluice webhook add"?'],
	[['foo', '--version'], 'Unknown command "foo"'],
	[['status', 'foo', '--help'], '`sluice status` takes no arguments, but "foo" was given'],
	[['help', 'gateway', 'run', 'now'], '`sluice gateway run` takes no arguments, but "now" was given'],
	[['mcp', 'list', '--limit', '3', '--help'], '`sluice mcp list` has no flag --limit'],
	[['approvals', 'rules', 'lst'], 'did you mean "sluice approvals rules list"?'],
])('%j is not understood', async (args, why) => {
	const {code, stderr} = await runSluice({home: stateDirectory()}, ...args);
	expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});

test.each([
	[['foo'], '`sluice --help` lists the commands, `sluice NOUN --help` those of a noun'],
	[['events', 'lst'], 'Run `sluice events --help` to see its commands'],
	[['service'], 'Run `sluice service --help` to see its commands'],
	[['events', 'list', '--limt', '3'], 'Run `sluice events list --help` to see its usage and examples'],
	[['approve', '--scope'], 'Run `sluice approve --help` to see its usage and examples'],
	[['status', '--profile'], 'Run `sluice --help` to see the global flags'],
])('the remedy of the wrong line %j is the help of its words', async (words, remedy) => {
	const {stderr} = await runSluice({home: stateDirectory()}, ...words);
	expect(stderr).toContain(`        ${remedy}\n`);
});

test.each([
	[['foo', '--json'], 2, 'bad_usage'],
	[['status', 'now', '--json'], 2, 'bad_usage'],
	[['mcp', 'list', '--jsn', '--json'], 2, 'bad_usage'],
	[['approvals', 'deny', '9db7', '--json'], 1, 'gateway_not_running'],
	[['mcp', 'enable', 'nope', '--json'], 1, 'unknown_server'],
	[['webhook', 'remove', 'nope', '--json'], 1, 'unknown_route'],
	[['cron', 'pause', 'nope', '--json'], 1, 'unknown_job'],
	[['runs', 'show', '9db79db7', '--json'], 1, 'unknown_run'],
])('%j ends with %d, the error as its document, and the same on stderr', async (args, code, error) => {
	const ended = await runSluice({home: stateDirectory()}, ...args);
	const document = JSON.parse(ended.stdout) as {error: {code: string; message: string}};
	expect(ended.code).toBe(code);
	expect(document).toEqual({error: {code: error, message: expect.any(String)}});
	expect(ended.stderr).toContain(document.error.message);
});

test('a result that ends with 1 or 3 keeps its document', async () => {
	const home = stateDirectory();
	expect(await runSluice({home}, 'status', '--json')).toMatchObject({code: 3, stdout: 'null\n'});
	const doctor = await runSluice({home}, 'doctor', '--offline', '--json');
	expect(JSON.parse(doctor.stdout)).toEqual(expect.any(Array));
});

test('help stands behind a command, before it, or alone, and colours no pipe', async () => {
	const at = {home: stateDirectory(), env: {FORCE_COLOR: '1'}};
	const [behind, before, all] = await Promise.all([
		sluice(at, 'mcp', 'call', '--help'),
		sluice(at, 'help', 'mcp', 'call'),
		sluice(at, '-h'),
	]);
	expect(behind).toEqual({code: 0, stdout: helpText(['mcp', 'call']), stderr: ''});
	expect([before, all]).toEqual([behind, {code: 0, stdout: helpText([]), stderr: ''}]);
});

test('a group alone is listed', async () => {
	expect(await runSluice({home: stateDirectory()}, 'approvals')).toMatchObject({
		code: 0,
		stderr: expect.stringContaining('nothing is waiting'),
	});
});

test.each([
	[['events', 'replay'], '  --deliver                   Send the undelivered answers again, without a run\n'],
	[['webhook', 'subscribe'], '  --deliver TARGET            Where the answer goes, comma-separated (default: log)\n'],
	[['cron', 'create'], '  --prompt TEXT               Prompt for the runs\n'],
	[['approvals', 'allow'], '  --scope SCOPE               once (default), run'],
	[['mcp', 'add'], '  --scope SCOPE               Scopes that the login asks for'],
	[['mcp', 'reauth'], '  --all                       Every server that uses a login'],
])('the help of %j describes a flag in the words of that command', (words, row) => {
	expect(helpText(words)).toContain(row);
});

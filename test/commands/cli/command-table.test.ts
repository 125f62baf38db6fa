import {describe, expect, test} from 'vitest';
import {commands, matchCommand} from '../../../source/commands/cli/command-table.ts';
import {flagNames, globalFlags, typedFlag} from '../../../source/commands/cli/flag-table.ts';
import {helpText} from '../../../source/commands/cli/help-text.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {sluice, stateDirectory} from '../../helpers/sluice.ts';

const named = commands.map(command => ({name: command.words.join(' ') || 'sluice', command}));

describe('every command', () => {
	test.each(named)('$name has a help with its usage, its flags and an example', ({command}) => {
		const help = command.words.length === 0 ? helpText([]) : helpText(command.words);
		expect(help).toContain(command.usage);
		expect(command.examples.length).toBeGreaterThan(0);
		if (command.words.length > 0) {
			for (const text of [...command.flags.map(typedFlag), ...command.examples]) {
				expect(help).toContain(text);
			}
		}
	});

	test.each(named)('$name is found by its words, and shows flags of its own in its examples', ({command}) => {
		expect(matchCommand(command.words).command).toBe(command);
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

test('every flag belongs to a command or to all of them', () => {
	const used = new Set([...globalFlags, ...commands.flatMap(command => command.flags)]);
	expect(flagNames().filter(name => !used.has(name))).toEqual([]);
});

test.each([
	[['mcp', 'lst'], 'Unknown command: mcp lst; did you mean "sluice mcp list"?'],
	[['webhok'], 'Unknown command: webhok; did you mean "sluice webhook"?'],
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
	[['mcp', 'list', '--limit', '3'], '--limit does not belong to `sluice mcp list`'],
	[['mcp', 'list', '--no-probe'], '--no-probe does not belong to `sluice mcp list`'],
	[['foo', '--help'], 'Unknown command: foo'],
	[['mcp', 'lst', '--help'], 'did you mean "sluice mcp list"?'],
	[['help', 'webhok'], 'did you mean "sluice webhook"?'],
	[['mcp', 'list', '--help', '--jsn'], 'Unknown flag: --jsn; did you mean --json?'],
	[['--hom', '/nowhere', 'mcp', 'list'], 'Unknown flag: --hom; did you mean --home?'],
	[['--prfile', 'work', 'status'], 'Unknown flag: --prfile; did you mean --profile?'],
	[['serve'], 'did you mean "sluice mcp serve"?'],
	[['subscribe'], 'did you mean "sluice webhook subscribe"?'],
	[['servce'], 'did you mean "sluice service --help"?'],
	[['service'], '`sluice service` needs an action: '],
])('%j is not understood', async (args, why) => {
	const {code, stderr} = await runSluice({home: stateDirectory()}, ...args);
	expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
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
	[['webhook', 'subscribe'], '  --deliver TARGET            Where the answer goes (default: log)\n'],
	[['cron', 'create'], '  --prompt TEXT               Prompt for the runs\n'],
	[['approvals', 'allow'], '  --scope SCOPE               once (default), run'],
	[['mcp', 'add'], '  --scope SCOPE               What the login asks for'],
	[['mcp', 'reauth'], '  --all                       Every server that uses a login'],
])('the help of %j describes a flag in the words of that command', (words, row) => {
	expect(helpText(words)).toContain(row);
});

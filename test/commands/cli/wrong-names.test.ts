import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {stringify} from 'yaml';
import {commands} from '../../../source/commands/cli/command-table.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {stateDirectory} from '../../helpers/sluice.ts';
import {garden} from '../../stories/garden.ts';

const config = {
	mcp_servers: {garden},
	gateway: {endpoint: {enabled: false}},
	platforms: {webhook: {enabled: true, port: 0, secret: 'a-secret-of-the-route', routes: {pulls: {}}}},
};

/** Commands that look up a name or an id, by what they take; a subscription may be a new one, and a preset is a word of a closed list. */
const lookups = commands.filter(
	({takes: [kind] = [], words}) =>
		typeof kind === 'string' && kind !== 'file' && kind !== 'preset' && words.join(' ') !== 'webhook subscribe',
);
const rest: Readonly<Record<string, readonly string[]>> = {
	'cron edit': ['--prompt', 'What is new?'],
	'events file': ['1'],
	'questions answer': ['--decline'],
	'runs answer': ['Yes'],
	'runs note': ['Yes'],
	'uncertain resolve': ['--happened'],
	'mcp remove': ['--yes'],
};
/** Without a gateway nothing of theirs is there that could be looked up. */
const needsGateway = [
	'approvals allow',
	'approvals deny',
	'questions answer',
	'deliveries cancel',
	'deliveries retry',
	'events replay',
	'runs cancel',
	'runs answer',
	'runs note',
	'uncertain resolve',
	'webhook handshake',
];

describe('a name that nothing has', () => {
	test.each([true, false])(
		'fails every command that looks it up, and is named, when a gateway runs: %s',
		async isRunning => {
			const home = stateDirectory(config);
			await (isRunning && runGateway(stringify(config), home));
			const ended = [];
			for (const {words} of lookups) {
				const name = words.join(' ');
				const {code, stdout, stderr} = await runSluice({home}, ...words, 'nope', ...(rest[name] ?? []));
				const isRefused = !isRunning && needsGateway.includes(name);
				const isSaid = (isRefused ? /^sluice: .* gateway/u : /^sluice: .*nope/u).test(stderr);
				ended.push({name, code, stdout, stderr: isSaid ? 'said' : stderr});
			}

			expect(ended).toEqual(lookups.map(({words}) => ({name: words.join(' '), code: 1, stdout: '', stderr: 'said'})));
			expect(ended.length).toBeGreaterThan(25);
		},
	);

	test('of a profile fails every command but those that start one, and makes nothing', async () => {
		const home = stateDirectory(config);
		const others = commands.filter(({words}) => words.length > 0 && words[0] !== 'gateway');
		for (const {words} of others) {
			const {code, stdout, stderr} = await runSluice({home}, ...words, '--profile', 'nope');
			expect([words, code, stdout, stderr]).toEqual([
				words,
				2,
				'',
				expect.stringContaining('There is no profile "nope"'),
			]);
		}

		expect(existsSync(join(home, 'profiles'))).toBe(false);
	});

	const job = ['cron', 'create', 'daily', '--schedule', 'every 1h', '--prompt', 'What is new?'];
	const ruleTest = ['rules', 'test', '--tool', 'water'];
	test.each([
		[[...job, '--skills', 'nope'], 0, 'The skill "nope" is not loaded'],
		[[...job, '--toolsets', 'nope'], 0, '"nope"'],
		[[...job, '--deliver', 'slack'], 0, 'platforms.slack.token is missing'],
		[[...job, '--deliver', 'nope'], 1, '"nope" is not a known delivery target'],
		[[...ruleTest, '--server', 'nope'], 0, 'There is no server named "nope"'],
		[[...ruleTest, '--server', 'gardn'], 0, 'did you mean "garden"?'],
		[['logs', '--server', 'nope'], 1, 'There is no tool server "nope"'],
		[['events', 'list', '--route', 'nope'], 1, 'There is no route named "nope"'],
		[['webhook', 'subscribe', 'new', '--route-profile', 'nope'], 2, 'There is no profile "nope"'],
		[['webhook', 'subscribe', 'new', '--cron-job', 'nope'], 1, 'No job has the id or name "nope"'],
		[['webhook', 'subscribe', 'new', '--deliver', 'nope'], 1, '"nope" is not a known delivery target. Allowed: log'],
		[['webhook', 'subscribe', 'new', '--deliver', 'slack'], 0, 'platforms.slack.token is missing'],
	])('is said on stderr of %j', async (words, code, said) => {
		const ended = await runSluice({home: stateDirectory(config)}, ...words);
		expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(said)]);
	});

	test.each(
		[
			[...job, '--skills', '', '--toolsets', 'mcp-garden', '--deliver', 'log'],
			[...ruleTest, '--server', 'garden'],
			[...ruleTest, '--server', 'sluice'],
			[...ruleTest, '--server', 'hook:codex'],
		].map(words => ({words})),
	)('is not said where there is none: $words', async ({words}) => {
		expect(await runSluice({home: stateDirectory(config)}, ...words)).toMatchObject({code: 0, stderr: ''});
	});

	test('is said of a job that is changed, for what the flags name alone', async () => {
		const home = stateDirectory(config);
		await runSluice({home}, ...job, '--skills', 'nope');
		const edit = (...flags: readonly string[]) => runSluice({home}, 'cron', 'edit', 'daily', ...flags);
		expect(await edit('--deliver', 'slack')).toMatchObject({stderr: expect.stringContaining('slack.token is missing')});
		expect(await edit('--prompt', 'What was new?')).toMatchObject({code: 0, stderr: ''});
	});
});

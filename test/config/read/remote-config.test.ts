import {writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {loadConfig, readConfigText} from '../../../source/config/read/load-config.ts';
import {resolveChannel} from '../../../source/config/read/remote-config.ts';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {problemLine} from '../../../source/util/problem.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const telegram = `{platform: telegram, token: '\${BOT}', chat: -100123, approvers: [456, '789'], send: arguments}`;
const slack = `{platform: slack, app_token: '\${APP}', bot_token: '\${BOT}', team: T0, channel: C0, approvers: U0}`;
const ntfy = `{platform: ntfy, url: 'https://ntfy.example.org/topic', token: '\${NTFY}'}`;
const variables: Readonly<Record<string, string>> = {BOT: 'bot-token', APP: 'app-token', NTFY: 'ntfy-token'};
const expand = (text: string) => text.replaceAll(/\$\{(\w+)\}/gu, (whole, name: string) => variables[name] ?? whole);

function read(text: string) {
	const {config} = readConfigText('config.yaml', text, name => variables[name]);
	const {approvals, rules, problems} = config;
	return {remote: approvals.remote, approvals, rules, problems: problems.map(problem => problemLine(problem))};
}

function readChannels(...channels: readonly string[]) {
	return read(`approvals: {remote: {channels: [${channels.join(', ')}]}}`);
}

describe('approvals.remote', () => {
	test('has no channels and its defaults where it is missing, empty or without a value', () => {
		const none = {delaySeconds: 20, timeoutSeconds: 900, channels: []};
		expect(['{}', 'approvals: {remote: {}}', 'approvals: {remote: }'].map(text => read(text).remote)).toEqual([
			none,
			none,
			none,
		]);
	});

	test('is read with times and channels, ids as text', () => {
		const text = `approvals: {remote: {delay: 0, timeout: '60', channels: [${telegram}, ${slack}, ${ntfy}]}}`;
		const {remote, problems} = read(text);
		expect(problems).toEqual([]);
		expect(remote).toMatchObject({
			delaySeconds: 0,
			timeoutSeconds: 60,
			channels: [
				{kind: 'channel', channel: {platform: 'telegram', approvers: ['456', '789'], send: 'arguments'}},
				{kind: 'channel', channel: {platform: 'slack', approvers: ['U0'], send: 'names'}},
				{kind: 'channel', channel: {platform: 'ntfy', approvers: []}},
			],
		});
		expect(remote.channels.map(one => resolveChannel(one, expand))).toMatchObject([
			{channel: {keys: {token: 'bot-token', chat: '-100123'}}},
			{channel: {keys: {app_token: 'app-token', bot_token: 'bot-token', team: 'T0', channel: 'C0'}}},
			{channel: {keys: {url: 'https://ntfy.example.org/topic', token: 'ntfy-token'}}},
		]);
	});

	const at = 'config.yaml:1:33: approvals.remote.channels[0]';
	test.each([
		[
			'{platform: telegarm, token: a, chat: 1, approvers: [1]}',
			'config.yaml:1:44: approvals.remote.channels[0].platform: "telegarm" is not a known platform; did you mean "telegram"? Allowed: telegram, slack, ntfy',
		],
		[
			'{platform: telegram, token: a, chat: 1, approver: [1]}',
			'config.yaml:1:73: approvals.remote.channels[0].approver: "approver" is not a known key; did you mean "approvers"?',
		],
		[
			'{platform: telegram, token: a, chat: 1}',
			`${at}: \`approvers\` names nobody. Add the id of each person who may decide`,
		],
		[
			'{platform: telegram, token: a, chat: 1, approvers: []}',
			`${at}: \`approvers\` names nobody. Add the id of each person who may decide`,
		],
		['{platform: slack, bot_token: a, team: T0, channel: C0}', `${at}: A channel of slack needs \`app_token\``],
		[
			'{platform: ntfy, url: https://a/b, send: arguments}',
			'config.yaml:1:74: approvals.remote.channels[0].send: `send` is no key of ntfy. Allowed: platform, url, token',
		],
	])('%s is a channel that fails, and the rules and the other channels hold', (channel, problem) => {
		const {remote, approvals, rules, problems} = readChannels(channel, ntfy);
		expect(problems).toEqual([problem]);
		expect(remote.channels.map(({kind}) => kind)).toEqual(['failed', 'channel']);
		expect([rules.kind, approvals.commandLine]).toEqual(['valid', 'allow']);
		expect(remote.channels.map(one => resolveChannel(one, expand).kind)).toEqual(['failed', 'channel']);
	});

	test('that is of another kind is an error, and the rules hold', () => {
		const {remote, rules, problems} = read('approvals: {remote: telegram}');
		expect([remote.channels, rules.kind]).toEqual([[], 'valid']);
		expect(problems).toEqual([
			'config.yaml:1:21: approvals.remote: Text is not allowed here. Allowed: a mapping with delay, timeout, channels',
		]);
	});

	test.each([
		['a variable that is not set', telegram.replace('BOT', 'OTHER'), /The variable OTHER is not set/],
		['a name in place of a chat', telegram.replace('-100123', "'@chat'"), /`chat`: "@chat" .* is a number/],
		['a name in place of a person', telegram.replace('456', 'me'), /`approvers`: "me" .* is a number/],
		['a name of a channel', slack.replace('C0', 'general'), /`channel`: "general" .* begins with C/],
		['a topic without a name', ntfy.replace('/topic', ''), /`url`: .* because the address of a topic is/],
	])('%s makes its channel fail with the reason', (_, channel, reason) => {
		const [first] = readChannels(channel).remote.channels;
		expect(first && resolveChannel(first, expand)).toMatchObject({
			kind: 'failed',
			reason: expect.stringMatching(reason),
		});
	});

	test('has its tokens masked, also those of a channel that fails', async () => {
		const paths = statePaths({root: temporaryDirectory(), profile: 'default'});
		const failing = '{platform: telegram, token: literal-token, chat: 1}';
		writeFileSync(paths.config, `approvals: {remote: {channels: [${slack}, ${failing}]}}`);
		const {secrets} = await loadConfig({paths, environment: {variables, home: '/home/me', workingDirectory: '/work'}});
		expect(secrets.values).toEqual(expect.arrayContaining(['app-token', 'bot-token', 'literal-token']));
	});
});

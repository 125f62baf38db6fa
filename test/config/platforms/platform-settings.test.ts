import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {type PlatformName, platformRow, platformRows} from '../../../source/config/platforms/platform-keys.ts';
import {platformSecrets, platformSettings} from '../../../source/config/platforms/platform-settings.ts';
import {snakeCase} from '../../../source/util/snake-case.ts';
import {readConfigText} from '../../../source/config/read/load-config.ts';

/** The settings of a platform as its section and these variables make them. */
function settingsOf(name: PlatformName, written: object, variables: Readonly<Record<string, string>> = {}) {
	const text = JSON.stringify({platforms: {[name]: written}});
	const {config} = readConfigText('config.yaml', text, () => undefined);
	const platform = config.platforms.find(one => one.name === name);
	if (!platform) {
		throw new Error(`${name} is not there`);
	}

	const expand = (value: string) => value.replaceAll(/\$\{(\w+)\}/gu, (all, key: string) => variables[key] || all);
	const settings = platformSettings(platform, {variables: key => variables[key] || undefined, expand});
	return {platform, settings, problems: config.problems};
}

const keys = (Object.keys(platformRows) as PlatformName[]).flatMap(name =>
	Object.entries(platformRow(name).keys).flatMap(([key, {variables = []}]) =>
		variables.map(variable => ({name, key, variable})),
	),
);

describe('a setting', () => {
	test.each(keys)('$name.$key is filled by $variable', ({name, key, variable}) => {
		const {settings} = settingsOf(name, {}, {[variable]: 'from the environment'});
		const found = Object.entries(settings).find(([setting]) => snakeCase(setting) === key);
		expect(found?.[1]).toBe('from the environment');
	});

	test('that is written beats the environment', () => {
		expect(settingsOf('telegram', {token: 'mine'}, {TELEGRAM_BOT_TOKEN: 'theirs'}).settings.token).toBe('mine');
	});

	test('may refer to a variable, which is asked at every use', () => {
		const variables = {BOT: 'one'};
		expect(settingsOf('telegram', {token: '${BOT}'}, variables).settings.token).toBe('one');
	});

	test('that refers to nothing is not there', () => {
		expect(settingsOf('telegram', {token: '${BOT}'}).settings.token).toBe('');
	});

	test.each([
		[123, '123'],
		[true, 'true'],
	])('may be written as %j', (written, text) => {
		expect(settingsOf('wecom', {agent_id: written}).settings.agentId).toBe(text);
	});

	test('has its default', () => {
		const {settings} = settingsOf('email', {});
		expect(settings.port).toBe('587');
		expect(settingsOf('discord', {}).settings.baseUrl).toBe('https://discord.com/api/v10');
	});

	test('that is unknown is reported, and the rest is read', () => {
		const {settings, problems} = settingsOf('telegram', {tokn: 'x', token: 'mine'});
		expect(problems.map(problem => problem.code)).toEqual(['config_unknown_key']);
		expect(settings.token).toBe('mine');
	});
});

describe('a platform', () => {
	test.each([
		[{enabled: false}, 'disabled'],
		[{enabled: 'no'}, 'disabled'],
		[{enabled: true}, 'enabled'],
		[{}, 'enabled'],
		[{token: ['a', 'list']}, 'broken'],
	])('written as %j is %s', (written, state) => {
		expect(settingsOf('telegram', written).platform.state).toBe(state);
	});
});

describe('what no text may show', () => {
	test.each([
		['telegram', {token: '1:abcdef'}, ['1:abcdef', '1%3Aabcdef']],
		['bluebubbles', {password: 'a b&c'}, ['a b&c', 'a%20b%26c']],
		['sms', {account_sid: 'AC1', auth_token: 'abcdef'}, ['abcdef', Buffer.from('AC1:abcdef').toString('base64')]],
		['dingtalk', {webhook_url: 'https://x.test/robot/send?access_token=abcdef'}, ['abcdef']],
		['feishu', {webhook_url: 'https://x.test/open-apis/bot/v2/hook/abcdef'}, ['abcdef']],
		['wecom', {webhook_url: 'https://x.test/cgi-bin/webhook/send?key=abcdef'}, ['abcdef']],
		['qqbot', {client_secret: 'abcdef'}, ['abcdef']],
		['teams', {webhook_url: 'https://x.test/invoke?sig=abcdef'}, ['abcdef']],
		['pagerduty', {routing_key: 'abcdef'}, ['abcdef']],
		['url', {a: {url: 'https://x.test', secret: 'abcdef', headers: {'X-Key': 'ghijkl'}}}, ['abcdef', 'ghijkl']],
	] as const)('of %s', (name, written, secrets) => {
		expect(platformSecrets(settingsOf(name, written).settings)).toEqual(expect.arrayContaining([...secrets]));
	});

	test('is nothing where nothing is set', () => {
		expect(platformSecrets(settingsOf('telegram', {}).settings)).toEqual([]);
	});
});

describe('the table of docs/delivery.md', () => {
	const page = readFileSync(new URL('../../../docs/delivery.md', import.meta.url), 'utf8');
	const rows = page.split('\n').filter(line => line.startsWith('| `'));

	test.each(Object.keys(platformRows) as PlatformName[])('has %s with its settings and variables', name => {
		const row = rows.find(line => line.startsWith(`| \`${name}\``)) ?? '';
		const variables = Object.values(platformRow(name).keys).flatMap(key => key.variables ?? []);
		const needed = platformRow(name)
			.complete.flat()
			.map(key => `\`${key}\``);
		expect([...variables, ...needed].filter(word => !row.includes(word))).toEqual([]);
	});

	test.each(Object.keys(platformRows) as PlatformName[])('has the default addresses of %s', name => {
		const defaults = Object.entries(platformRow(name).keys).flatMap(([key, {fallback}]) =>
			fallback?.startsWith('http') ? [`${key} ${fallback}`] : [],
		);
		const row = page.split('\n').find(line => line.startsWith(`| \`${name}\` | \`http`)) ?? '';
		expect(defaults.filter(text => !row.includes(`\`${text.split(' ')[1]}\``))).toEqual([]);
	});
});

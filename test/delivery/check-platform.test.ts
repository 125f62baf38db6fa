import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {checkDelivery} from '../../source/delivery/check-delivery.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openDelivery} from './open-delivery.ts';

/** The findings about a platform that is written so. */
function wordsOf(name: string, written: object, variables: Readonly<Record<string, string>> = {}) {
	const {platforms} = openDelivery({platforms: {[name]: written}, variables});
	return platforms.problems(name).map(({code, level, message}) => `${code} ${level}: ${message}`);
}

const missing = (text: string) => `platform_unusable warning: platforms.${text}`;

describe('what is missing is named', () => {
	test.each([
		['telegram', {}, [missing('telegram.token is missing (or the variable TELEGRAM_BOT_TOKEN)')]],
		[
			'sms',
			{account_sid: 'AC1'},
			[
				missing('sms.auth_token is missing (or the variable TWILIO_AUTH_TOKEN)'),
				missing('sms.from is missing (or the variable TWILIO_PHONE_NUMBER)'),
			],
		],
		['mattermost', {token: 'x'}, [missing('mattermost.base_url is missing (or the variable MATTERMOST_URL)')]],
		['wecom', {corp_id: 'x', secret: 'y'}, [missing('wecom.agent_id is missing')]],
		['feishu', {app_id: 'x'}, [missing('feishu.app_secret is missing (or the variable FEISHU_APP_SECRET)')]],
		['telegram', {token: '${NOWHERE}'}, [missing('telegram.token refers to ${NOWHERE}, which is not set')]],
		[
			'email',
			{host: 'mail.test', user: 'a@b.test'},
			[missing('email.password is missing (or the variable EMAIL_PASSWORD)')],
		],
	])('%s written as %j', (name, written, words) => {
		expect(wordsOf(name, written)).toEqual(words);
	});
});

describe('what is complete is ready', () => {
	test.each([
		['telegram', {token: 'x'}],
		['ntfy', {home_channel: 'builds'}],
		['url', {a: {url: 'https://x.test', secret: 'whsec_AAAA', headers: {'X-A': 'a'}}}],
		['feishu', {webhook_url: 'https://x.test/hook/y'}],
		['feishu', {app_id: 'x', app_secret: 'y'}],
		['wecom', {webhook_url: 'https://x.test/send?key=y'}],
		['email', {host: 'localhost', from: 'a@b.test'}],
	])('%s written as %j', (name, written) => {
		expect(wordsOf(name, written)).toEqual([]);
	});

	test('by the environment alone', () => {
		expect(wordsOf('telegram', {}, {TELEGRAM_BOT_TOKEN: 'x'})).toEqual([]);
	});
});

test('a platform that is switched off says so, whatever it lacks', () => {
	expect(wordsOf('telegram', {enabled: false})).toEqual([missing('telegram is switched off (`enabled: false`)')]);
});

test.each(['ftp://x.test', 'not an address', 'https://me:secret@x.test', 'file:///etc/passwd'])(
	'the address %j is none, and is not repeated',
	address => {
		const words = wordsOf('mattermost', {token: 'x', base_url: address});
		expect(words).toEqual([missing('mattermost.base_url must be an http or https address without a password')]);
	},
);

test.each([
	['telegram', {token: 'a\nb'}, 'telegram.token contains a line break or a character that a header cannot have'],
	['url', {a: {url: 'ftp://x.test'}}, 'url.a.url must be an http or https address without a password'],
	['url', {'a b': {url: 'https://x.test'}}, 'url.a b: a name has 1 to 64 letters, digits, `_` and `-`'],
	['url', {a: {url: 'https://x.test', secret: '${NOWHERE}'}}, 'url.a.secret is not set, or is not base64 after whsec_'],
	['url', {a: {url: 'https://x.test', secret: 'whsec_%'}}, 'url.a.secret is not set, or is not base64 after whsec_'],
	[
		'url',
		{a: {url: 'https://x.test', headers: {'X-A': 'a\nb'}}},
		'url.a.headers has a name or a value that no header can have',
	],
	['url', {}, 'url has no endpoint'],
	['slack', {token: 'xoxb-ключ'}, 'slack.token contains a line break or a character that a header cannot have'],
	['email', {host: 'mail.test', from: 'nobody'}, 'email.from must be an e-mail address'],
	[
		'email',
		{host: 'mail.test', from: 'a@b.test', ssl_verify: '/nowhere/ca.pem'},
		'email.ssl_verify names /nowhere/ca.pem, which cannot be read',
	],
	[
		'homeassistant',
		{base_url: 'http://ha.test', token: 'x', service: 'notify/notify'},
		'homeassistant.service must be the name of a service, such as notify.notify',
	],
])('a setting of %s that nothing can be sent with is found: %j', async (name, written, words) => {
	expect(wordsOf(name, written)).toEqual([missing(words)]);
	// A delivery fails for certain, so that the sender may send it again.
	const {deliver} = openDelivery({platforms: {[name]: {...written, home_channel: '1'}}});
	expect(await deliver(name, 'hello')).toMatchObject({kind: 'failed'});
});

test('a port from the environment must be one', () => {
	const written = {host: 'mail.test', from: 'a@b.test'};
	expect(wordsOf('email', written, {EMAIL_SMTP_PORT: 'smtp'})).toEqual([missing('email.port must be a port number')]);
});

describe('github_comment', () => {
	test('needs gh', () => {
		expect(wordsOf('github_comment', {}, {PATH: temporaryDirectory()})).toEqual([
			'platform_unusable warning: the program `gh` is not installed on this machine',
		]);
	});

	test('is ready with it: gh may have a login of its own', () => {
		const folder = temporaryDirectory();
		writeFileSync(join(folder, 'gh'), '#!/bin/sh\n');
		chmodSync(join(folder, 'gh'), 0o755);
		expect(wordsOf('github_comment', {}, {PATH: `/nowhere:${folder}`})).toEqual([]);
	});
});

describe('what a route delivers is checked before anything comes', () => {
	const check = (target: string, written: object, extra: Readonly<Record<string, string | undefined>>) => {
		const {platforms} = openDelivery({platforms: {[target]: written}});
		const members = Object.entries(extra).flatMap(([key, value]) =>
			value === undefined ? [] : [[key, value] as const],
		);
		return checkDelivery({target, extra: Object.fromEntries(members)}, platforms).then(problems =>
			problems.map(problem => problem.message),
		);
	};

	test.each([
		[{}, 'no chat'],
		[{chat_id: 'a/b'}, 'deliver_extra.chat_id is not a chat'],
		[{chat_id: ''}, 'deliver_extra.chat_id is empty'],
		[{chat_id: '1', message_thread_id: 'x'}, 'message_thread_id'],
	])('%j is reported', async (extra, words) => {
		expect(await check('telegram', {token: 'x'}, extra)).toEqual([expect.stringContaining(words)]);
	});

	test.each([{chat_id: '-100123'}, {chat_id: '{chat}'}, {chat_id: '1', thread_id: '{topic}'}])(
		'%j is not',
		async extra => {
			expect(await check('telegram', {token: 'x'}, extra)).toEqual([]);
		},
	);

	test('a platform that cannot be used is reported before its chats', async () => {
		expect(await check('telegram', {}, {})).toEqual([expect.stringContaining('token is missing')]);
	});

	test('the log is always there', async () => {
		expect(await check('log', {}, {})).toEqual([]);
	});
});

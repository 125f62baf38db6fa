import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {deliveryTargets} from '../../source/config/platforms/platform-keys.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {delivered, failed, names, openRow, rows, where} from './contract-rows.ts';
import {openDelivery} from './open-delivery.ts';

/** Ways to reach another path, header or person than the one chat a payload may choose. */
const hostileChats = [
	'../x',
	'a/b',
	'..',
	'a b',
	'x?y=1',
	'x#y',
	'x\r\nY: z',
	'%2e%2e',
	'@all',
	'<a@b.c>, d@e.f',
	'x'.repeat(600),
	'\u0000',
];

test('every target but the log has a row, and github_comment a file of its own', () => {
	const tested = new Set([...Object.values(rows).map(row => row.target), 'log', 'github_comment']);
	expect(deliveryTargets.filter(name => !tested.has(name))).toEqual([]);
});

describe.each(names)('%s', name => {
	test('delivers a message to the chat it names', async () => {
		const {deliver, simulator, row} = await openRow(name);
		expect(await deliver('Build 17 is green')).toEqual({...delivered, target: row.target});
		expect(simulator.faults).toEqual([]);
		expect(simulator.received).toMatchObject([{chat: simulator.chatId, text: 'Build 17 is green'}]);
	});

	test('publishes the delivery once', async () => {
		const {deliver, ofType, row} = await openRow(name);
		await deliver('done');
		expect(ofType('delivery.settled')).toEqual([
			{
				type: 'delivery.settled',
				delivery: 'delivery-1',
				route: 'builds',
				target: row.target,
				outcome: 'delivered',
				code: undefined,
			},
		]);
	});

	test('takes Markdown with everything in it, and hostile signs, without a fault', async () => {
		const {deliver, simulator} = await openRow(name);
		const soup =
			'# Head\n**bold** *it* __b__ ~~gone~~ `a<b` [a & b](https://example.org/?a=1&b="2") [x](javascript:alert)\n' +
			'```ts\nif (a < b && c > d) {}\n```\n- item\n> quote @everyone @room @channel <!channel> <@all> <at user_id="all">\n' +
			'</code></pre></b>*_~|[]() \u0000\u001B[2J\uD800 \u202E \\*';
		expect(await deliver(soup)).toMatchObject(delivered);
		expect(simulator.faults).toEqual([]);
	});

	test('takes any text without a fault', async () => {
		const {deliver, simulator} = await openRow(name);
		const signs = fc.constantFrom(
			...'*_~`<>&[]()|#\\"\'@!\n \t{}-=+.$aé漢😀\u0000\u200D'.split(/(?:)/u),
			'```',
			'**',
			'</b>',
		);
		const texts = fc.array(signs, {minLength: 1, maxLength: 60}).map(some => `x${some.join('')}`);
		await fc.assert(
			fc.asyncProperty(texts, async text => {
				expect(await deliver(text)).toMatchObject(delivered);
			}),
			{numRuns: name === 'email' ? 2 : 6},
		);
		expect(simulator.faults).toEqual([]);
	});

	test('takes no address and no key from the event', async () => {
		const {deliver, simulator} = await openRow(name);
		const address = 'http://127.0.0.1:9/elsewhere';
		const chosen = {
			base_url: address,
			webhook_url: address,
			url: address,
			host: 'evil.example',
			token: 'x',
			token_url: address,
		};
		expect(await deliver('here', chosen)).toMatchObject(delivered);
		expect([simulator.received.length, simulator.faults]).toEqual([1, []]);
	});

	test('sends nothing when it is switched off', async () => {
		const {deliver, simulator} = await openRow(name, {enabled: false});
		expect(await deliver('off')).toMatchObject(failed);
		expect(simulator.requests()).toBe(0);
	});
});

describe.each(where(row => row.chats !== 'bound'))('%s, where messages have a chat', name => {
	test('uses the home channel when no chat is named', async () => {
		const {simulator, row} = await openRow(name);
		const home = row.chat(simulator.chatId)['chat_id'];
		const {deliver} = openDelivery({
			platforms: {[row.target]: {...simulator.settings, home_channel: home}},
			clock: createFakeClock(),
		});
		expect(await deliver(row.target, 'home', simulator.extra ?? {})).toMatchObject(delivered);
		expect(simulator.received).toMatchObject([{chat: simulator.chatId}]);
	});

	test('prefers the chat that is named', async () => {
		const {deliver, simulator, row} = await openRow(name, {home_channel: '1'});
		await deliver('there', row.chat(simulator.otherChatId));
		expect(simulator.received).toMatchObject([{chat: simulator.otherChatId}]);
	});

	test('refuses what is no chat and sends nothing', async () => {
		const {deliver, simulator} = await openRow(name);
		for (const chat of hostileChats) {
			expect(await deliver('lost', {chat_id: chat}), chat).toMatchObject(failed);
		}

		expect(simulator.requests()).toBe(0);
	});
});

describe.each(where(row => row.chats === 'named'))('%s, without a chat', name => {
	test('sends nothing and says what is missing', async () => {
		const {simulator, row, settings} = await openRow(name);
		const callOptions = openDelivery({platforms: {[row.target]: settings}});
		const result = await callOptions.deliver(row.target, 'lost');
		expect(result).toMatchObject({problem: {detail: expect.stringContaining('home_channel')}});
		expect(simulator.requests()).toBe(0);
	});
});

describe.each(where(row => row.chats === 'bound'))('%s, which is bound to its chat', name => {
	test('ignores another chat with a warning', async () => {
		const {deliver, simulator, ofType} = await openRow(name);
		expect(await deliver('here', {chat_id: 'elsewhere'})).toMatchObject(delivered);
		expect(simulator.received).toHaveLength(1);
		expect(ofType('log')).toMatchObject([{level: 'warning', text: expect.stringContaining('chat_id is ignored')}]);
	});
});

describe.each(where(row => row.splits))('%s, given a long text', name => {
	const lines = Array.from({length: 3000}, (_, line) => `line ${line} of it 漢😀`);
	const long = `Before\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n\nAfter`;

	test('splits it into messages the platform takes, and loses no line', async () => {
		const {deliver, simulator} = await openRow(name);
		const some = long.slice(0, 30_000);
		expect(await deliver(some)).toMatchObject(delivered);
		expect(simulator.faults).toEqual([]);
		expect(simulator.received.length).toBeGreaterThan(1);
		const all = simulator.received.map(({text}) => text).join('\n');
		expect(lines.slice(0, 1000).filter(line => !all.includes(line))).toEqual([]);
	});
});

describe.each(where(row => row.threads))('%s, which has threads', name => {
	test('puts a message into the thread it is given', async () => {
		const {deliver, simulator} = await openRow(name);
		expect(await deliver('in there', simulator.thread)).toMatchObject(delivered);
		expect(simulator.received).toMatchObject([{thread: Object.values(simulator.thread ?? {})[0]}]);
		expect(simulator.faults).toEqual([]);
	});

	test('refuses what is no thread and sends nothing', async () => {
		const {deliver, simulator} = await openRow(name);
		const thread = Object.fromEntries(Object.keys(simulator.thread ?? {}).map(key => [key, '../x y']));
		expect(await deliver('lost', thread)).toMatchObject(failed);
		expect(simulator.requests()).toBe(0);
	});
});

test.each([
	['mattermost', '@all @channel @here', /@(?:all|channel|here)\b/u],
	['feishu', '<at user_id="all">everyone</at>', /<at\b/u],
	['feishu-webhook', '<at user_id="all">everyone</at>', /<at\b/u],
	['wecom', '<@all>', /<@/u],
	['wecom-webhook', '<@all>', /<@/u],
	['qqbot', '<@everyone>', /<@/u],
	['google_chat', '<users/all>', /<users/u],
] as const)('a text that would call everybody is quiet on %s', async (name, text, call) => {
	const {deliver, simulator} = await openRow(name);
	expect(await deliver(`Look ${text}`)).toMatchObject(delivered);
	expect(simulator.received[0]?.text).toMatch(/^Look [@<]\u200B/u);
	expect(simulator.received[0]?.text).not.toMatch(call);
});

test('the thread of a Google Chat message is the key that it is given', async () => {
	const {deliver, simulator} = await openRow('google_chat');
	expect(await deliver('in there', {thread_key: 'build-17'})).toMatchObject(delivered);
	expect(await deliver('lost', {thread_key: '../x y'})).toMatchObject(failed);
	expect(simulator.received).toMatchObject([{thread: 'build-17'}]);
	expect(simulator.faults).toEqual([]);
});

test.each([
	['ntfy', {priority: 9}],
	['pagerduty', {severity: 'loud'}],
	['pagerduty', {dedup_key: 'x'.repeat(256)}],
] as const)('%s refuses %j and sends nothing', async (name, extra) => {
	const {deliver, simulator} = await openRow(name);
	expect(await deliver('lost', extra)).toMatchObject(failed);
	expect(simulator.requests()).toBe(0);
});

test('a single address of the user needs no name', async () => {
	const {simulator} = await openRow('url');
	const {deliver} = openDelivery({
		platforms: {url: {builds: simulator.settings['builds']}},
		clock: createFakeClock(),
	});
	expect(await deliver('url', 'here')).toMatchObject(delivered);
	expect(simulator.received).toMatchObject([{chat: 'builds'}]);
});

test('the subject of a mail names the route that led to it, if any', async () => {
	const {deliver, simulator} = await openRow('email');
	await deliver('text');
	await deliver('text', {}, '');
	expect(simulator.received).toMatchObject([{subject: 'Sluice: builds'}, {subject: 'Sluice'}]);
});

test('the subject of a mail stays one header, whatever stands in it', async () => {
	const {deliver, simulator} = await openRow('email');
	expect(await deliver('text', {subject: 'a\r\nBcc: eve@example.org'})).toMatchObject(delivered);
	expect(simulator.received).toMatchObject([{subject: 'a␍␊Bcc: eve@example.org', chat: simulator.chatId}]);
});

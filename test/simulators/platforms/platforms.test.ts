import {afterEach, describe, expect, test, vi} from 'vitest';
import {allPlatforms} from './all-platforms.ts';
import {chinesePlatformRows} from './chinese-platform-rows.ts';
import {type KnownSimulator, type PlatformRow} from './platform-row.ts';
import {platformRows} from './platform-rows.ts';
import {type PlatformSimulator, type ToldTrouble} from './platform-simulator.ts';
import {sendByHand} from './send-by-hand.ts';
import {webhookPlatformRows} from './webhook-platform-rows.ts';

const rows = [...platformRows, ...chinesePlatformRows, ...webhookPlatformRows];
const toldTroubles: readonly ToldTrouble[] = [
	{kind: 'rate-limited', waitSeconds: 7},
	{kind: 'rejected'},
	{kind: 'server-error'},
	{kind: 'hidden-error'},
];

const open: PlatformSimulator[] = [];
const openRow = async (row: PlatformRow) => {
	const simulator = await allPlatforms[row.name]();
	open.push(simulator);
	return simulator;
};
// The row of a platform writes to the simulator of that name alone.
const known = (simulator: PlatformSimulator) => simulator as unknown as KnownSimulator;
const right = (
	row: PlatformRow,
	simulator: PlatformSimulator,
	more: {text?: string; key?: string; thread?: string} = {},
) => row.write(known(simulator), {chat: simulator.chatId, text: 'Grüße *von* uns', ...more});

afterEach(async () => {
	await Promise.all(open.splice(0).map(simulator => simulator.close()));
});

test('every platform has its rows here or below', () => {
	expect([...rows.map(row => row.name), 'email'].sort()).toEqual(Object.keys(allPlatforms).sort());
});

describe.each(rows)('$name', row => {
	test('takes what its documentation asks for, in both chats', async () => {
		const simulator = await openRow(row);
		await sendByHand(simulator.baseUrl, right(row, simulator));
		await sendByHand(
			simulator.baseUrl,
			row.write(known(simulator), {chat: simulator.otherChatId, text: 'two', key: 'two'}),
		);
		expect(simulator.faults).toEqual([]);
		expect(simulator.received).toEqual([
			expect.objectContaining({chat: simulator.chatId, text: 'Grüße *von* uns'}),
			expect.objectContaining({chat: simulator.otherChatId, text: 'two'}),
		]);
		expect(simulator.requests()).toBe(2);
	});

	test.each([
		['token', row.spoil.token],
		['method', (written: ReturnType<PlatformRow['write']>) => ({...written, method: 'PATCH'})],
		['body', row.spoil.body],
	] as const)('refuses a wrong %s in its own words', async (part, spoil) => {
		const simulator = await openRow(row);
		const answer = await sendByHand(simulator.baseUrl, spoil(right(row, simulator)));
		expect(answer).toMatchObject(row.answers[part]);
		expect(simulator.received).toEqual([]);
		expect(simulator.faults).not.toEqual([]);
		expect(simulator.requests()).toBe(1);
	});

	test('knows no path below its own', async () => {
		const simulator = await openRow(row);
		const written = right(row, simulator);
		const answer = await sendByHand(simulator.baseUrl, {...written, path: written.path.replace(/(\?|$)/, '/more$1')});
		expect(answer.body).not.toBe('the simulator broke');
		expect(simulator.received).toEqual([]);
		expect(simulator.faults).toHaveLength(1);
	});

	test('notes a query parameter it does not know', async () => {
		const simulator = await openRow(row);
		const written = right(row, simulator);
		const path = `${written.path}${written.path.includes('?') ? '&' : '?'}more=1`;
		await sendByHand(simulator.baseUrl, {...written, path});
		expect(simulator.received).toHaveLength(1);
		expect(simulator.faults).toEqual(['the query parameter more is not documented']);
	});

	test.each(toldTroubles)('tells a planned $kind once, and takes nothing', async trouble => {
		const simulator = await openRow(row);
		simulator.plan(trouble);
		const answer = await sendByHand(simulator.baseUrl, right(row, simulator));
		expect(answer).toMatchObject(row.answers[trouble.kind]);
		expect(simulator.received).toEqual([]);
		await sendByHand(simulator.baseUrl, right(row, simulator));
		expect(simulator.received).toHaveLength(1);
		expect(simulator.faults).toEqual([]);
	});

	test('is silent when planned', async () => {
		const simulator = await openRow(row);
		simulator.plan({kind: 'silence'});
		const patience = new AbortController();
		const answer = sendByHand(simulator.baseUrl, right(row, simulator), patience.signal);
		await vi.waitFor(() => expect(simulator.requests()).toBe(1), {interval: 2});
		patience.abort();
		await expect(answer).rejects.toThrow(/abort/);
		expect(simulator.received).toEqual([]);
	});

	test('takes a message and hangs up when planned', async () => {
		const simulator = await openRow(row);
		simulator.plan({kind: 'hang-up-after-taking'});
		await expect(sendByHand(simulator.baseUrl, right(row, simulator))).rejects.toThrow(/socket hang up|ECONNRESET/);
		expect(simulator.received).toHaveLength(1);
	});
});

describe('a wrong message', () => {
	const bound: ReadonlyArray<PlatformRow['name']> = [
		'dingtalk',
		'feishu-webhook',
		'wecom-webhook',
		'teams',
		'google_chat',
		'pagerduty',
	];
	const takesNothing: ReadonlyArray<PlatformRow['name']> = ['homeassistant', 'matrix', 'teams', 'ntfy', 'url'];

	test.each(rows.filter(row => !bound.includes(row.name)))('$name knows no third chat', async row => {
		const simulator = await openRow(row);
		const chat = simulator.chatId.replace(/[0-9a-z](?=[^0-9a-z]*$)/i, last => (last === '9' ? '8' : '9'));
		await sendByHand(simulator.baseUrl, row.write(known(simulator), {chat, text: 'hello'}));
		expect(simulator.received).toEqual([]);
		expect(simulator.faults).toHaveLength(1);
	});

	test.each(rows.filter(row => !takesNothing.includes(row.name)))('$name takes no empty text', async row => {
		const simulator = await openRow(row);
		await sendByHand(simulator.baseUrl, right(row, simulator, {text: ''}));
		expect(simulator.received).toEqual([]);
		expect(simulator.faults).toHaveLength(1);
	});
});

describe('a length limit', () => {
	test.each(rows.filter(row => row.longest !== undefined))(
		'$name takes its longest text and not one unit more',
		async row => {
			const simulator = await openRow(row);
			await sendByHand(simulator.baseUrl, right(row, simulator, {text: row.longest}));
			await sendByHand(simulator.baseUrl, right(row, simulator, {text: `${row.longest}x`, key: 'two'}));
			expect(simulator.received.map(message => message.text)).toEqual([row.longest]);
			expect(simulator.faults).toHaveLength(1);
		},
	);
});

describe('a repeated key', () => {
	const both = async (row: PlatformRow, second: string) => {
		const simulator = await openRow(row);
		const answers = [
			await sendByHand(simulator.baseUrl, right(row, simulator, {text: 'first', key: 'the-key'})),
			await sendByHand(simulator.baseUrl, right(row, simulator, {text: second, key: 'the-key'})),
		];
		return {simulator, answers, texts: simulator.received.map(message => message.text)};
	};

	test.each(rows.filter(row => row.repeat === 'same'))('$name answers with the message it has', async row => {
		// WeCom's key is the text itself.
		const {simulator, answers, texts} = await both(row, row.name === 'wecom' ? 'first' : 'second');
		expect(texts).toEqual(['first']);
		expect(simulator.faults).toEqual([]);
		expect(answers[1]?.body).toMatchObject(withoutText(answers[0]?.body));
	});

	test.each([
		['discord', 1],
		['mattermost', 1],
		['feishu', 1],
		['matrix', 2],
		['wecom', 2],
	])('%s, in two chats: %i message(s)', async (name, count) => {
		const row = rows.find(candidate => candidate.name === name)!;
		const simulator = await openRow(row);
		await sendByHand(simulator.baseUrl, right(row, simulator, {text: 'first', key: 'the-key'}));
		const other = {chat: simulator.otherChatId, text: 'first', key: 'the-key'};
		await sendByHand(simulator.baseUrl, row.write(known(simulator), other));
		expect(simulator.received).toHaveLength(count);
	});

	test.each(rows.filter(row => row.repeat === 'replaced'))('$name puts the second in place of the first', async row => {
		expect((await both(row, 'second')).texts).toEqual(['second']);
	});

	test.each(rows.filter(row => row.repeat === 'refused'))('$name refuses the second', async row => {
		const {simulator, answers, texts} = await both(row, 'second');
		expect(texts).toEqual(['first']);
		expect(simulator.faults).toHaveLength(1);
		expect(answers[1]?.status).toBe(400);
	});
});

describe('a thread', () => {
	const threaded: ReadonlyArray<PlatformRow['name']> = [
		'telegram',
		'discord',
		'slack',
		'matrix',
		'mattermost',
		'feishu',
	];
	const openThread = async (row: PlatformRow) => {
		const simulator = await openRow(row);
		return {simulator, thread: Object.values(simulator.thread ?? {})[0]};
	};

	test.each(rows.filter(row => threaded.includes(row.name)))('$name puts a message into the one it has', async row => {
		const {simulator, thread} = await openThread(row);
		await sendByHand(simulator.baseUrl, right(row, simulator, {thread}));
		expect(simulator.received).toMatchObject([{chat: simulator.chatId, thread}]);
		expect(simulator.faults).toEqual([]);
	});

	test.each(rows.filter(row => threaded.includes(row.name)))('$name refuses one it has not', async row => {
		const {simulator} = await openThread(row);
		await sendByHand(simulator.baseUrl, right(row, simulator, {thread: '4711'}));
		expect(simulator.received).toEqual([]);
		expect(simulator.faults).toHaveLength(1);
	});

	test.each(rows.filter(row => !threaded.includes(row.name)))('$name has none', async row => {
		expect((await openRow(row)).thread).toBeUndefined();
	});
});

/** The parts of an answer that name the message. */
function withoutText(body: unknown): object {
	const {text: _text, content: _content, message: _message, ...rest} = Object(body);
	return rest;
}

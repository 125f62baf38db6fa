import * as fc from 'fast-check';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {deliveryTargets} from '../../source/config/delivery-targets.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {allPlatforms} from '../helpers/platforms/all-platforms.ts';
import {openDelivery} from './open-delivery.ts';

/** What the contract needs to know about a way to a platform; everything else is the same for all. */
type Row = {
	readonly target: string;
	/** How the chats of the simulator are written in `deliver_extra`, and what else must stand there. */
	readonly chat: (id: string) => JsonObject;
	/** `bound`: the settings lead to one chat. */
	readonly chats: 'named' | 'optional' | 'bound';
	readonly repeat: 'safe' | 'unsafe';
	/** Whether a platform that says "too fast" is waited for. */
	readonly waits: boolean;
	/** What a server error of this platform leaves: its gateway may have passed the message on. */
	readonly serverError: 'failed' | 'uncertain';
	/** Whether a long text becomes several messages. */
	readonly splits: boolean;
	readonly threads: boolean;
};

const usual: Omit<Row, 'target'> = {
	chat: id => ({chat_id: id}),
	chats: 'named',
	repeat: 'unsafe',
	waits: true,
	serverError: 'failed',
	splits: true,
	threads: false,
};

const rows: Readonly<Record<Exclude<keyof typeof allPlatforms, 'github_comment'>, Row>> = {
	telegram: {...usual, target: 'telegram', threads: true, serverError: 'uncertain'},
	discord: {...usual, target: 'discord', threads: true, repeat: 'safe'},
	slack: {...usual, target: 'slack', threads: true},
	signal: {...usual, target: 'signal'},
	sms: {...usual, target: 'sms'},
	whatsapp: {...usual, target: 'whatsapp'},
	matrix: {...usual, target: 'matrix', threads: true, repeat: 'safe'},
	mattermost: {...usual, target: 'mattermost', threads: true, repeat: 'safe'},
	homeassistant: {...usual, target: 'homeassistant', chats: 'optional'},
	// A mail server that asks for patience means minutes.
	email: {...usual, target: 'email', waits: false, splits: false},
	// Nor can a robot that rests for ten minutes be waited for.
	dingtalk: {...usual, target: 'dingtalk', chats: 'bound', waits: false},
	feishu: {...usual, target: 'feishu', threads: true, repeat: 'safe'},
	'feishu-webhook': {...usual, target: 'feishu', chats: 'bound'},
	wecom: {...usual, target: 'wecom', repeat: 'safe'},
	'wecom-webhook': {...usual, target: 'wecom', chats: 'bound'},
	weixin: {...usual, target: 'weixin'},
	bluebubbles: {...usual, target: 'bluebubbles'},
	qqbot: {...usual, target: 'qqbot'},
};

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

/** A running simulator, and the door to it. */
async function openRow(name: keyof typeof rows, more: JsonObject = {}) {
	const row = rows[name];
	const clock = createFakeClock();
	const simulator = await allPlatforms[name]({clock});
	onTestFinished(simulator.close);
	const settings = {...simulator.settings, ...more};
	const door = openDelivery({platforms: {[row.target]: settings}, clock});
	const extra = {...simulator.extra, ...(row.chats === 'bound' ? {} : row.chat(simulator.chatId))};
	const deliver = (text: string, other: JsonObject = {}) => door.deliver(row.target, text, {...extra, ...other});
	return {...door, row, simulator, deliver, settings};
}

/** Waits until the simulator has seen so many requests: what follows is up to the clock. */
function seen(simulator: {readonly requests: () => number}, requests: number) {
	return vi.waitFor(() => expect(simulator.requests()).toBe(requests), {interval: 1});
}

const delivered = {kind: 'delivered'};
const failed = {kind: 'failed', problem: {code: 'delivery_failed', message: 'Delivery failed'}};
const uncertain = {kind: 'uncertain', problem: {code: 'outcome_uncertain'}};
const names = Object.keys(rows) as ReadonlyArray<keyof typeof rows>;
const where = (choose: (row: Row) => boolean) => names.filter(name => choose(rows[name]));

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

	test('tells of the delivery once', async () => {
		const {deliver, ofType, row} = await openRow(name);
		await deliver('done');
		expect(ofType('delivery.settled')).toEqual([
			{type: 'delivery.settled', delivery: 'delivery-1', target: row.target, outcome: 'delivered', code: undefined},
		]);
	});

	test('takes Markdown with everything in it, and hostile signs, without a fault', async () => {
		const {deliver, simulator} = await openRow(name);
		const soup =
			'# Head\n**bold** *it* __b__ ~~gone~~ `a<b` [a & b](https://example.org/?a=1&b="2") [x](javascript:alert)\n' +
			'```ts\nif (a < b && c > d) {}\n```\n- item\n> quote @everyone @channel <!channel> <@all> <at user_id="all">\n' +
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

	test.each(['rejected', 'server-error', 'hidden-error'] as const)(
		'fails when the platform answers: %s',
		async kind => {
			const {deliver, simulator, row} = await openRow(name);
			simulator.plan({kind});
			const expected = kind === 'server-error' && row.serverError === 'uncertain' ? uncertain : failed;
			expect(await deliver('lost')).toMatchObject(expected);
			expect({received: simulator.received, requests: simulator.requests()}).toEqual({received: [], requests: 1});
		},
	);

	test('tells the log, and nobody else, what the platform said', async () => {
		const {deliver, simulator, ofType, row} = await openRow(name);
		simulator.plan({kind: 'rejected'});
		await deliver('lost');
		expect(ofType('log')).toMatchObject([
			{level: 'error', text: expect.stringMatching(new RegExp(`^${row.target}: .{5}`, 'u'))},
		]);
		expect(ofType('delivery.settled')).toMatchObject([{outcome: 'failed', code: 'delivery_failed'}]);
	});

	test('keeps its secrets to itself, whatever goes wrong', async () => {
		const {deliver, simulator, events, clock, learnt} = await openRow(name);
		const results: unknown[] = [];
		for (const kind of ['rejected', 'server-error', 'hidden-error', 'hang-up-after-taking'] as const) {
			simulator.plan({kind});
			results.push(await deliver('lost'));
		}

		await simulator.close();
		const last = deliver('lost');
		await clock.advance(30_000);
		results.push(await last);
		const told = JSON.stringify([events, results.map(result => textOf(result))]);
		expect([...learnt].filter(secret => secret.length > 5 && told.includes(secret))).toEqual([]);
	});

	test('fails at once when nobody listens, and says so for sure', async () => {
		const {deliver, simulator} = await openRow(name);
		await simulator.close();
		expect(await deliver('lost')).toMatchObject(failed);
	});

	test('does not wait for a platform that asks for an hour', async () => {
		const {deliver, simulator, clock} = await openRow(name);
		simulator.plan({kind: 'rate-limited', waitSeconds: 3600}, {kind: 'rate-limited', waitSeconds: 3600});
		const waiting = deliver('too fast');
		await seen(simulator, 1);
		await clock.advance(25_000);
		expect(await waiting).toMatchObject(failed);
	});

	test('sends nothing when it is switched off', async () => {
		const {deliver, simulator} = await openRow(name, {enabled: false});
		expect(await deliver('off')).toMatchObject(failed);
		expect(simulator.requests()).toBe(0);
	});
});

describe.each(where(row => row.waits))('%s, when it is too fast for the platform', name => {
	test('waits once as long as it is asked to', async () => {
		const {deliver, simulator, clock} = await openRow(name);
		simulator.plan({kind: 'rate-limited', waitSeconds: 2});
		const result = deliver('patient');
		await seen(simulator, 1);
		await vi.waitFor(() => expect(clock.open()).toBeGreaterThan(1), {interval: 1});
		await clock.advance(1900);
		expect(simulator.requests()).toBe(1);
		await clock.advance(200);
		expect(await result).toMatchObject(delivered);
		expect(simulator.requests()).toBe(2);
	});

	test('gives up the second time', async () => {
		const {deliver, simulator, clock} = await openRow(name);
		simulator.plan({kind: 'rate-limited', waitSeconds: 1}, {kind: 'rate-limited', waitSeconds: 1});
		const result = deliver('too fast');
		await seen(simulator, 1);
		await vi.waitFor(() => expect(clock.open()).toBeGreaterThan(1), {interval: 1});
		await clock.advance(2000);
		expect(await result).toMatchObject(failed);
		expect(simulator.requests()).toBe(2);
	});
});

describe.each(where(row => row.repeat === 'safe'))('%s, which knows repeated messages by a key', name => {
	test('repeats once when the connection breaks, and the message arrives once', async () => {
		const {deliver, simulator} = await openRow(name);
		simulator.plan({kind: 'hang-up-after-taking'});
		expect(await deliver('once')).toMatchObject(delivered);
		expect({received: simulator.received.length, requests: simulator.requests()}).toEqual({received: 1, requests: 2});
	});

	test('is uncertain when the second attempt breaks too', async () => {
		const {deliver, simulator} = await openRow(name);
		simulator.plan({kind: 'hang-up-after-taking'}, {kind: 'hang-up-after-taking'});
		expect(await deliver('perhaps')).toMatchObject(uncertain);
		expect(simulator.requests()).toBe(2);
	});

	test('repeats when the platform is silent for twelve seconds', async () => {
		const {deliver, simulator, clock} = await openRow(name);
		simulator.plan({kind: 'silence'});
		const result = deliver('once');
		await seen(simulator, 1);
		await clock.advance(12_000);
		expect(await result).toMatchObject(delivered);
		expect(simulator.received).toHaveLength(1);
	});
});

describe.each(where(row => row.repeat === 'unsafe'))('%s, which knows no repeated messages', name => {
	test('is uncertain when the connection breaks, and does not repeat', async () => {
		const {deliver, simulator, ofType} = await openRow(name);
		simulator.plan({kind: 'hang-up-after-taking'});
		expect(await deliver('perhaps')).toMatchObject(uncertain);
		expect(simulator.requests()).toBe(1);
		expect(ofType('delivery.settled')).toMatchObject([{outcome: 'outcome_uncertain', code: 'outcome_uncertain'}]);
	});

	test('is uncertain when the platform is silent for thirty seconds, not before', async () => {
		const {deliver, simulator, clock, ofType} = await openRow(name);
		simulator.plan({kind: 'silence'});
		const result = deliver('perhaps');
		await seen(simulator, 1);
		await clock.advance(29_999);
		expect(ofType('delivery.settled')).toEqual([]);
		await clock.advance(1);
		expect(await result).toMatchObject(uncertain);
	});
});

describe.each(where(row => row.chats !== 'bound'))('%s, where messages have a chat', name => {
	test('uses the home channel when none is named', async () => {
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
		const door = openDelivery({platforms: {[row.target]: settings}});
		const result = await door.deliver(row.target, 'lost');
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
	test('puts a message into the one it is told', async () => {
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

function textOf(result: unknown): unknown {
	return result instanceof Object && 'problem' in result
		? Object.entries(Object(result).problem as object).concat([['message', String(Object(result).problem)]])
		: result;
}

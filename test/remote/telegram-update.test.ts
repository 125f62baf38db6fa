import {array, assert, constantFrom, jsonValue, oneof, option, property, tuple} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {readUpdate} from '../../source/remote/telegram-update.ts';
import {isJsonObject} from '../../source/util/json-text.ts';

const person = {id: 456, is_bot: false, first_name: 'Ada', last_name: 'L'};
const bot = {id: 1, is_bot: true, first_name: 'Sluice'};
const group = {id: -5, type: 'supergroup'};
const home = {id: 456, type: 'private'};
const ours = {message_id: 7, date: 1_700_000_000, chat: group, from: bot, text: 'asks'};
const press = {id: '11', from: person, message: ours, chat_instance: '1', data: 's1:x:a'};
const reply = {message_id: 8, date: 1_700_000_001, chat: group, from: person, text: 'no', reply_to_message: ours};
const privately = {message_id: 9, date: 1_700_000_001, chat: home, from: person, text: 'code'};

const readPress = (change: object) => readUpdate({update_id: 1, callback_query: {...press, ...change}});
const readReply = (change: object) => readUpdate({update_id: 1, message: {...reply, ...change}});
const readPrivate = (change: object) => readUpdate({update_id: 1, message: {...privately, ...change}});

test('a press, a reply and a private message are inputs', () => {
	const {id, name} = {id: '456', name: 'Ada L'};
	expect(readPress({})).toEqual({
		kind: 'input',
		input: {
			address: {chat: '-5', message: '7'},
			person: {id, name},
			act: {kind: 'press', value: 's1:x:a', press: '11'},
		},
	});
	expect(readReply({})).toEqual({
		kind: 'input',
		input: {address: {chat: '-5', message: '7'}, person: {id, name}, act: {kind: 'reply', text: 'no'}},
	});
	expect(readPrivate({})).toEqual({
		kind: 'input',
		input: {address: {chat: '456', message: '9'}, person: {id, name}, act: {kind: 'private-message', text: 'code'}},
	});
});

describe('a press counts for nothing', () => {
	test.each<[string, object]>([
		['by an id that is a text', {from: {...person, id: '456'}}],
		['by an id that is no whole number', {from: {...person, id: 456.5}}],
		['by an id that is too large', {from: {...person, id: 2 ** 53}}],
		['by nobody', {from: undefined}],
		['by a bot', {from: {...person, is_bot: true}}],
		['by an account that may be a bot', {from: {id: 456, first_name: 'Ada'}}],
		['without data', {data: undefined}],
		['with empty data', {data: ''}],
		['with data of 65 bytes', {data: `${'é'.repeat(32)}x`}],
		['with data that is a number', {data: 5}],
		['on an inaccessible message', {message: {...ours, date: 0}}],
		['on no message', {message: undefined}],
		['on an inline message', {inline_message_id: 'abc'}],
		['on an inline message alone', {message: undefined, inline_message_id: 'abc'}],
		['on a game', {game_short_name: 'x'}],
		['in a channel', {message: {...ours, chat: {id: -5, type: 'channel'}}}],
		['in a chat whose id is a text', {message: {...ours, chat: {...group, id: '-5'}}}],
		['in the private chat of somebody else', {message: {...ours, chat: {id: 457, type: 'private'}}}],
		['on a message with the id 0', {message: {...ours, message_id: 0}}],
		['on a message whose id is a text', {message: {...ours, message_id: '7'}}],
		['without an id to acknowledge', {id: undefined}],
	])('%s', (_name, change) => {
		expect(readPress(change)).toEqual({kind: 'ignored', reason: expect.stringMatching(/^a press in Telegram/u)});
	});
});

describe('a reply counts for nothing', () => {
	test.each<[string, object]>([
		['by an id that is a text', {from: {...person, id: '456'}}],
		['by a bot', {from: {...person, is_bot: true}}],
		[
			'by an anonymous administrator',
			{from: {id: 1_087_968_824, is_bot: true, first_name: 'Group'}, sender_chat: group},
		],
		['in the name of a chat', {sender_chat: group}],
		['with the signature of an administrator', {author_signature: 'boss'}],
		['forwarded', {forward_origin: {type: 'user', sender_user: person}}],
		['forwarded by an older API', {forward_from: person}],
		['forwarded by itself', {is_automatic_forward: true}],
		['edited', {edit_date: 5}],
		['through a bot', {via_bot: bot}],
		['by a business bot', {sender_business_bot: bot}],
		['of a business', {business_connection_id: 'x'}],
		['of a guest', {guest_query_id: 'x'}],
		['scheduled', {is_from_offline: true}],
		['to a message of another chat', {reply_to_message: {...ours, chat: {id: -6, type: 'group'}}}],
		['to a message whose id is a text', {reply_to_message: {...ours, message_id: '7'}}],
		['in a channel', {chat: {id: -5, type: 'channel'}}],
		['with a text that is a list', {text: ['no']}],
		['with a text of 20,000 characters', {text: 'x'.repeat(20_000)}],
	])('%s', (_name, change) => {
		expect(readReply(change)).toEqual({kind: 'ignored', reason: expect.stringMatching(/^a message in Telegram/u)});
	});
});

test.each<[string, object]>([
	['in the private chat of somebody else', {chat: {id: 457, type: 'private'}}],
	['about a story', {reply_to_story: {}}],
	['about a message elsewhere', {external_reply: {}}],
	['forwarded', {forward_origin: {type: 'hidden_user'}}],
])('a private message counts for nothing %s', (_name, change) => {
	expect(readPrivate(change).kind).toBe('ignored');
});

test.each<[string, unknown]>([
	['a message in a group that replies to nothing', {message: {...reply, reply_to_message: undefined}}],
	['a reply to a person', {message: {...reply, reply_to_message: {...ours, from: person}}}],
	['a picture', {message: {...privately, text: undefined, photo: []}}],
	['a pinned message', {message: {...reply, text: undefined, pinned_message: ours}}],
])('%s is not even reported', (_name, update) => {
	expect(readUpdate(update)).toEqual({kind: 'other'});
});

test.each<[string, unknown]>([
	['a text', 'press'],
	['nothing', null],
	['an edited message', {edited_message: reply}],
	['a channel post', {channel_post: reply}],
	['a press and a message at once', {callback_query: press, message: reply}],
	['a message that is a list', {message: [reply]}],
])('%s is no input', (_name, update) => {
	expect(readUpdate(update).kind).toBe('ignored');
});

test('names of inherited members are none of an update', () => {
	const update: unknown = JSON.parse(
		'{"message":{"__proto__":{"text":"x"},"constructor":1,"text":"x","chat":{"type":"private"}}}',
	);
	expect(readUpdate(update).kind).toBe('ignored');
});

/** Values in place of any member: right ones, near ones and wild ones. */
const wild = oneof(
	jsonValue({maxDepth: 2}),
	constantFrom<unknown>(
		456,
		'456',
		-5,
		0,
		7,
		'7',
		2 ** 53,
		true,
		false,
		null,
		'',
		person,
		bot,
		group,
		home,
		ours,
		reply,
		press,
		[],
		{},
	),
);
const memberNames =
	`id from message data chat text date message_id reply_to_message is_bot type first_name sender_chat via_bot forward_origin edit_date
	inline_message_id migrate_to_chat_id is_from_offline`.split(/\s+/u);
const paths = array(constantFrom('callback_query', ...memberNames), {minLength: 1, maxLength: 4});
const changes = array(tuple(paths, option(wild, {nil: undefined})), {maxLength: 4});
const base = constantFrom<object>({callback_query: press}, {message: reply}, {message: privately});

function changed(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
	if (name === undefined) {
		return to;
	}

	const object = isJsonObject(value) ? value : {};
	return {...object, [name]: changed(object[name], rest, to)};
}

/** The rules of the documentation, said once more: what any input has to come from. */
function isAllowed(update: unknown): boolean {
	const at = (...path: readonly string[]) =>
		path.reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), update);
	const isPress = at('callback_query') !== undefined;
	const place = isPress ? ['callback_query', 'message'] : ['message'];
	const from = isPress ? ['callback_query', 'from'] : ['message', 'from'];
	const own = at(isPress ? 'callback_query' : 'message');
	const signs = isPress
		? ['inline_message_id']
		: ['sender_chat', 'via_bot', 'forward_origin', 'edit_date', 'is_from_offline'];
	return (
		Number.isSafeInteger(at(...from, 'id')) &&
		at(...from, 'is_bot') === false &&
		Number.isSafeInteger(at(...place, 'chat', 'id')) &&
		['private', 'group', 'supergroup'].includes(String(at(...place, 'chat', 'type'))) &&
		Number(at(...place, 'date')) > 0 &&
		typeof at(isPress ? 'callback_query' : 'message', isPress ? 'data' : 'text') === 'string' &&
		(at(...place, 'chat', 'type') !== 'private' || at(...place, 'chat', 'id') === at(...from, 'id')) &&
		(isPress ? at('message') === undefined : true) &&
		isJsonObject(own) &&
		!signs.some(name => Object.hasOwn(own, name))
	);
}

test('20,000 random updates: an input is always one that the documentation allows, by the person and on the message that it names', () => {
	let inputs = 0;
	assert(
		property(base, changes, (start, list) => {
			const update: unknown = JSON.parse(
				JSON.stringify(list.reduce<unknown>((value, [path, to]) => changed(value, path, to), start)),
			);
			const meaning = readUpdate(update);
			if (meaning.kind !== 'input') {
				return;
			}

			inputs++;
			expect(isAllowed(update)).toBe(true);
			const {person: by, address, act} = meaning.input;
			const pressed = isJsonObject(update) && update['callback_query'] !== undefined;
			expect(act.kind === 'press').toBe(pressed);
			const text = JSON.stringify(update);
			expect(text).toContain(`"id":${by.id}`);
			expect(text).toContain(`"message_id":${address.message}`);
		}),
		{numRuns: 20_000},
	);
	// The positive control: changes leave enough of them as they were.
	expect(inputs).toBeGreaterThan(3000);
});

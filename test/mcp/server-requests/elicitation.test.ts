import {describe, expect, test} from 'vitest';
import {type JsonObject} from '../../../source/util/json-text.ts';
import {openTestHold} from '../../helpers/open-hold.ts';
import {openAsking} from '../asking.ts';

const eras = ['legacy', 'stateless'] as const;

const booking: JsonObject = {
	type: 'object',
	properties: {
		name: {type: 'string', title: 'Your name', minLength: 2},
		seats: {type: 'integer', minimum: 1, maximum: 9, default: 2},
		window: {type: 'boolean', default: true},
		meal: {
			type: 'string',
			oneOf: [
				{const: 'v', title: 'Vegetarian'},
				{const: 'm', title: 'Meat'},
			],
			default: 'v',
		},
		extras: {type: 'array', items: {type: 'string', enum: ['wifi', 'bag']}, default: ['bag']},
	},
	required: ['name'],
};

test('what a person answers while everything is held reaches the server after the release', async () => {
	const hold = openTestHold();
	await hold.hold({by: 'cli', reason: ''});
	const {askForm} = await openAsking('legacy', {
		hold,
		reply: () => ({kind: 'accept', values: {name: 'Ada'}}),
	});
	let end = 'none';
	const answer = askForm(booking).finally(() => void (end = 'answered'));
	await expect.poll(() => hold.waiting()).toMatchObject([{kind: 'elicitation'}]);
	expect(end).toBe('none');
	await hold.release({by: 'cli', hash: hold.current()?.hash ?? ''});
	expect(await answer).toMatchObject({action: 'accept', content: {name: 'Ada'}});
});

describe.each(eras)('in the %s era', era => {
	test('forms are declared, addresses are not', async () => {
		const {call} = await openAsking(era);
		expect(await call('capabilities')).toEqual({elicitation: {form: {}}});
	});

	test('nothing is declared when elicitation is switched off', async () => {
		const {call} = await openAsking(era, {config: {elicitation: undefined}});
		expect(await call('capabilities')).toEqual({});
	});

	test('the server gets what the person filled in, completed with defaults', async () => {
		const {askForm} = await openAsking(era, {reply: () => ({kind: 'accept', values: {name: 'Ada', seats: 3}})});
		expect(await askForm(booking)).toEqual({
			action: 'accept',
			content: {name: 'Ada', seats: 3, window: true, meal: 'v', extras: ['bag']},
		});
	});

	test('a refusal reaches the server as decline', async () => {
		const {askForm} = await openAsking(era, {reply: () => ({kind: 'decline'})});
		expect(await askForm(booking)).toEqual({action: 'decline'});
	});

	test('an address is declined without asking', async () => {
		const {call, cards, warnings} = await openAsking(era);
		const params = {mode: 'url', message: 'Log in', url: 'https://example.org/', elicitationId: '1'};
		expect(await call('ask', {method: 'elicitation/create', params})).toEqual({action: 'decline'});
		expect(cards).toEqual([]);
		expect(warnings()).toEqual([expect.stringContaining('to open an address')]);
	});

	test('the time a person takes does not count for the call', async () => {
		const config = {timeoutSeconds: 0.3, elicitation: {timeoutSeconds: 0.8, pages: 'declined'}} as const;
		const {askForm} = await openAsking(era, {config, reply: () => 'nothing'});
		expect(await askForm(booking)).toEqual({action: 'cancel'});
	});

	test('a question ends with the call that brought it', async () => {
		const caller = new AbortController();
		const {connections, told} = await openAsking(era, {
			reply() {
				// Nothing shows that the question has been taken up after this return.
				setTimeout(() => caller.abort(), 20);
				return 'nothing';
			},
		});
		const request = {method: 'elicitation/create', params: {message: 'Please', requestedSchema: booking}};
		const call = connections
			.find('fixture')
			?.request(
				{kind: 'tool', tool: 'ask', arguments: request, readOnly: false},
				{signal: caller.signal, origin: {kind: 'command-line'}},
			);
		await expect(call).rejects.toMatchObject({code: 'cancelled'});
		await expect.poll(() => told.ofType('question.settled')).toMatchObject([{outcome: 'cancelled'}]);
	});
});

test('a server that asks while no call is under way reaches nobody', async () => {
	const {call, cards, warnings} = await openAsking('legacy');
	await call('unasked', {method: 'elicitation/create', params: {message: 'Your key?', requestedSchema: booking}});
	await expect.poll(warnings).toEqual([expect.stringContaining('while no call was under way')]);
	expect(cards).toEqual([]);
});

test('the person sees who asks, what, and where the call came from', async () => {
	const {askForm, cards} = await openAsking('legacy', {origin: {kind: 'endpoint', client: 'robot\u009B2J'}});
	await askForm(booking, {message: 'Book \u001B[31mnow'});
	expect(cards).toMatchObject([
		{
			kind: 'elicitation',
			asker: 'fixture',
			message: 'Book ␛[31mnow',
			origin: {kind: 'endpoint', client: 'robot‹U+009B›2J'},
		},
	]);
});

test('a question put aside reaches the server as cancel', async () => {
	const {askForm} = await openAsking('legacy', {reply: () => ({kind: 'cancel'})});
	expect(await askForm(booking)).toEqual({action: 'cancel'});
});

test('a question nobody answers in time reaches the server as cancel, and is timed_out here', async () => {
	const config = {elicitation: {timeoutSeconds: 0.1, pages: 'declined'}} as const;
	const {askForm, told} = await openAsking('legacy', {config, reply: () => 'nothing'});
	expect(await askForm(booking)).toEqual({action: 'cancel'});
	expect(told.ofType('question.settled')).toMatchObject([{outcome: 'timed_out'}]);
});

test('a question nobody can see reaches the server as cancel, and is no_channel here', async () => {
	const {askForm, told} = await openAsking('legacy', {console: false});
	expect(await askForm(booking)).toEqual({action: 'cancel'});
	expect(told.ofType('question.settled')).toMatchObject([{outcome: 'no_channel'}]);
});

test('a form that cannot be shown is declined, and the log says why', async () => {
	const fields = Array.from({length: 51}, (_, index) => [`field${index}`, {type: 'string'}]);
	const {askForm, cards, warnings} = await openAsking('legacy');
	expect(await askForm({type: 'object', properties: Object.fromEntries(fields)})).toEqual({action: 'decline'});
	expect(cards).toEqual([]);
	expect(warnings()).toEqual([expect.stringContaining('51 fields; at most 50 can be shown')]);
});

test('a server that asks without end gets five forms shown and no more', async () => {
	const {call, cards, warnings, connections} = await openAsking('legacy', {reply: () => 'nothing'});
	const ask = {method: 'elicitation/create', params: {message: 'Please', requestedSchema: booking}};
	const flood = expect(call('ask', {...ask, times: 100})).rejects.toBeDefined();
	await expect.poll(() => cards.length).toBe(5);
	await expect.poll(() => warnings().length).toBe(10);
	expect(warnings()[0]).toContain('it already had 5 forms waiting');
	await connections.stop();
	await flood;
});

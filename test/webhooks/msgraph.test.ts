import {describe, expect, test} from 'vitest';
import {toSenderRules} from '../../source/config/webhooks/sender-rules.ts';
import {openHandler} from './open-handler.ts';

const secret = 'the client state ü';

function open() {
	const handler = openHandler({
		routes: [{name: 'r', secrets: ['the former one', secret], ...toSenderRules({signature: 'msgraph'})}],
	});
	const send = (body: object | string, headers: Readonly<Record<string, string>> = {}, search = '') =>
		handler.post({
			url: `/webhooks/r${search}`,
			body: typeof body === 'string' ? body : JSON.stringify(body),
			headers: {'content-type': 'application/json; charset=utf-8', ...headers},
		});
	return {...handler, send};
}

const created = {changeType: 'created', clientState: secret, resource: "Users('1')/Messages('2')", id: 'a'};

test('a challenge is answered as text before the body is read', async () => {
	const {send, journal} = open();
	const token = 'Validation: Testing client application reachability for subscription Request-Id: 1-2';
	const reply = await send('{', {}, `?${new URLSearchParams({validationToken: token}).toString()}`);
	expect(reply).toMatchObject({status: 200, text: token, headers: {'content-type': 'text/plain; charset=utf-8'}});
	expect(journal.runs).toEqual([]);
});

describe('notifications', () => {
	test('with the secret in each of them are one event, whose id is made of theirs', async () => {
		const {send, journal} = open();
		const value = [created, {...created, changeType: 'updated', id: 'b', clientState: 'the former one'}];
		expect(await send({value})).toMatchObject({status: 202, body: {event: 'created', delivery_id: 'a b'}});
		expect(await send({value})).toMatchObject({status: 200, name: 'duplicate'});
		expect(journal.runs).toHaveLength(1);
	});

	test('without ids come as often as they are sent', async () => {
		const {send, journal} = open();
		const {id: _, ...without} = created;
		await send({value: [without]});
		expect(await send({value: [without]})).toMatchObject({status: 202});
		expect(journal.runs).toHaveLength(2);
	});

	test('about the subscription itself have their own event type', async () => {
		const {send} = open();
		const {changeType: _, ...lifecycle} = {...created, lifecycleEvent: 'reauthorizationRequired'};
		expect(await send({value: [lifecycle]})).toMatchObject({body: {event: 'reauthorizationRequired'}});
	});

	test('leave their secret in no row and in no prompt', async () => {
		const {send, journal} = open();
		await send({value: [created], big: 1}, {});
		await send('{"value":[{"clientState":"the client state \\u00fc","changeType":"updated","size":9007199254740993}]}');
		const kept = journal.rows.map(({body}) => Buffer.from(body ?? []).toString('utf8'));
		expect(kept).toHaveLength(2);
		expect(JSON.stringify([kept, journal.runs])).not.toContain('the client state');
		expect(kept[1]).toBe('{"value":[{"clientState":"‹masked›","changeType":"updated","size":9007199254740993}]}');
	});

	test.each<[string, object | string, Readonly<Record<string, string>>?]>([
		['with another secret', {value: [{...created, clientState: 'another'}]}],
		['of which one has another secret', {value: [created, {...created, clientState: 'another'}]}],
		['of which one has none', {value: [created, {changeType: 'created'}]}],
		['with a secret that is no text', {value: [{...created, clientState: [secret]}]}],
		['that are none', {value: []}],
		['that are no list', {value: created}],
		['without a list', {}],
		['that are more than 1,000', {value: Array.from({length: 1001}, () => created)}],
		['in a list', [{value: [created]}]],
		['that are no JSON', '{'],
		['that are read as a form', {value: [created]}, {'content-type': 'application/x-www-form-urlencoded'}],
	])('%s are refused', async (_, body, headers) => {
		const {send, journal} = open();
		expect(await send(body, headers)).toMatchObject({status: 401, body: {error: 'Invalid signature'}});
		expect(journal.runs).toEqual([]);
		expect(await send({value: [created]})).toMatchObject({status: 202});
	});
});

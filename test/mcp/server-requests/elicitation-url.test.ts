import {describe, expect, test, vi} from 'vitest';
import {type AskCaller} from '../../../source/approvals/ask-caller.ts';
import {openTestHold} from '../../helpers/open-hold.ts';
import {openAsking} from '../asking.ts';

const eras = ['legacy', 'stateless'] as const;
const url = 'https://accounts.example.com/authorize?state=s3cret';
const config = {elicitation: {timeoutSeconds: 10, pages: 'asked'}} as const;
const page = (members: object = {}) => ({
	method: 'elicitation/create',
	params: {mode: 'url', message: 'Log in\u001B[2J', url, elicitationId: 'p1', ...members},
});

describe.each(eras)('in the %s era', era => {
	test('addresses are declared where the entry says so', async () => {
		const {call} = await openAsking(era, {config});
		expect(await call('capabilities')).toEqual({elicitation: {form: {}, url: {}}});
	});

	test.each([
		[{kind: 'accept', values: {}}, {action: 'accept'}],
		[{kind: 'decline'}, {action: 'decline'}],
		[{kind: 'cancel'}, {action: 'cancel'}],
	] as const)('the answer %j reaches the server as %j', async (reply, result) => {
		const {call, cards} = await openAsking(era, {config, reply: () => reply});
		expect(await call('ask', page())).toEqual(result);
		expect(cards).toMatchObject([
			{
				kind: 'url',
				asker: 'fixture',
				message: 'Log in␛[2J',
				fields: [],
				url: {address: url, host: 'accounts.example.com'},
			},
		]);
	});

	test('an address that is never opened is declined without asking', async () => {
		const {call, cards, warnings} = await openAsking(era, {config});
		const answer = await call('ask', page({url: 'http://example.com/?key=hunter2'}));
		expect(answer).toEqual({action: 'decline'});
		expect(cards).toEqual([]);
		expect(warnings()).toEqual([expect.stringContaining('only https')]);
		expect(warnings().join()).not.toContain('hunter2');
	});

	test('nobody at a console reaches the server as cancel', async () => {
		const {call} = await openAsking(era, {config, console: false});
		expect(await call('ask', page())).toEqual({action: 'cancel'});
	});
});

test('an answer while everything is held reaches the server after the release', async () => {
	const hold = openTestHold();
	await hold.hold({by: 'cli', reason: ''});
	const {call, cards} = await openAsking('legacy', {config, hold, reply: () => ({kind: 'accept', values: {}})});
	const answer = call('ask', page());
	await expect.poll(() => hold.waiting()).toMatchObject([{kind: 'elicitation'}]);
	expect(cards).toHaveLength(1);
	await hold.release({by: 'cli', hash: hold.current()?.hash ?? ''});
	expect(await answer).toEqual({action: 'accept'});
});

test('a page that was opened is finished with when its server says so, once, and for no other id', async () => {
	const {call, cards, told} = await openAsking('legacy', {config, reply: () => ({kind: 'accept', values: {}})});
	await call('ask', page());
	await call('finish', {id: 'another'});
	await call('finish', {id: 'p1'});
	await call('finish', {id: 'p1'});
	await expect.poll(() => told.ofType('question.finished')).toMatchObject([{id: cards[0]?.id, asker: 'fixture'}]);
	await call('capabilities');
	expect(told.ofType('question.finished')).toHaveLength(1);
});

describe('a call that a server refuses until a page was opened', () => {
	const accepts = {kind: 'accept', values: {}} as const;

	test('is sent again once the server says that the page is finished with', async () => {
		const {call, cards, told} = await openAsking('legacy', {
			config,
			reply: ({kind}) => (kind === 'url' ? accepts : 'nothing'),
		});
		expect(await call('needs_page', {id: 'n1', url, finishes: true})).toBe('done');
		expect(cards.map(({kind}) => kind)).toEqual(['url', 'elicitation']);
		// The second question is withdrawn: nobody had to answer it.
		expect(told.ofType('question.settled').map(({outcome}) => outcome)).toEqual(['answered', 'cancelled']);
	});

	test('is sent again when the person says so', async () => {
		const {call, cards} = await openAsking('legacy', {config, reply: () => accepts});
		expect(await call('needs_page', {id: 'n2', url})).toBe('done');
		expect(cards.map(({message}) => message)).toEqual(['Log in first', expect.stringContaining('accept this')]);
	});

	test.each([
		[{kind: 'decline'}, 'that was declined'],
		[{kind: 'cancel'}, 'nobody did'],
	] as const)('fails with the reason when the answer is %j', async (reply, reason) => {
		const {call} = await openAsking('legacy', {config, reply: () => reply});
		await expect(call('needs_page', {id: 'n3', url})).rejects.toMatchObject({
			code: 'call_failed',
			message: expect.stringContaining(reason),
		});
	});

	test('is not sent again while the person is not finished', async () => {
		const reply = ({kind}: {readonly kind: string}) => (kind === 'url' ? accepts : ({kind: 'decline'} as const));
		const {call} = await openAsking('legacy', {config, reply});
		await expect(call('needs_page', {id: 'n4', url})).rejects.toMatchObject({
			message: expect.stringContaining('not finished with'),
		});
	});

	test('fails at once where addresses are not allowed', async () => {
		const {call, cards} = await openAsking('legacy');
		await expect(call('needs_page', {id: 'n5', url})).rejects.toMatchObject({code: 'call_failed'});
		expect(cards).toEqual([]);
	});
});

test.each(['url', 'form'] as const)(
	'the program that called is asked a %s only after the release of a hold',
	async mode => {
		const hold = openTestHold();
		await hold.hold({by: 'cli', reason: ''});
		const ask = vi.fn<AskCaller['ask']>(async () => ({kind: 'declined', by: 'client laptop'}));
		const askCaller = {modes: new Set([mode]), ask, finished: () => undefined};
		const {call, askForm, cards} = await openAsking('legacy', {config, hold, askCaller});
		const answer = mode === 'url' ? call('ask', page()) : askForm({type: 'object', properties: {}});
		await expect.poll(() => hold.waiting()).toMatchObject([{kind: 'elicitation'}]);
		expect(ask).not.toHaveBeenCalled();
		await hold.release({by: 'cli', hash: hold.current()?.hash ?? ''});
		expect(await answer).toEqual({action: 'decline'});
		expect(ask).toHaveBeenCalledOnce();
		expect(cards).toEqual([]);
	},
);

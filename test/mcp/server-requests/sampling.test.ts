import {describe, expect, test} from 'vitest';
import {type SamplingPolicy} from '../../../source/config/servers/server-entry.ts';
import {type Complete, type CompletionRequest} from '../../../source/mcp/server-requests/sampling-request.ts';
import {Problem} from '../../../source/util/problem.ts';
import {openTestHold} from '../../helpers/open-hold.ts';
import {type Era, openAsking} from '../asking.ts';

const policy: SamplingPolicy = {
	maximumTokens: 4096,
	timeoutSeconds: 5,
	requestsPerMinute: 2,
	maximumToolRounds: 5,
	allowedModels: [],
};

/** A server that may ask a model, which greets and remembers what it was asked. */
async function openModel(era: Era, options: Partial<Parameters<typeof openAsking>[1]> = {}) {
	const requests: CompletionRequest[] = [];
	const complete: Complete = async request => {
		requests.push(request);
		return {model: 'model-1', text: 'Hello yourself', stopReason: 'endTurn'};
	};
	const asking = await openAsking(era, {complete, ...options, config: {sampling: policy, ...options?.config}});
	return {...asking, requests};
}

const answered = {
	model: 'model-1',
	role: 'assistant',
	stopReason: 'endTurn',
	content: {type: 'text', text: 'Hello yourself'},
};

describe.each(['legacy', 'stateless'] as const)('in the %s era', era => {
	test('a server gets the answer of the model', async () => {
		const {askModel, requests} = await openModel(era);
		expect(await askModel({systemPrompt: 'Be kind', temperature: 0.5})).toEqual(answered);
		expect(requests).toEqual([
			{
				system: 'Be kind',
				temperature: 0.5,
				maximumTokens: 100,
				messages: [{role: 'user', parts: [{kind: 'text', text: 'Hello'}]}],
			},
		]);
	});

	test('without a configured model the capability is not declared', async () => {
		const {call} = await openModel(era, {complete: undefined});
		expect(await call('capabilities')).toEqual({elicitation: {form: {}}});
	});

	test('a denied request never reaches the model', async () => {
		const {askModel, requests, warnings} = await openModel(era, {
			approveSampling: async () => ({kind: 'denied', by: 'console:1'}),
		});
		await askModel({}).catch(() => undefined);
		expect(requests).toEqual([]);
		expect(warnings()).toEqual([expect.stringContaining('a person denied it')]);
	});
});

test('a server hears nothing of why a request could not be approved', async () => {
	const {askModel, requests, warnings} = await openModel('legacy', {
		async approveSampling() {
			throw new Problem('storage_unavailable', {message: 'The database on db.example.com cannot be used'});
		},
	});
	expect(JSON.stringify(await askModel({}).catch(String))).toMatch(/refused: it cannot be approved now["\\]/u);
	expect(requests).toEqual([]);
	expect(warnings()).toEqual([expect.stringContaining('cannot be approved now (The database on db.example.com')]);
});

test('while everything is held the model is not asked, and after the release only if that is still allowed', async () => {
	for (const allowed of [true, false]) {
		const hold = openTestHold();
		await hold.hold({by: 'cli', reason: ''});
		let asked = 0;
		const {askModel, requests} = await openModel('legacy', {
			hold,
			approveSampling: async () =>
				++asked === 1 || allowed ? {kind: 'approved', scope: 'once', by: 'trust'} : {kind: 'denied', by: 'console:1'},
		});
		const answer = askModel({});
		await expect.poll(() => hold.waiting()).toMatchObject([{kind: 'sampling', server: 'fixture'}]);
		expect(requests).toEqual([]);
		await hold.release({by: 'cli', hash: hold.current()?.hash ?? ''});
		expect(await answer).toMatchObject(allowed ? answered : {error: {message: expect.stringContaining('denied')}});
		expect([asked, requests.length]).toEqual([2, allowed ? 1 : 0]);
	}
});

test('an answer of the model that comes while everything is held reaches the server after the release', async () => {
	const hold = openTestHold();
	const thought = Promise.withResolvers<Awaited<ReturnType<Complete>>>();
	let asked = 0;
	const complete: Complete = () => {
		asked++;
		return thought.promise;
	};
	const {askModel} = await openModel('legacy', {hold, complete});
	let isAnswered = false;
	const answer = askModel({}).finally(() => (isAnswered = true));
	await expect.poll(() => asked).toBe(1);
	await hold.hold({by: 'cli', reason: ''});
	thought.resolve({model: 'model-1', text: 'Hello yourself', stopReason: 'endTurn'});
	await expect.poll(() => hold.waiting()).toMatchObject([{kind: 'sampling', server: 'fixture'}]);
	expect(isAnswered).toBe(false);
	await hold.release({by: 'cli', hash: hold.current()?.hash ?? ''});
	expect(await answer).toEqual(answered);
});

test('a server that is refused hears why', async () => {
	const {askModel} = await openModel('legacy', {config: {sampling: {...policy, requestsPerMinute: 0}}});
	expect(await askModel({})).toMatchObject({error: {message: expect.stringContaining('more than 0 requests')}});
});

test('a refusal inside a stateless call is the error of that call', async () => {
	const {askModel} = await openModel('stateless', {config: {sampling: {...policy, requestsPerMinute: 0}}});
	await expect(askModel({})).rejects.toMatchObject({code: 'sampling_refused'});
});

test('requests are counted over the minute', async () => {
	const {askModel, requests} = await openModel('legacy');
	await askModel({});
	await askModel({});
	expect(await askModel({})).toMatchObject({error: {message: expect.stringContaining('more than 2 requests')}});
	expect(requests).toHaveLength(2);
});

test('a model that takes too long is given up', async () => {
	const config = {sampling: {...policy, timeoutSeconds: 0.1}};
	const {askModel} = await openModel('legacy', {config, complete: () => new Promise(() => undefined)});
	expect(await askModel({})).toMatchObject({error: {message: expect.stringContaining('longer than 0.1 s')}});
});

test('pictures reach the model, results of tools as text', async () => {
	const {askModel, requests} = await openModel('legacy');
	await askModel({
		messages: [
			{role: 'user', content: {type: 'image', data: 'aGk=', mimeType: 'image/png'}},
			{role: 'user', content: [{type: 'tool_result', toolUseId: '1', content: [{type: 'text', text: 'done'}]}]},
		],
	});
	expect(requests[0]?.messages.map(({parts}) => parts)).toEqual([
		[{kind: 'image', data: 'aGk=', mediaType: 'image/png'}],
		[{kind: 'text', text: expect.stringContaining('done')}],
	]);
});

test('the server does not learn what broke behind the model', async () => {
	const {askModel} = await openModel('legacy', {complete: () => Promise.reject(new Error('key sk-123 is wrong'))});
	const told = await askModel({});
	expect(told).toMatchObject({error: {message: 'The model did not answer'}});
	expect(JSON.stringify(told)).not.toContain('sk-123');
});

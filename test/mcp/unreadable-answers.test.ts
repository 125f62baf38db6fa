import {describe, expect, test} from 'vitest';
import {type CallContent} from '../../source/mcp/connection.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openConnections, serverConfig, stdioFixture} from './fixture-servers.ts';
import {answerWith, connectTo, ways} from './raw-server.ts';

const kept = {type: 'text', text: 'kept'};
const understood: ReadonlyArray<{
	readonly what: string;
	readonly result: Readonly<Record<string, unknown>>;
	readonly texts: readonly string[];
	readonly more?: Partial<CallContent>;
}> = [
	{
		what: 'a block of an unknown type',
		result: {content: [kept, {type: 'hologram', depth: 3}]},
		texts: ['kept', '[content block of an unknown form: {"type":"hologram","depth":3}]'],
	},
	{
		what: 'a block without a type',
		result: {content: [{text: 'x'}, kept]},
		texts: ['[content block of an unknown form: {"text":"x"}]', 'kept'],
	},
	{
		what: 'blocks that are none',
		result: {content: ['x', null, kept]},
		texts: ['[content block of an unknown form: "x"]', '[content block of an unknown form: null]', 'kept'],
	},
	{what: 'no content', result: {}, texts: ['[the answer has no content]']},
	{what: 'content that is no list', result: {content: 'x'}, texts: ['[content of an unknown form: "x"]']},
	{
		what: 'a picture that is not base64',
		result: {content: [kept, {type: 'image', data: '%%%', mimeType: 'image/png'}]},
		texts: ['kept', '[image (image/png): its data cannot be read]'],
	},
	{
		what: 'notes on a block that are not valid',
		result: {content: [{...kept, annotations: 'x', _meta: 1}]},
		texts: ['kept'],
	},
	{
		what: 'structured content that is null',
		result: {content: [kept], structuredContent: null},
		texts: ['kept', '[structured content of an unknown form: null]'],
	},
	{
		what: 'structured content that is a list',
		result: {content: [kept], structuredContent: [1]},
		texts: ['kept', '[structured content of an unknown form: [1]]'],
	},
	{
		what: 'structured content and nothing else',
		result: {structuredContent: {a: 1}},
		texts: [],
		more: {structuredContent: {a: 1}},
	},
	{
		what: 'isError as a text',
		result: {content: [kept], isError: 'true'},
		texts: ['kept', '[isError of an unknown form: "true"]'],
		more: {isError: true},
	},
	{what: '_meta that is none', result: {content: [kept], _meta: 'x'}, texts: ['kept']},
	{what: '_meta with members of other types', result: {content: [kept], _meta: {progressToken: {}}}, texts: ['kept']},
];

describe.each(ways)('$era, over $over: what is understood is kept of', way => {
	test.each(understood)('$what', async ({result, texts, more}) => {
		const {call} = await connectTo(way, answerWith(way, result));
		expect(await call(false)).toEqual({content: texts.map(text => ({type: 'text', text})), isError: false, ...more});
	});

	test('a message with members too many and too few', async () => {
		const {call} = await connectTo(
			way,
			`{"id":"%ID%","error":null,"extra":1,"result":{"content":[{"type":"text","text":"kept"}]}}`,
		);
		expect(await call(false)).toMatchObject({content: [kept]});
	});

	test.each([
		['"no luck"', 'no luck'],
		['{"message":"no luck"}', 'no luck'],
		['{"code":"E","message":"no luck"}', 'no luck'],
	])('the error %s', async (error, text) => {
		const {call, connects} = await connectTo(way, `{"jsonrpc":"2.0","id":%ID%,"error":${error}}`);
		await expect(call(false)).rejects.toMatchObject({code: 'call_failed', message: expect.stringContaining(text)});
		expect(connects()).toBe(1);
	});
});

const frames = [
	{what: 'a result of null', text: '{"jsonrpc":"2.0","id":%ID%,"result":null}'},
	{what: 'a result that is a list', text: '{"jsonrpc":"2.0","id":%ID%,"result":[]}'},
	{what: 'neither result nor error', text: '{"jsonrpc":"2.0","id":%ID%}'},
	{
		what: 'result and error',
		text: '{"jsonrpc":"2.0","id":%ID%,"result":{"content":[]},"error":{"code":1,"message":"x"}}',
	},
	{what: 'a task', text: '{"jsonrpc":"2.0","id":%ID%,"result":{"task":{"taskId":"1","status":"working"}}}'},
];
const statelessOnly = [
	{
		what: 'a result of an unknown kind',
		text: '{"jsonrpc":"2.0","id":%ID%,"result":{"resultType":"task","taskId":"1"}}',
	},
	{
		what: 'input that is required, but none',
		text: '{"jsonrpc":"2.0","id":%ID%,"result":{"resultType":"input_required"}}',
	},
	{
		what: 'input that nobody can give',
		text: '{"jsonrpc":"2.0","id":%ID%,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}}',
	},
];
const httpOnly = [
	{what: 'no JSON', text: '<html>'},
	{what: 'JSON that is no message', text: '"x"'},
];

describe.each(ways)('$era, over $over: an answer that cannot be read', way => {
	const table = [...frames, ...(way.era === 'stateless' ? statelessOnly : []), ...httpOnly];

	test.each(table)('leaves the outcome of a call open, which is sent once: $what', async ({text}) => {
		const {call, heard, connects} = await connectTo(way, text);
		await expect(call(false)).rejects.toMatchObject({code: 'outcome_uncertain'});
		expect(connects()).toBe(1);
		expect(heard.filter(method => method === 'tools/call')).toHaveLength(1);
	});

	test.each(table)('is reported when the call was read-only, and not asked for again: $what', async ({text}) => {
		const {call, heard, connects} = await connectTo(way, text);
		await expect(call(true)).rejects.toMatchObject({
			code: 'call_failed',
			message: 'The answer of the server cannot be read',
		});
		expect(connects()).toBe(1);
		expect(heard.filter(method => method === 'tools/call')).toHaveLength(1);
	});
});

test.each(['legacy', 'stateless'] as const)(
	'over stdio the same is kept, and the same cannot be read (%s)',
	async era => {
		const protocol = era === 'stateless' ? 'stateless' : 'auto';
		const {connections, recorded} = openConnections([serverConfig(stdioFixture('mcp-raw.ts', era), {protocol})]);
		await connections.settled(neverAborted());
		const call = (text: string, readOnly: boolean) =>
			connections
				.find('fixture')
				?.request({kind: 'tool', tool: 'echo', arguments: {text}, readOnly}, {signal: neverAborted()});
		for (const {what, result, texts, more} of understood) {
			const content = texts.map(text => ({type: 'text', text}));
			const expected = {content, isError: false, ...more};
			expect(await call(answerWith({era}, result), false), what).toEqual(expected);
		}

		for (const {what, text} of [...frames, ...(era === 'stateless' ? statelessOnly : [])]) {
			await expect(call(text, false), what).rejects.toMatchObject({code: 'outcome_uncertain'});
			await expect(call(text, true), what).rejects.toMatchObject({code: 'call_failed'});
		}

		expect(recorded.ofType('server.state').filter(({state}) => state === 'connected')).toHaveLength(1);
	},
	30_000,
);

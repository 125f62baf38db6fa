import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runMcpCall} from '../../../source/commands/mcp/mcp-call.ts';
import {type ParamsOf} from '../../../source/state/api.ts';
import {type ServerJson, type ToolJson} from '../../../source/state/json/server.ts';
import {type JsonObject} from '../../../source/util/json-text.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openContext, ownCore} from '../command-fixture.ts';

const schema: JsonObject = {
	type: 'object',
	properties: {
		path: {type: 'string'},
		count: {type: 'integer'},
		share: {type: 'number'},
		deep: {type: 'boolean'},
		list: {type: 'array'},
		options: {type: 'object'},
		limit: {anyOf: [{type: 'integer'}, {type: 'null'}]},
		either: {type: ['string', 'number']},
		level: {enum: [1, 2]},
		mode: {$ref: '#/$defs/Mode'},
		loop: {$ref: '#/properties/loop'},
		anything: {},
	},
	$defs: {Mode: {type: 'boolean'}},
	additionalProperties: false,
};

function tool(name: string, server: string, own: string, inputSchema = schema): ToolJson {
	return {
		name,
		server,
		tool: own,
		title: null,
		description: '',
		input_schema: inputSchema,
		read_only: true,
		approval: 'none',
		tokens: null,
		tokenizer: '',
		clients: [],
	};
}

const tools = [
	tool('mcp__files__read_file', 'files', 'read_file'),
	tool('mcp__open__any', 'open', 'any', {type: 'object', additionalProperties: {type: 'integer'}}),
	tool('mcp__a_b__c', 'a/b', 'c'),
	tool('mcp__a__b_c', 'a', 'b/c'),
	tool('x/y', 'odd', 'exact'),
	tool('mcp__x__y', 'x', 'y'),
];

/** Calls with these words; answers the call that was sent, or how it was refused. */
async function sent(words: readonly string[], flags = {}) {
	const calls: Array<ParamsOf<'mcp.call'>> = [];
	const asked: Array<ParamsOf<'mcp.tools'>> = [];
	const opened = openContext({arguments: words, flags});
	const failed = {name: 'down', state: 'failed', reason: 'no such program'} as ServerJson;
	const {open} = ownCore({
		'mcp.list': () => [failed],
		'mcp.tools': params => {
			asked.push(params);
			return tools;
		},
		'mcp.call': params => {
			calls.push(params);
			return {result: 'done'};
		},
	});
	const code = await runMcpCall(opened.context, open, async () => ['files', 'open', 'a', 'a/b']);
	return {code, calls, asked, stderr: opened.stderr()};
}

const readFile = 'files/read_file';

describe('sluice mcp call', () => {
	test.each<[readonly string[], JsonObject]>([
		[[readFile, 'path=/x'], {path: '/x'}],
		[['mcp__files__read_file', 'path=/x', 'count=3'], {path: '/x', count: 3}],
		[[readFile, 'path='], {path: ''}],
		[[readFile, 'path=a=b'], {path: 'a=b'}],
		[[readFile, 'path=3'], {path: '3'}],
		[[readFile, 'path=true'], {path: 'true'}],
		[[readFile, 'count=-3'], {count: -3}],
		[[readFile, 'count=2.0'], {count: 2}],
		[[readFile, 'share=0.5'], {share: 0.5}],
		[[readFile, 'share=2'], {share: 2}],
		[[readFile, 'deep=true'], {deep: true}],
		[[readFile, 'deep=false'], {deep: false}],
		[[readFile, 'list=["a",1]'], {list: ['a', 1]}],
		[[readFile, 'options={"a":{"b":1}}'], {options: {a: {b: 1}}}],
		[[readFile, 'limit=null'], {limit: null}],
		[[readFile, 'limit=4'], {limit: 4}],
		[[readFile, 'either=4'], {either: '4'}],
		[[readFile, 'level=2'], {level: 2}],
		[[readFile, 'mode=true'], {mode: true}],
		[[readFile, 'loop=x'], {loop: 'x'}],
		[[readFile, 'anything=4'], {anything: '4'}],
		[['open/any', 'whatever=4'], {whatever: 4}],
		[[readFile], {}],
	])('%j sends %j', async (words, args) => {
		const {code, calls} = await sent(words);
		const name = words[0] === 'open/any' ? 'mcp__open__any' : 'mcp__files__read_file';
		expect([code, calls]).toEqual([0, [{name, arguments: args, approve: false}]]);
	});

	test.each([
		[[readFile, 'count=abc'], '"count" must be an integer, not "abc"'],
		[[readFile, 'count=1.5'], '"count" must be an integer'],
		[[readFile, 'count='], '"count" must be an integer'],
		[[readFile, 'count="3"'], '"count" must be an integer'],
		[[readFile, 'share=many'], '"share" must be a number'],
		[[readFile, 'deep=yes'], '"deep" must be true or false'],
		[[readFile, 'list={}'], '"list" must be a JSON list'],
		[[readFile, 'options=[1]'], '"options" must be a JSON object'],
		[[readFile, 'options={"a":1,"a":2}'], 'An object contains the same name twice'],
		[[readFile, 'options={"__proto__":1}'], 'a member __proto__'],
		[[readFile, 'count=9007199254740993'], 'The number 9007199254740993 is too large or too exact'],
		[[readFile, 'limit=x'], '"limit" must be null or an integer'],
		[[readFile, 'level=high'], '"level" must be an integer or a number'],
		[[readFile, 'pth=/x'], 'The tool has no argument "pth"; did you mean "path"?'],
		[['open/any', '__proto__=1'], 'a member __proto__'],
		[[readFile, 'path=/x', 'path=/y'], 'The argument "path" is given twice'],
		[[readFile, 'path'], '"path" is not of the form NAME=VALUE'],
		[[readFile, '=x'], '"=x" is not of the form NAME=VALUE'],
		[['a/b/c'], '"a/b/c" matches more than one tool: mcp__a_b__c, mcp__a__b_c'],
		[[], 'Usage: sluice mcp call NAME'],
	])('%j is refused with 2: %s', async (words, why) => {
		const {code, calls, stderr} = await sent(words);
		expect([code, calls]).toEqual([2, []]);
		expect(stderr).toContain(why);
	});

	test.each([
		[['files/read_fil'], 'There is no tool "files/read_fil"; did you mean "files/read_file"?'],
		[['down/x'], 'The server of down/x is failed: no such program'],
	])('%j fails with 1: %s', async (words, why) => {
		const {code, calls, stderr} = await sent(words);
		expect([code, calls]).toEqual([1, []]);
		expect(stderr).toContain(why);
	});

	test('takes the exact registered name first', async () => {
		expect((await sent(['x/y'])).calls).toMatchObject([{name: 'x/y'}]);
	});

	test('asks one server for its tools where no gateway runs, and none for a registered name with JSON', async () => {
		expect((await sent([readFile, 'path=/x'])).asked).toEqual([{server: 'files'}]);
		expect((await sent(['mcp__files__read_file', 'path=/x'])).asked).toEqual([{server: 'files'}]);
		expect((await sent(['mcp__files__read_file'], {args: '{"path": "/x"}'})).asked).toEqual([]);
	});

	test('takes all arguments from a file, and refuses them beside others', async () => {
		const file = join(temporaryDirectory(), 'arguments.json');
		writeFileSync(file, '{"path": "/x", "count": 3}\n');
		expect((await sent([readFile], {args: `@${file}`})).calls).toMatchObject([{arguments: {path: '/x', count: 3}}]);
		expect(await sent([readFile, 'deep=true'], {args: `@${file}`})).toMatchObject({code: 2, calls: []});
	});

	test.each([
		['missing.json', undefined, 1, 'missing.json does not exist'],
		['list.json', '[]', 2, '--args must be a JSON object'],
		['twice.json', '{"a":1,"a":2}', 2, 'An object contains the same name twice'],
		['proto.json', '{"__proto__":1}', 2, 'a member __proto__'],
		['large.json', `{"a":"${'x'.repeat(1_048_576)}"}`, 2, 'The input is longer than 1 MB'],
	])('refuses the file %s', async (name, content, code, why) => {
		const file = join(temporaryDirectory(), name);
		if (content !== undefined) {
			writeFileSync(file, content);
		}

		const ended = await sent([readFile], {args: `@${file}`});
		expect([ended.code, ended.calls]).toEqual([code, []]);
		expect(ended.stderr).toContain(why);
	});
});

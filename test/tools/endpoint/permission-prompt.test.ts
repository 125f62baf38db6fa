import {expect, test} from 'vitest';
import {withPermissionPrompt} from '../../../source/tools/endpoint/permission-prompt.ts';
import {type JsonObject, type JsonValue} from '../../../source/util/json-text.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {openCallFixture, toolsOf} from '../call-fixture.ts';

const origin = {kind: 'endpoint', client: 'claude', name: 'ci'} as const;

function open(options: Parameters<typeof openCallFixture>[0] = {}) {
	const fixture = openCallFixture(options);
	const tools = withPermissionPrompt(toolsOf(fixture), fixture.decideHook, 'ci');
	const prompt = async (args: JsonValue, name = 'permission_prompt'): Promise<JsonObject> => {
		const outcome = await tools.callTool({name, arguments: args, origin}, {signal: neverAborted()});
		return outcome.kind === 'result' ? (JSON.parse(outcome.result) as JsonObject) : {error: outcome.error.code};
	};

	return {...fixture, tools, prompt, card: () => fixture.approvals.pending()[0]};
}

const asked = {tool_name: 'Bash', input: {command: 'npm test', timeout: 5}, tool_use_id: 'toolu_1'};

test('the tool is listed beside those of the servers, and they are called as before', async () => {
	const {tools, requests, prompt} = open({config: {trust: 'full'}});
	expect(tools.list().map(({name}) => name)).toEqual([
		'mcp__files__write',
		'mcp__files__read',
		expect.any(String),
		expect.any(String),
		'permission_prompt',
	]);
	expect(tools.find('permission_prompt')?.definition.inputSchema).toMatchObject({required: ['tool_name', 'input']});
	await prompt({}, 'mcp__files__write').catch(() => undefined);
	expect(requests).toHaveLength(1);
});

test('an allowance gives back the input as it was shown, for this once', async () => {
	const {prompt, answer, card, clock} = open();
	const decided = prompt(asked);
	await clock.settle();
	expect(card()).toMatchObject({
		server: 'hook:claude-code',
		tool: 'Bash',
		arguments: asked.input,
		grants: 'once',
		origin,
	});
	await answer({kind: 'approve', scope: 'once'});
	const allowed = await decided;
	expect(allowed).toEqual({behavior: 'allow', updatedInput: asked.input});
	expect(JSON.stringify(allowed['updatedInput'])).toBe(JSON.stringify(asked.input));
	const again = prompt(asked);
	await answer({kind: 'deny', message: 'once is enough'});
	expect(await again).toEqual({behavior: 'deny', message: 'Denied by console:1: once is enough'});
});

test('the same id with another input is denied', async () => {
	const {prompt, answer, clock, approvals} = open();
	const first = prompt(asked);
	await clock.settle();
	expect(await prompt({...asked, input: {command: 'rm -rf /'}})).toMatchObject({
		behavior: 'deny',
		message: expect.stringContaining('has the same id') as string,
	});
	expect(approvals.pending()).toHaveLength(1);
	await answer({kind: 'deny'});
	await first;
});

test('a call of which a value is masked can only be denied', async () => {
	const {prompt, answer, card, clock} = open();
	const decided = prompt({...asked, input: {command: 'curl', api_key: 'x7dj2'}});
	await clock.settle();
	expect(card()?.grants).toBe('nothing');
	await answer({kind: 'approve', scope: 'once'});
	await clock.settle();
	expect(card()).toBeDefined();
	await answer({kind: 'deny'});
	expect((await decided)['behavior']).toBe('deny');
});

test('the rules of hook:claude-code apply, and nobody there is a denial', async () => {
	const rule = {
		id: 'r1',
		action: 'deny',
		server: 'hook:claude-code',
		tool: 'Bash',
		arguments: {},
		ignore: [],
		source: 'config',
	} as const;
	const {prompt, closeConsole} = open({ruleList: () => [rule]});
	expect(await prompt(asked)).toEqual({behavior: 'deny', message: 'Denied by rule r1'});
	closeConsole();
	expect(await prompt({...asked, tool_name: 'Read', tool_use_id: 'toolu_2'})).toMatchObject({behavior: 'deny'});
});

test.each<readonly [string, JsonValue]>([
	['no arguments', {}],
	['an input that is no object', {tool_name: 'Bash', input: 'ls'}],
	['no name', {input: {}}],
])('%s are an error', async (_, args) => {
	expect(await open().prompt(args)).toEqual({error: 'invalid_arguments'});
});

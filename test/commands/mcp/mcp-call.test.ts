import {type CallJson} from '../../../source/state/json/call.ts';
import {describe, expect, test} from 'vitest';
import {runMcpCall} from '../../../source/commands/mcp/mcp-call.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openContext, ownCore} from '../command-fixture.ts';

/** Runs the command against servers of its own that answer so. */
async function call(answer: CallJson, flags = {}) {
	const opened = openContext({arguments: ['mcp__a__b'], flags});
	const code = await runMcpCall(opened.context, ownCore({'mcp.call': async () => answer}).open);
	return {code, stdout: opened.stdout(), stderr: opened.stderr()};
}

describe('sluice mcp call', () => {
	test('sends name, arguments and the person’s approval through the running gateway', async () => {
		const {path} = await startControl({'mcp.call': params => ({result: JSON.stringify(params)})});
		const {context, stdout} = openContext({
			controlSocket: path,
			arguments: ['mcp__a__b'],
			flags: {args: '{"x": 1}', approve: true},
		});
		expect(await runMcpCall(context, ownCore({}).open)).toBe(0);
		expect(JSON.parse(stdout())).toEqual({name: 'mcp__a__b', arguments: {x: 1}, approve: true});
	});

	test('asks for approval unless --approve is given, with no arguments', async () => {
		const {context, stdout} = openContext({arguments: ['x']});
		await runMcpCall(context, ownCore({'mcp.call': async params => ({result: JSON.stringify(params)})}).open);
		expect(JSON.parse(stdout())).toEqual({name: 'x', arguments: {}, approve: false});
	});

	test('ends with 0 and prints the result', async () => {
		expect(await call({result: 'one\ntwo'})).toEqual({code: 0, stdout: 'one\ntwo\n', stderr: ''});
	});

	test('prints structured content that the text does not have', async () => {
		expect((await call({result: '', structuredContent: {n: 1}})).stdout).toBe('{\n  "n": 1\n}\n');
	});

	test('ends with 1 when the call was denied, and says so on stderr', async () => {
		expect(await call({error: {code: 'denied', message: 'A person denied the call'}})).toEqual({
			code: 1,
			stdout: '',
			stderr: 'sluice: denied: A person denied the call\n',
		});
	});

	test.each<CallJson>([
		{result: 'text', structuredContent: {deep: ['x']}},
		{error: {code: 'outcome_uncertain', message: 'lost', server: 'a', outcome_uncertain: true}},
	])('prints %j as one JSON document', async answer => {
		const {stdout, stderr} = await call(answer, {json: true});
		expect([JSON.parse(stdout), stderr]).toEqual([answer, '']);
	});

	test('keeps a result from commanding the terminal', async () => {
		expect((await call({result: '\u001B]0;owned\u0007'})).stdout).toBe('␛]0;owned␇\n');
	});

	test('reports a gateway that fails during the call as an error document', async () => {
		const {path} = await startControl({
			'mcp.call'() {
				throw new Error('inside');
			},
		});
		const {context, stdout} = openContext({controlSocket: path, arguments: ['x'], flags: {json: true}});
		expect(await runMcpCall(context, ownCore({}).open)).toBe(1);
		expect(JSON.parse(stdout())).toMatchObject({error: {code: 'internal'}});
	});

	test.each([
		{words: [], flags: {}, why: 'without a name'},
		{words: ['x', 'y'], flags: {}, why: 'with a second name'},
		{words: ['x'], flags: {args: '{'}, why: 'with arguments that are no JSON'},
		{words: ['x'], flags: {args: '[1]'}, why: 'with arguments that are no object'},
		{words: ['x'], flags: {args: '{"a": 1, "a": 2}'}, why: 'with a name twice'},
		{words: ['x'], flags: {args: '{"a": 9007199254740993}'}, why: 'with a number that no double holds'},
		{words: ['x'], flags: {args: '{"a": [{"__proto__": 1}]}'}, why: 'with a member that libraries leave out'},
	])('is not understood $why', async ({words, flags}) => {
		const {context, stdout} = openContext({arguments: words, flags});
		expect([await runMcpCall(context, ownCore({}).open), stdout()]).toEqual([2, '']);
	});

	test('names the command that answers the approval it waits for', async () => {
		const {path} = await startControl({
			'mcp.call'(_params, {note}) {
				note({type: 'approval.waiting', id: 'a1'});
				return {result: 'done'};
			},
		});
		const {context, stdout, stderr} = openContext({controlSocket: path, arguments: ['x'], flags: {json: true}});
		expect(await runMcpCall(context, ownCore({}).open)).toBe(0);
		expect([JSON.parse(stdout()), stderr()]).toEqual([
			{result: 'done'},
			'sluice: The call waits for an approval. Answer in the dashboard or with: sluice approvals allow a1\n',
		]);
	});

	test('says that nobody can answer an approval where no gateway runs', async () => {
		const {context, stderr} = openContext({arguments: ['x']});
		const own = ownCore({
			'mcp.call'(_, {note}) {
				note({type: 'approval.waiting'});
				return {result: ''};
			},
		});
		await runMcpCall(context, own.open);
		expect(stderr()).toContain('add --approve');
	});

	test('leaves the gateway when the person gives up, which cancels the call there', async () => {
		const begun = Promise.withResolvers<AbortSignal>();
		const {path} = await startControl({
			'mcp.call'(_params, {signal}) {
				begun.resolve(signal);
				return new Promise(() => undefined);
			},
		});
		const {context, abort} = openContext({controlSocket: path, arguments: ['x']});
		const code = runMcpCall(context, ownCore({}).open);
		const signal = await begun.promise;
		abort();
		expect(await code).toBe(1);
		await expect.poll(() => signal.aborted).toBe(true);
	});
});

import {describe, expect, test} from 'vitest';
import {answering} from './open-agent.ts';
import {lastTold, read, withModel} from './with-model.ts';

describe('a tool call', () => {
	const schema = {
		type: 'object',
		properties: {path: {type: 'string'}},
		required: ['path'],
		additionalProperties: false,
	};

	test.each<[string, unknown, string]>([
		['lacks an argument', {}, "must have required property 'path'"],
		['has one of the wrong kind', {path: 7}, 'path must be string'],
		['has one too many', {path: 'a', mode: 'x'}, 'must NOT have additional properties'],
		['is no object', [1], 'must be object'],
	])('that %s never reaches the tool, and the model is told', async (_what, input, told) => {
		const call = {calls: [{name: 'mcp__files__read', input}]};
		const {answer, calls, server} = await withModel([call, 'Sorry.'], {
			tools: {read: {...answering('hello'), inputSchema: schema}},
		});
		expect((await answer()).text).toBe('Sorry.');
		expect(calls).toEqual([]);
		expect(lastTold(server, 'tool')).toEqual([expect.stringContaining(told)]);
	});

	test('of a tool that does not exist is an error for the model', async () => {
		const call = {calls: [{name: 'mcp__files__format_disk', input: {}}]};
		const {answer, calls} = await withModel([call, 'Sorry.'], {tools: {read: answering('hello')}});
		expect((await answer()).text).toBe('Sorry.');
		expect(calls).toEqual([]);
	});

	test('that is refused is an answer, and the run goes on', async () => {
		const denied = {kind: 'error', error: {code: 'denied', message: 'not today', server: 'files'}} as const;
		const {answer, server, progress} = await withModel([read('a'), 'Then not.'], {tools: {read: {call: () => denied}}});
		expect((await answer()).text).toBe('Then not.');
		expect(lastTold(server, 'tool')).toEqual(['{"error":{"code":"denied","message":"not today","server":"files"}}']);
		expect(progress.filter(one => one.kind === 'step').at(-1)).toMatchObject({
			step: {state: 'done', outcome: 'denied'},
		});
	});

	test('says what the run has read by then that outsiders may have written', async () => {
		const held: boolean[][] = [];
		const words = [
			'from the payload',
			'said by a person',
			'the former words',
			'hello from read',
			'not in the prompt',
			'delivery-1',
		];
		const {answer} = await withModel([read('a'), read('b'), 'Done.'], {
			tools: {
				read: {
					call(_, {untrustedTexts}) {
						held.push(words.map(text => untrustedTexts?.holds(text) ?? false));
						return {kind: 'result', result: 'hello from read'};
					},
				},
			},
		});
		const prompt = 'said by a person: from the payload';
		const history = JSON.stringify([{role: 'user', content: 'the former words'}]);
		const payload = '{"text": "from the payload", "note": "not in the prompt"}';
		await answer({prompt, foreign: [[18, prompt.length]]}, {history, payload});
		expect(held).toEqual([
			[true, false, true, false, true, true],
			[true, false, true, true, true, true],
		]);
	});

	test('that waits for a person does not hold up the others, and the run says what it waits for', async () => {
		const other = Promise.withResolvers<void>();
		const calls = ['read', 'write'].map(tool => ({name: `mcp__files__${tool}`, input: {}}));
		const {answer, progress} = await withModel([{calls}, 'Both done.'], {
			tools: {
				write: {
					async call(_, {onAsking}) {
						onAsking?.(true);
						await other.promise;
						onAsking?.(false);
						return {kind: 'result', result: 'written'};
					},
				},
				read: {
					call() {
						other.resolve();
						return {kind: 'result', result: 'hello'};
					},
				},
			},
		});
		expect((await answer()).text).toBe('Both done.');
		expect(progress.filter(one => one.kind === 'waiting').map(one => one.waiting)).toEqual(['approval', 'nothing']);
		const steps = progress.flatMap(one =>
			one.kind === 'step' && one.step.tool.endsWith('write') ? [one.step.state] : [],
		);
		expect(steps).toEqual(['running', 'waiting', 'running', 'done']);
	});

	test('that ignores the end of the run does not hold it up', async () => {
		const ending = new AbortController();
		const deaf = {
			call() {
				ending.abort(new Error('the person cancelled'));
				return new Promise<never>(() => {});
			},
		};
		const {answer} = await withModel([read('a'), 'Never.'], {tools: {read: deaf}});
		await expect(answer({}, {signal: ending.signal})).rejects.toThrow('the person cancelled');
	});

	test('with a name that models do not take has a shorter one', async () => {
		const long = 'a_tool_with_a_name_that_is_much_longer_than_what_models_take_these_days';
		const {answer, server} = await withModel(['Fine.'], {tools: {[long]: answering('x'), read: answering('y')}});
		await answer();
		const names = server.requests()[0]?.tools;
		expect(names).toEqual([
			expect.stringMatching(/^mcp__files__a_tool_with_a_name_.*_[0-9a-f]{8}$/u),
			'mcp__files__read',
		]);
		expect(names?.[0]).toHaveLength(64);
	});

	test('with a huge result keeps its head and tail', async () => {
		const {answer, server} = await withModel([read('a'), 'Long.'], {
			tools: {read: answering(`head${'x'.repeat(500_000)}tail`)},
		});
		await answer();
		const [told = ''] = lastTold(server, 'tool');
		expect(told.length).toBeLessThan(20_000);
		expect(told).toMatch(/^head[\s\S]*characters cut[\s\S]*tail$/u);
	});
});

import {describe, expect, test} from 'vitest';
import {type CallContent} from '../../source/mcp/connection.ts';
import {hashJson} from '../../source/util/json-hash.ts';
import {type JsonValue} from '../../source/util/json-text.ts';
import {Problem} from '../../source/util/problem.ts';
import {type ProblemCode} from '../../source/util/problem-codes.ts';
import {definition, offerOf} from './server-offers.ts';
import {done, openCallFixture} from './call-fixture.ts';

describe('the order of a call', () => {
	test('lets the journal know before the server is asked, and after it answered', async () => {
		const {call, answer, order} = openCallFixture();
		await Promise.all([call('write'), answer({kind: 'approve', scope: 'once'})]);
		expect(order).toEqual(['journal knows', 'server is asked', 'journal closes']);
	});

	test('sends nothing that the journal cannot keep', async () => {
		const {journal} = openCallFixture();
		const failing = {...journal, startCall: () => Promise.reject(new Problem('storage_unavailable'))};
		const {call, requests, answer} = openCallFixture({journal: failing});
		const writing = call('write');
		await answer({kind: 'approve', scope: 'once'});
		expect(await writing).toMatchObject({error: {code: 'storage_unavailable', server: 'files'}});
		expect(requests).toEqual([]);
		// A call that changes nothing may go without its row.
		expect(await call('read')).toMatchObject({kind: 'result'});
		expect(requests).toHaveLength(1);
	});

	test('keeps the real arguments in the journal', async () => {
		const {call, calls} = openCallFixture();
		await call('read', {token: 'abc'});
		expect(calls).toMatchObject([
			{profile: 'default', server: 'files', tool: 'read', arguments: {token: 'abc'}, origin: {kind: 'command-line'}},
		]);
	});

	test('keeps what the caller got in the journal', async () => {
		const content = [{type: 'text', text: 'x'.repeat(3000)}];
		const structuredContent = {rows: 3};
		const {call, ends} = openCallFixture({respond: async () => ({content, structuredContent, isError: false})});
		await call('read');
		const result = {text: 'x'.repeat(3000), structuredContent};
		expect(ends).toEqual([[expect.any(String), {outcome: 'ok', ms: 0, result}]]);
	});

	test.each([
		{what: 'an unknown tool', tool: 'nothing', args: {path: '/a'}, code: 'unknown_tool', kept: {path: '/a'}},
		{what: 'arguments that are none', tool: 'read', args: 'text', code: 'invalid_arguments', kept: {}},
	])('keeps a call that was never sent, with its error: $what', async ({tool, args, code, kept}) => {
		const {call, calls, refused} = openCallFixture();
		const outcome = await call(tool, args);
		expect(calls).toEqual([]);
		expect(refused).toMatchObject([
			[
				{tool: tool === 'read' ? 'read' : 'mcp__files__nothing', arguments: kept},
				{outcome: 'failed', code},
			],
		]);
		expect(refused[0]?.[1].result?.text).toBe(outcome.kind === 'error' && outcome.error.message);
	});

	test('keeps a call of the server once', async () => {
		const {call, calls, refused} = openCallFixture();
		await call('read');
		expect([calls.length, refused]).toEqual([1, []]);
	});

	test('shows a person the arguments with secrets masked, and names the hash of the real ones', async () => {
		const {call, approvals, clock} = openCallFixture();
		void call('write', {token: 'abcdef'});
		await clock.settle();
		expect(approvals.pending()).toMatchObject([
			{arguments: {token: '\uD800redacted 6 chars\uDFFF'}, argumentsHash: hashJson({token: 'abcdef'})},
		]);
	});

	test('counts the time of the server and not that of the person', async () => {
		const {call, answer, clock, ends, ofType} = openCallFixture({
			respond: async () => {
				await clock.advance(250);
				return done;
			},
		});
		const outcome = call('write');
		await clock.advance(60_000);
		await answer({kind: 'approve', scope: 'once'});
		await outcome;
		expect(ends).toMatchObject([[expect.any(String), {outcome: 'ok', ms: 250}]]);
		expect(ofType('tool.finished')).toMatchObject([{ms: 250}]);
	});
});

describe('a call that makes no sense', () => {
	test('names the unknown tool', async () => {
		const {call, ofType} = openCallFixture();
		expect(await call('gone\u{202E}')).toEqual({
			kind: 'error',
			error: {code: 'unknown_tool', message: 'No tool named "mcp__files__gone‹U+202E›" is registered'},
		});
		expect(ofType('tool.finished')).toMatchObject([{outcome: 'failed', code: 'unknown_tool', server: ''}]);
	});

	test.each<[JsonValue]>([['text'], [7], [null], [[1]], [true]])('has the arguments %j', async args => {
		const {call, requests} = openCallFixture();
		expect(await call('read', args)).toMatchObject({error: {code: 'invalid_arguments', server: 'files'}});
		expect(requests).toEqual([]);
	});

	test('has arguments nested without end', async () => {
		let deep: JsonValue = {};
		for (let level = 0; level < 100_000; level++) {
			deep = {deep};
		}

		expect(await openCallFixture().call('read', deep)).toMatchObject({error: {code: 'invalid_arguments'}});
	});

	test('is refused before anybody is asked', async () => {
		const {call, ofType} = openCallFixture();
		await call('write', 'text');
		expect(ofType('approval.requested')).toEqual([]);
	});

	test('lacks an argument of a utility tool', async () => {
		expect(await openCallFixture().call('read_resource')).toMatchObject({
			error: {code: 'invalid_arguments', server: 'files'},
		});
	});

	test('belongs to a server that is gone', async () => {
		const {call, connections} = openCallFixture();
		connections.clear();
		expect(await call('read')).toMatchObject({error: {code: 'server_unavailable', server: 'files'}});
	});
});

describe('an error of the connection', () => {
	test.each<[ProblemCode, object, string]>([
		['circuit_open', {}, 'failed'],
		['server_unavailable', {}, 'failed'],
		['call_timeout', {}, 'failed'],
		['call_failed', {}, 'failed'],
		['server_unauthorized', {needsReauth: true}, 'failed'],
		['login_required', {needsReauth: true}, 'failed'],
		['wider_login_required', {needsReauth: true}, 'failed'],
		['outcome_uncertain', {outcomeUncertain: true}, 'outcome_uncertain'],
		['cancelled', {}, 'cancelled'],
	])('%s reaches the caller with %j and ends as %s', async (code, marks, end) => {
		const {call, ends, ofType} = openCallFixture({
			respond: () => Promise.reject(new Problem(code, {message: 'it broke'})),
		});
		expect(await call('read')).toEqual({kind: 'error', error: {code, message: 'it broke', server: 'files', ...marks}});
		expect(ends).toMatchObject([[expect.any(String), {outcome: end, code}]]);
		expect(ofType('tool.finished')).toMatchObject([{outcome: end, code}]);
	});

	test('that is no problem of ours stays private', async () => {
		const {call} = openCallFixture({respond: () => Promise.reject(new Error('secret path'))});
		expect(await call('read')).toMatchObject({
			error: {code: 'call_failed', message: expect.not.stringContaining('secret')},
		});
	});

	test('that is the answer of the tool is a tool error', async () => {
		const answer: CallContent = {content: [{type: 'text', text: 'no such file'}], isError: true};
		const {call, ends} = openCallFixture({respond: async () => answer});
		expect(await call('read')).toEqual({
			kind: 'error',
			error: {code: 'tool_error', message: 'no such file', server: 'files'},
		});
		expect(ends).toMatchObject([[expect.any(String), {outcome: 'tool_error', code: 'tool_error'}]]);
	});
});

describe('a server that had to be woken', () => {
	/** Answers the `read` tool only after its server has told what it offers now. */
	const wakeTo = (...tools: ReturnType<typeof definition>[]) => {
		const callOptions = openCallFixture({
			async respond(_, {beforeSend}) {
				callOptions.catalogue.register(callOptions.config, {...offerOf(), tools});
				beforeSend?.();
				callOptions.order.push('sent');
				return done;
			},
		});
		return callOptions;
	};

	test('and offers the same is asked', async () => {
		const {call, order} = wakeTo(definition('read', {annotations: {readOnlyHint: true}}));
		expect(await call('read')).toEqual({kind: 'result', result: 'done'});
		expect(order).toContain('sent');
	});

	test('and does not offer the tool any more is not asked, with a clear error', async () => {
		const {call, order, ends} = wakeTo();
		expect(await call('read')).toMatchObject({
			error: {
				code: 'unknown_tool',
				message: 'The call was not made, because the server no longer offers the tool "read"',
			},
		});
		expect(order).not.toContain('sent');
		expect(ends).toMatchObject([[expect.any(String), {code: 'unknown_tool'}]]);
	});

	test('and defines the tool in another way is not asked: nobody has allowed that', async () => {
		const {call, order} = wakeTo(definition('read'));
		expect(await call('read')).toMatchObject({error: {code: 'cancelled', message: expect.stringContaining('changed')}});
		expect(order).not.toContain('sent');
	});
});

describe('a caller that goes away', () => {
	test('is heard by the connection', async () => {
		const caller = new AbortController();
		const {call, clock} = openCallFixture({
			respond: (_, {signal}) =>
				new Promise((_resolve, reject) => {
					signal.addEventListener('abort', () => reject(signal.reason));
				}),
		});
		const outcome = call('read', {}, caller.signal);
		await clock.settle();
		caller.abort();
		expect(await outcome).toMatchObject({error: {code: 'cancelled'}});
	});

	test('does not hide that the outcome is uncertain', async () => {
		const caller = new AbortController();
		const {call, clock} = openCallFixture({
			respond: (_, {signal}) =>
				new Promise((_resolve, reject) => {
					signal.addEventListener('abort', () => reject(new Problem('outcome_uncertain')));
				}),
		});
		const outcome = call('read', {}, caller.signal);
		await clock.settle();
		caller.abort();
		expect(await outcome).toMatchObject({error: {code: 'outcome_uncertain', outcomeUncertain: true}});
	});

	test('before the call has nothing sent, and begins no call in the journal', async () => {
		const {call, requests, calls, ofType} = openCallFixture();
		expect(await call('read', {}, AbortSignal.abort())).toMatchObject({error: {code: 'cancelled'}});
		expect([requests, calls]).toEqual([[], []]);
		expect(ofType('log')).toEqual([]);
	});
});

describe('the event of a finished call', () => {
	test('reports tool, origin and a safe beginning of the result', async () => {
		const text = `\u{1B}[2J${'x'.repeat(300)}`;
		const {call, ofType, calls} = openCallFixture({
			respond: async () => ({content: [{type: 'text', text}], isError: false}),
		});
		await call('read');
		expect(ofType('tool.finished')).toEqual([
			{
				type: 'tool.finished',
				callId: calls[0]?.id,
				server: 'files',
				tool: 'read',
				origin: {kind: 'command-line'},
				ms: 0,
				outcome: 'ok',
				summary: `␛[2J${'x'.repeat(196)}… 104 more`,
			},
		]);
	});

	test.each([
		['denied', 'denied'],
		['timed_out', 'timed_out'],
		['no_channel', 'no_channel'],
		['cancelled', 'cancelled'],
	] as const)('says %s for a call that ended so at the approval check', async (kind, outcome) => {
		const {call, ofType} = openCallFixture({
			ask: async () => (kind === 'denied' ? {kind, by: 'console:1'} : {kind}),
		});
		await call('write');
		expect(ofType('tool.finished')).toMatchObject([{outcome, code: outcome}]);
	});
});

test('a resource link names the tool that reads it', async () => {
	const content = [{type: 'resource_link', uri: 'file:///a'}];
	const {call} = openCallFixture({respond: async () => ({content, isError: false})});
	expect(await call('read')).toEqual({
		kind: 'result',
		result: '[resource file:///a, read it with mcp__files__read_resource]',
	});
});

import {type ApprovalJson, type FullApprovalJson} from '../../../source/state/json/approval.ts';
import {describe, expect, test} from 'vitest';
import {runApprovals} from '../../../source/commands/approvals/approvals.ts';
import {type ResultOf} from '../../../source/state/api.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openContext} from '../command-fixture.ts';

const waiting: ApprovalJson = {
	id: 'a1b2c3',
	kind: 'tool-call',
	server: 'garden',
	tool: 'delete_task',
	arguments: {id: 3},
	sent_bytes: 8,
	cut_bytes: 0,
	masked_values: 0,
	marked_characters: 0,
	arguments_hash: 'hash',
	origin: {kind: 'demo', client: 'scripted'},
	requested_at: 1,
	expires_at: 2,
};

const whole = {
	...waiting,
	trust: 'untrusted' as const,
	hints: {},
	description: '',
	definition_change: null,
	payload_paths: [],
	rule: null,
	scopes: ['once', 'session', 'always'],
} satisfies FullApprovalJson;

/** A gateway that keeps the answers it gets. */
async function startGateway(
	answered: ResultOf<'approvals.deny'> = {answer: 'resolved', end: null},
	approval: Partial<FullApprovalJson> = waiting,
) {
	const answers: unknown[] = [];
	const {path} = await startControl({
		'approvals.list': () => [{...waiting, ...approval}],
		'approvals.show': () => ({request: {...whole, ...approval}, end: null}),
		'approvals.allow'(params) {
			answers.push(params);
			return answered;
		},
		'approvals.deny'(params) {
			answers.push(params);
			return answered;
		},
	});
	return {path, answers};
}

describe('sluice approvals', () => {
	test('lists what waits as JSON', async () => {
		const {path} = await startGateway();
		const {context, stdout} = openContext({controlSocket: path, arguments: ['list'], flags: {json: true}});
		expect([await runApprovals(context), JSON.parse(stdout())]).toEqual([0, [waiting]]);
	});

	test('lists what waits as a table', async () => {
		const {path} = await startGateway();
		const {context, stdout} = openContext({controlSocket: path});
		await runApprovals(context);
		expect(stdout()).toMatch(/a1b2c3 {2}garden {2}delete_task {2}\{"id":3\} {3}scripted/);
	});

	test('names the gateway that asks, where several share a journal', async () => {
		const {path} = await startGateway(undefined, {...waiting, node: 'web-2'});
		const {context, stdout} = openContext({controlSocket: path});
		await runApprovals(context);
		expect(stdout()).toMatch(/ID +NODE +SERVER[^\n]+\na1b2c3 {2}web-2 {2}garden/);
		const shown = openContext({controlSocket: path, arguments: ['allow', 'a1b2c3'], flags: {hash: 'hash'}});
		await runApprovals(shown.context);
		expect(shown.stderr()).toContain('node: web-2\n');
	});

	test('says of a run which route, job and signature it comes from', async () => {
		const origin = {
			kind: 'run',
			run_id: 'r1',
			job: 'tidy',
			route: 'push',
			signature: 'X-Gitlab-Token',
			delivery_id: '',
		};
		const {path} = await startGateway(undefined, {...waiting, origin});
		const {context, stdout} = openContext({controlSocket: path});
		await runApprovals(context);
		expect(stdout()).toContain('run r1 · job tidy · route push · signature X-Gitlab-Token ');
	});

	test('lists nothing when no gateway runs', async () => {
		const {context, stdout, stderr} = openContext({arguments: ['list'], flags: {json: true}});
		expect([await runApprovals(context), stdout(), stderr()]).toEqual([0, '[]\n', '']);
	});

	test.each([
		{words: ['allow', 'a1b2'], flags: {hash: 'hash'}, sent: {id: 'a1b2c3', scope: 'once', arguments_hash: 'hash'}},
		{
			words: ['allow', 'a1b2'],
			flags: {hash: 'hash', scope: 'session'},
			sent: {id: 'a1b2c3', scope: 'session', arguments_hash: 'hash'},
		},
		{
			words: ['allow', 'a1b2'],
			flags: {hash: 'hash', scope: 'always'},
			sent: {id: 'a1b2c3', scope: 'always', arguments_hash: 'hash'},
		},
		{words: ['deny', 'a1'], flags: {}, sent: {id: 'a1'}},
		{words: ['deny', 'a1'], flags: {message: 'not today'}, sent: {id: 'a1', message: 'not today'}},
	])('$words with $flags sends $sent', async ({words, flags, sent}) => {
		const {path, answers} = await startGateway();
		const {context} = openContext({controlSocket: path, arguments: words, flags});
		expect([await runApprovals(context), answers]).toEqual([0, [sent]]);
	});

	test('allows for a run what belongs to one', async () => {
		const {path, answers} = await startGateway(undefined, {scopes: ['once', 'run', 'session', 'always']});
		const flags = {hash: 'hash', scope: 'run'};
		const {context} = openContext({controlSocket: path, arguments: ['allow', 'a1b2'], flags});
		expect([await runApprovals(context), answers]).toEqual([0, [{id: 'a1b2c3', scope: 'run', arguments_hash: 'hash'}]]);
	});

	test.each([
		['run', {}, 'belongs to no run'],
		[
			'always',
			{rule: 'r1 asks for every tool', scopes: ['once' as const]},
			'only be allowed once: r1 asks for every tool',
		],
	])('asks nothing and sends nothing for a scope that is not offered: %s', async (scope, request, reason) => {
		const {path, answers} = await startGateway(undefined, request);
		const flags = {hash: 'hash', scope};
		const {context, stderr} = openContext({controlSocket: path, arguments: ['allow', 'a1b2'], flags});
		expect([await runApprovals(context), answers]).toEqual([2, []]);
		expect(stderr()).toContain(reason);
	});

	test('says when the gateway refuses the scope', async () => {
		const {path} = await startGateway({answer: 'not-offered', end: null});
		const flags = {hash: 'hash', scope: 'always'};
		const {context, stderr} = openContext({controlSocket: path, arguments: ['allow', 'a1b2'], flags});
		expect([await runApprovals(context), stderr()]).toEqual([
			1,
			expect.stringContaining('cannot be allowed for that long'),
		]);
	});

	test('prints the whole request before it asks, and sends the hash of what it printed', async () => {
		const {path, answers} = await startGateway();
		const {context, stderr} = openContext({controlSocket: path, arguments: ['allow', 'a1b2'], answer: 'yes'});
		expect([await runApprovals(context), answers]).toEqual([
			0,
			[{id: 'a1b2c3', scope: 'once', arguments_hash: 'hash'}],
		]);
		expect(stderr()).toMatch(
			/tool: delete_task\nfrom: scripted\nhash: hash\narguments, 8 bytes:\n\{\n {2}"id": 3\n\}\nAllow this call once\?/u,
		);
	});

	test.each([
		{why: 'a person says no', flags: {}, answer: 'no', code: 1, says: 'Nothing was allowed.'},
		{why: 'there is neither a terminal nor a hash', flags: {}, answer: 'no-terminal', code: 2, says: 'needs --hash'},
		{why: 'the hash is of something else', flags: {hash: 'old'}, answer: 'no-terminal', code: 1, says: 'Review it'},
		{why: 'the hash is of something else, at a terminal', flags: {hash: 'old'}, answer: 'yes', code: 1, says: 'Review'},
		{why: 'a person says no in spite of a hash', flags: {hash: 'hash'}, answer: 'no', code: 1, says: 'Nothing was'},
	] as const)('allows nothing when $why', async ({flags, answer, code, says}) => {
		const {path, answers} = await startGateway();
		const {context, stderr} = openContext({controlSocket: path, arguments: ['allow', 'a1b2'], flags, answer});
		expect([await runApprovals(context), answers]).toEqual([code, []]);
		expect(stderr()).toContain(says);
	});

	test('does not ask about a request that is too long to print', async () => {
		const {path, answers} = await startGateway(undefined, {...waiting, cut_bytes: 5_000_000});
		const {context, stderr} = openContext({controlSocket: path, arguments: ['allow', 'a1b2'], answer: 'yes'});
		expect([await runApprovals(context), answers]).toEqual([2, []]);
		expect(stderr()).toContain('too long to print');
	});

	test.each([
		['yes', 0, [{id: 'a1b2c3', scope: 'once', arguments_hash: 'reviewed'}], 'Are you sure? 2 characters marked.'],
		['no', 1, [], 'Nothing was allowed.'],
		['no-terminal', 2, [], 'the hash above, once you have read the marked characters'],
	] as const)('marked characters, and a person answers %s', async (answer, code, sent, says) => {
		const {path, answers} = await startGateway(undefined, {marked_characters: 2, review_hash: 'reviewed'});
		const {context, stderr} = openContext({controlSocket: path, arguments: ['allow', 'a1b2'], answer});
		expect([await runApprovals(context), answers]).toEqual([code, sent]);
		expect(stderr()).toMatch(/\}\n2 characters marked: shown as [^\n]+\nhash: reviewed\nAllow this call once\?/u);
		expect(stderr()).toContain(says);
	});

	test('marked characters that are too long to print can only be denied', async () => {
		const marked = {cut_bytes: 5_000_000, marked_characters: 2, review_hash: 'reviewed'};
		const {path, answers} = await startGateway(undefined, marked);
		const flags = {hash: 'reviewed'};
		const {context, stderr} = openContext({controlSocket: path, arguments: ['allow', 'a1b2'], flags});
		expect([await runApprovals(context), answers]).toEqual([2, []]);
		expect(stderr()).toContain('too long to print');
		expect(stderr()).not.toContain('hash: ');
	});

	test('says what became of a request that is not waiting any more, and by whom', async () => {
		const end = {outcome: 'denied', scope: null, by: 'console:2', message: 'not today'} as const;
		const {path} = await startControl({
			'approvals.show': () => ({request: null, end}),
			'approvals.deny': () => ({answer: 'already-settled', end}),
		});
		for (const action of ['allow', 'deny']) {
			const {context, stdout, stderr} = openContext({
				controlSocket: path,
				arguments: [action, 'a1b2'],
				flags: {json: true},
			});
			expect([await runApprovals(context), JSON.parse(stdout())]).toEqual([
				1,
				{id: 'a1b2', answer: 'already-settled', end},
			]);
			expect(stderr()).toBe('sluice: The request a1b2 is no longer waiting: it was denied by console:2: not today\n');
		}
	});

	test('fails when the call was not sent although it was allowed, with the reason', async () => {
		const end = {outcome: 'cancelled', scope: null, by: null, message: 'The tool has changed'} as const;
		const {path} = await startGateway({answer: 'resolved', end});
		const {context, stderr} = openContext({controlSocket: path, arguments: ['allow', 'a1b2'], answer: 'yes'});
		expect(await runApprovals(context)).toBe(1);
		expect(stderr()).toMatch(/sluice: Allowed, but the call was not sent: The tool has changed\n$/u);
	});

	test('says that the allowed call still waits for its turn', async () => {
		const {path} = await startGateway({answer: 'resolved', end: null, call: 'waiting'});
		const context = {controlSocket: path, arguments: ['allow', 'a1b2'], answer: 'yes'} as const;
		const {context: asText, stderr} = openContext(context);
		const {context: asJson, stdout} = openContext({...context, flags: {json: true}});
		expect([await runApprovals(asText), await runApprovals(asJson)]).toEqual([0, 0]);
		expect(stderr()).toMatch(/Allowed\. The call still waits for its turn\.\n$/u);
		expect(stdout()).toContain('"call": "waiting"');
	});

	test('reads the answer of a gateway of an older protocol, which names no end', async () => {
		// The type is that of today's protocol.
		const {path} = await startControl({'approvals.deny': () => ({answer: 'already-settled'}) as never});
		const {context, stderr} = openContext({controlSocket: path, arguments: ['deny', 'a1b2']});
		expect([await runApprovals(context), stderr()]).toEqual([
			1,
			expect.stringContaining('No waiting request has the id a1b2'),
		]);
	});

	test('cannot answer when no gateway runs', async () => {
		const {context, stderr} = openContext({arguments: ['allow', 'a1']});
		expect([await runApprovals(context), stderr()]).toEqual([1, expect.stringContaining('No gateway is running')]);
	});

	test.each([
		{words: ['allow'], flags: {}},
		{words: ['deny', 'a', 'b'], flags: {}},
		{words: ['list', 'a'], flags: {}},
		{words: ['permit', 'a'], flags: {}},
		{words: ['allow', 'a'], flags: {scope: 'forever'}},
		{words: ['allow', 'a'], flags: {message: 'why'}},
		{words: ['deny', 'a'], flags: {scope: 'once'}},
		{words: ['deny', 'a'], flags: {hash: 'hash'}},
	])('$words with $flags is not understood', async ({words, flags}) => {
		const {path, answers} = await startGateway();
		const {context} = openContext({controlSocket: path, arguments: words, flags});
		expect([await runApprovals(context), answers]).toEqual([2, []]);
	});
});

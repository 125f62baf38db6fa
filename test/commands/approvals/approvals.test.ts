import {describe, expect, test} from 'vitest';
import {runApprovals} from '../../../source/commands/approvals/approvals.ts';
import {type ControlParams, type ControlResult} from '../../../source/control/methods.ts';
import {type ApprovalJson} from '../../../source/control/wire.ts';
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
	arguments_hash: 'hash',
	origin: {kind: 'demo', client: 'scripted'},
	requested_at: 1,
	expires_at: 2,
};

/** A gateway that keeps the answers it gets. */
async function startGateway(
	answer: ControlResult<'approvals.answer'>['answer'] = 'resolved',
	approval: ApprovalJson = waiting,
) {
	const answers: Array<ControlParams<'approvals.answer'>> = [];
	const {path} = await startControl({
		'approvals.list': () => [approval],
		'approvals.answer'(params) {
			answers.push(params);
			return {answer};
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
		expect(stdout()).toMatch(/a1b2c3 {2}garden {2}delete_task {2}\{"id":3\} {3}demo scripted/);
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
		const {path} = await startGateway('resolved', {...waiting, origin});
		const {context, stdout} = openContext({controlSocket: path});
		await runApprovals(context);
		expect(stdout()).toContain('run r1 · job tidy · route push · signature X-Gitlab-Token ');
	});

	test('lists nothing when no gateway runs', async () => {
		const {context, stdout, stderr} = openContext({arguments: ['list'], flags: {json: true}});
		expect([await runApprovals(context), stdout(), stderr()]).toEqual([0, '[]\n', '']);
	});

	test.each([
		{words: ['allow', 'a1'], flags: {}, verdict: {kind: 'approve', scope: 'once'}},
		{words: ['allow', 'a1'], flags: {scope: 'session'}, verdict: {kind: 'approve', scope: 'session'}},
		{words: ['allow', 'a1'], flags: {scope: 'always'}, verdict: {kind: 'approve', scope: 'always'}},
		{words: ['deny', 'a1'], flags: {}, verdict: {kind: 'deny'}},
		{words: ['deny', 'a1'], flags: {message: 'not today'}, verdict: {kind: 'deny', message: 'not today'}},
	])('$words with $flags answers $verdict', async ({words, flags, verdict}) => {
		const {path, answers} = await startGateway();
		const {context} = openContext({controlSocket: path, arguments: words, flags});
		expect([await runApprovals(context), answers]).toEqual([0, [{id: 'a1', verdict}]]);
	});

	test.each(['already-settled', 'changed'] as const)('fails when the answer is %s', async answer => {
		const {path} = await startGateway(answer);
		const {context} = openContext({controlSocket: path, arguments: ['allow', 'a1']});
		expect(await runApprovals(context)).toBe(1);
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
	])('$words with $flags is not understood', async ({words, flags}) => {
		const {path, answers} = await startGateway();
		const {context} = openContext({controlSocket: path, arguments: words, flags});
		expect([await runApprovals(context), answers]).toEqual([2, []]);
	});
});

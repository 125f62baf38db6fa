import {describe, expect, test} from 'vitest';
import {createApprovalQueue, maxPendingApprovals} from '../../source/approvals/approval-queue.ts';
import {createWaitingTime} from '../../source/approvals/waiting-time.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {approve, askSomething, openQueue, request, createSlowRows} from './open-queue.ts';

describe('without a console', () => {
	test('`deny` answers at once that nobody can be asked', async () => {
		const {approvals, ofType} = openQueue('deny');
		expect(await approvals.ask(request, {})).toMatchObject({kind: 'no_channel'});
		expect(ofType('approval.requested')).toEqual([]);
		expect(ofType('approval.settled')).toMatchObject([{outcome: 'no_channel'}]);
	});

	test('`hold` waits for the command line', async () => {
		const {approvals} = openQueue('hold');
		const {outcome, id} = askSomething(approvals);
		approvals.answer({id, argumentsHash: 'hash-of-a', verdict: approve, by: 'cli'});
		expect(await outcome).toMatchObject({kind: 'approved', by: 'cli'});
	});

	test('`hold` ends at the deadline', async () => {
		const {approvals, clock} = openQueue('hold');
		const {outcome} = askSomething(approvals);
		await clock.advance(300_000);
		expect(await outcome).toEqual({kind: 'timed_out'});
	});
});

describe('a console that closes', () => {
	test('leaves nobody to be asked when it was the last', async () => {
		const {approvals} = openQueue();
		approvals.addConsole()();
		expect(await approvals.ask(request, {})).toMatchObject({kind: 'no_channel'});
	});

	test('changes nothing while another is open, however often it closes', () => {
		const {approvals} = openQueue();
		const close = approvals.addConsole();
		approvals.addConsole();
		close();
		close();
		askSomething(approvals);
		expect(approvals.pending()).toHaveLength(1);
	});

	test('says nothing while another is open', () => {
		const {approvals, ofType} = openQueue();
		const close = approvals.addConsole();
		approvals.addConsole();
		askSomething(approvals);
		close();
		expect(ofType('log')).toEqual([]);
	});

	test('leaves what waits waiting, and under `deny` says so', () => {
		const {approvals, ofType} = openQueue('deny');
		const close = approvals.addConsole();
		askSomething(approvals);
		close();
		expect(approvals.pending()).toHaveLength(1);
		expect(ofType('log')).toMatchObject([{level: 'warning', area: 'approvals'}]);
	});

	test.each(['nothing waits under deny', 'something waits under hold'])('says nothing when %s', situation => {
		const {approvals, ofType} = openQueue(situation.endsWith('deny') ? 'deny' : 'hold');
		const close = approvals.addConsole();
		if (situation.endsWith('hold')) {
			askSomething(approvals);
		}

		close();
		expect(ofType('log')).toEqual([]);
	});
});

describe('a full queue', () => {
	test('answers at once that nobody can be asked, and takes requests again when there is room', async () => {
		const {approvals} = openQueue();
		approvals.addConsole();
		const asked = Array.from({length: maxPendingApprovals}, () => askSomething(approvals));
		expect(await approvals.ask(request, {})).toEqual({
			kind: 'no_channel',
			message: '200 other approvals are already waiting',
		});
		approvals.answer({id: asked[0]?.id ?? '', argumentsHash: 'hash-of-a', verdict: approve, by: 'console:1'});
		askSomething(approvals);
		expect(approvals.pending()).toHaveLength(maxPendingApprovals);
	});

	test('counts what is still being written for other gateways', async () => {
		const {rows, succeed} = createSlowRows();
		const {approvals} = openQueue('hold', rows);
		const callers = Array.from({length: maxPendingApprovals}, () => new AbortController());
		const asked = callers.map(({signal}) => askSomething(approvals, {signal}).outcome);
		expect(await approvals.ask(request, {})).toMatchObject({message: '200 other approvals are already waiting'});
		callers[0]?.abort();
		succeed();
		expect(await asked[0]).toEqual({kind: 'cancelled'});
		expect(approvals.pending()).toHaveLength(maxPendingApprovals - 1);
		askSomething(approvals);
		await expect.poll(() => approvals.pending()).toHaveLength(maxPendingApprovals);
	});
});

test('a change of the settings holds from the next request on', async () => {
	const settings = {timeoutSeconds: 300, unattended: 'deny' as 'deny' | 'hold'};
	const clock = createFakeClock();
	const approvals = createApprovalQueue({clock, time: createWaitingTime(clock), publish: () => {}, settings});
	settings.unattended = 'hold';
	askSomething(approvals);
	expect(approvals.pending()).toHaveLength(1);
});

import {getEventListeners} from 'node:events';
import {describe, expect, test} from 'vitest';
import {createApprovalQueue, type ApprovalQueue} from '../../source/approvals/approval-queue.ts';
import {createWaitingTime} from '../../source/approvals/waiting-time.ts';
import {approvalScopes} from '../../source/state/approval-event.ts';
import {type Verdict} from '../../source/state/person-answers.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {approve, askSomething, openQueue, request} from './open-queue.ts';

describe('an answer', () => {
	test('reaches the caller with scope and place', async () => {
		const {approvals} = openQueue();
		approvals.addConsole();
		const {outcome, id} = askSomething(approvals);
		const verdict: Verdict = {kind: 'approve', scope: 'session'};
		expect(approvals.answer({id, argumentsHash: 'hash-of-a', verdict, by: 'console:1'})).toBe('resolved');
		expect(await outcome).toEqual({kind: 'approved', scope: 'session', by: 'console:1'});
	});

	test('that denies reaches the caller with its message', async () => {
		const {approvals} = openQueue();
		approvals.addConsole();
		const {outcome, id} = askSomething(approvals);
		approvals.answer({id, argumentsHash: 'hash-of-a', verdict: {kind: 'deny', message: 'not now'}, by: 'console:1'});
		expect(await outcome).toEqual({kind: 'denied', by: 'console:1', message: 'not now'});
	});

	test('decides only when it is the first', async () => {
		const {approvals, ofType} = openQueue();
		approvals.addConsole();
		const {outcome, id} = askSomething(approvals);
		approvals.answer({id, argumentsHash: 'hash-of-a', verdict: {kind: 'deny'}, by: 'console:1'});
		expect(approvals.answer({id, argumentsHash: 'hash-of-a', verdict: approve, by: 'cli'})).toBe('already-settled');
		expect(await outcome).toEqual({kind: 'denied', by: 'console:1'});
		expect(ofType('approval.settled')).toHaveLength(1);
	});

	test('given inside the announcement already decides', async () => {
		const clock = createFakeClock();
		const approvals: ApprovalQueue = createApprovalQueue({
			clock,
			time: createWaitingTime(clock),
			settings: {timeoutSeconds: 300, unattended: 'hold'},
			publish(event) {
				if (event.type === 'approval.requested') {
					approvals.answer({id: event.id, argumentsHash: event.argumentsHash, verdict: approve, by: 'script'});
				}
			},
		});
		expect(await approvals.ask(request, {})).toEqual({kind: 'approved', scope: 'once', by: 'script'});
		expect(clock.open()).toBe(0);
	});

	test('for other arguments decides nothing', () => {
		const {approvals} = openQueue();
		approvals.addConsole();
		const {id} = askSomething(approvals);
		expect(approvals.answer({id, argumentsHash: 'hash-of-b', verdict: approve, by: 'console:1'})).toBe('changed');
		expect(approvals.pending()).toHaveLength(1);
	});

	const run = {kind: 'run', runId: '1', route: 'push', deliveryId: 'd'} as const;
	const rule = {id: 'r1', words: 'asks for every tool'};

	test.each([
		['of a run', {origin: run}, ['once', 'run', 'session', 'always']],
		['of no run', {}, ['once', 'session', 'always']],
		['that a rule asks about', {rule, origin: run}, ['once']],
	])('about a request %s is taken for the scopes that it offers alone', async (_, members, offered) => {
		for (const scope of approvalScopes) {
			const {approvals} = openQueue();
			approvals.addConsole();
			const outcome = approvals.ask({...request, ...members}, {});
			const [{id, argumentsHash} = {id: '', argumentsHash: ''}] = approvals.pending();
			const answered = approvals.answer({id, argumentsHash, verdict: {kind: 'approve', scope}, by: 'cli'});
			const isOffered = offered.includes(scope);
			expect([scope, answered]).toEqual([scope, isOffered ? 'resolved' : 'not-offered']);
			approvals.answer({id, argumentsHash, verdict: {kind: 'deny'}, by: 'cli'});
			expect(await outcome).toMatchObject({kind: isOffered ? 'approved' : 'denied'});
		}
	});

	test('for an unknown id answers that nothing waits', () => {
		const {approvals} = openQueue();
		expect(approvals.answer({id: 'none', argumentsHash: 'hash-of-a', verdict: approve, by: 'console:1'})).toBe(
			'already-settled',
		);
	});

	test('settles its own request and leaves its twin waiting', async () => {
		const {approvals} = openQueue();
		approvals.addConsole();
		const first = askSomething(approvals);
		const second = askSomething(approvals);
		approvals.answer({id: second.id, argumentsHash: 'hash-of-a', verdict: approve, by: 'console:1'});
		expect(await second.outcome).toMatchObject({kind: 'approved'});
		expect(approvals.pending().map(card => card.id)).toEqual([first.id]);
	});
});

describe('the events', () => {
	test('announce the request as it is listed', () => {
		const {approvals, ofType, clock} = openQueue();
		approvals.addConsole();
		const {card, id} = askSomething(approvals);
		expect(ofType('approval.requested')).toEqual([
			{type: 'approval.requested', ...request, id, requestedAt: clock.now(), expiresAt: clock.now() + 300_000},
		]);
		expect(card).toEqual({...request, id, requestedAt: clock.now(), expiresAt: clock.now() + 300_000});
	});

	test('publish the end', () => {
		const {approvals, ofType} = openQueue();
		approvals.addConsole();
		const {id} = askSomething(approvals);
		approvals.answer({id, argumentsHash: 'hash-of-a', verdict: {kind: 'approve', scope: 'always'}, by: 'console:1'});
		expect(ofType('approval.settled')).toEqual([
			{
				type: 'approval.settled',
				id,
				server: 'files',
				tool: 'write_file',
				outcome: 'approved',
				scope: 'always',
				by: 'console:1',
				origin: {kind: 'command-line'},
			},
		]);
	});

	test("hold a person's message in a form that is safe to show", () => {
		const {approvals, ofType} = openQueue();
		approvals.addConsole();
		const {id} = askSomething(approvals);
		approvals.answer({
			id,
			argumentsHash: 'hash-of-a',
			verdict: {kind: 'deny', message: 'no\u{1B}[2J'},
			by: 'console:1',
		});
		expect(ofType('approval.settled')[0]?.message).toBe('no␛[2J');
	});
});

describe('the deadline', () => {
	test('ends a request as timed out, not as denied', async () => {
		const {approvals, clock} = openQueue();
		approvals.addConsole();
		const {outcome} = askSomething(approvals);
		await clock.advance(299_999);
		expect(approvals.pending()).toHaveLength(1);
		await clock.advance(1);
		expect(await outcome).toEqual({kind: 'timed_out'});
	});

	test('leaves nothing for a late answer', async () => {
		const {approvals, clock} = openQueue();
		approvals.addConsole();
		const {id} = askSomething(approvals);
		await clock.advance(300_000);
		expect(approvals.answer({id, argumentsHash: 'hash-of-a', verdict: approve, by: 'console:1'})).toBe(
			'already-settled',
		);
	});
});

describe('a caller that goes away', () => {
	test('ends its request as cancelled', async () => {
		const {approvals} = openQueue();
		approvals.addConsole();
		const caller = new AbortController();
		const {outcome} = askSomething(approvals, {signal: caller.signal});
		caller.abort();
		expect(await outcome).toEqual({kind: 'cancelled'});
		expect(approvals.pending()).toEqual([]);
	});

	test('before it asks is never announced', async () => {
		const {approvals, ofType} = openQueue();
		approvals.addConsole();
		expect(await approvals.ask(request, {signal: AbortSignal.abort()})).toEqual({kind: 'cancelled'});
		expect(ofType('approval.requested')).toEqual([]);
	});

	test('is listened to no longer once there is an answer', async () => {
		const {approvals} = openQueue();
		approvals.addConsole();
		const signal = neverAborted();
		const {outcome, id} = askSomething(approvals, {signal});
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		approvals.answer({id, argumentsHash: 'hash-of-a', verdict: approve, by: 'console:1'});
		await outcome;
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('after the answer changes nothing', async () => {
		const {approvals, ofType} = openQueue();
		approvals.addConsole();
		const caller = new AbortController();
		const {outcome, id} = askSomething(approvals, {signal: caller.signal});
		approvals.answer({id, argumentsHash: 'hash-of-a', verdict: approve, by: 'console:1'});
		caller.abort();
		expect(await outcome).toMatchObject({kind: 'approved'});
		expect(ofType('approval.settled')).toHaveLength(1);
	});
});

test('a withdrawal cancels what matches and nothing else', async () => {
	const {approvals} = openQueue();
	approvals.addConsole();
	const gone = askSomething(approvals);
	const kept = askSomething(approvals, {server: 'mail'});
	approvals.withdraw(card => card.server === 'files');
	expect(await gone.outcome).toEqual({kind: 'cancelled'});
	expect(approvals.pending().map(card => card.id)).toEqual([kept.id]);
});

describe('a closed queue', () => {
	test('has cancelled everything', async () => {
		const {approvals} = openQueue();
		approvals.addConsole();
		const asked = [askSomething(approvals), askSomething(approvals)];
		approvals.close();
		expect(await Promise.all(asked.map(({outcome}) => outcome))).toEqual([{kind: 'cancelled'}, {kind: 'cancelled'}]);
	});

	test('cancels later requests', async () => {
		const {approvals} = openQueue();
		approvals.addConsole();
		approvals.close();
		expect(await approvals.ask(request, {})).toEqual({kind: 'cancelled'});
	});
});

test('requests are listed oldest first', () => {
	const {approvals} = openQueue();
	approvals.addConsole();
	const ids = [askSomething(approvals).id, askSomething(approvals).id, askSomething(approvals).id];
	expect(approvals.pending().map(card => card.id)).toEqual(ids);
});

test('remembers for an hour what was put before a person, answered or not', async () => {
	const {approvals, clock} = openQueue('hold');
	const first = askSomething(approvals);
	approvals.answer({id: first.id, argumentsHash: request.argumentsHash, verdict: approve, by: 'console:1'});
	await first.outcome;
	await clock.advance(59 * 60_000);
	const second = askSomething(approvals);
	expect(approvals.recentIds()).toEqual([first.id, second.id]);
	await clock.advance(60_000);
	expect(approvals.recentIds()).toEqual([second.id]);
});

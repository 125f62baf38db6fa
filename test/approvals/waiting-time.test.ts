import {assert, asyncProperty, array, constant, constantFrom, integer, oneof, record} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createWaitingTime} from '../../source/approvals/waiting-time.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {memoryHoldStore, openTestHold} from '../helpers/open-hold.ts';
import {openQueue, request} from './open-queue.ts';

/** Steps of a story: time goes by, a hold begins or ends, what is there or not. */
const steps = array(
	oneof(
		record({kind: constant('wait' as const), milliseconds: integer({min: 0, max: 40_000})}),
		constantFrom({kind: 'hold'} as const, {kind: 'unhold'} as const),
	),
	{maxLength: 30},
);

describe('the time of a request', () => {
	test('that ran outside of holds is its limit when it ends, whatever holds there were', async () => {
		let paused = 0;
		await assert(
			asyncProperty(steps, integer({min: 1, max: 100_000}), async (story, limit) => {
				const clock = createFakeClock();
				const time = createWaitingTime(clock);
				let ran = 0;
				let endedAfter: number | undefined;
				let isHeld = false;
				const timer = time.after({kind: 'for', milliseconds: limit}, () => {
					endedAfter = ran + clock.elapsed() - since;
				});
				let since = 0;
				for (const step of story) {
					since = clock.elapsed();
					if (step.kind === 'wait') {
						await clock.advance(step.milliseconds);
						ran += isHeld ? 0 : step.milliseconds;
						paused += isHeld ? 1 : 0;
					} else {
						isHeld = step.kind === 'hold';
						(isHeld ? time.suspend : time.resume)();
					}

					const {expiresAt, left} = timer.deadline();
					expect(endedAfter === undefined).toBe(ran < limit);
					expect(endedAfter ?? limit).toBe(limit);
					if (endedAfter === undefined) {
						expect(isHeld ? [expiresAt, left] : [(expiresAt ?? 0) - clock.now(), left]).toEqual(
							isHeld ? [null, limit - ran] : [limit - ran, undefined],
						);
					}
				}

				timer.cancel();
				expect(clock.open()).toBe(0);
			}),
			{numRuns: 200},
		);
		expect(paused).toBeGreaterThan(100);
	});

	test('is longer by what it is prolonged, held or not, and no more once it is over', async () => {
		const clock = createFakeClock();
		const time = createWaitingTime(clock);
		let ends = 0;
		const timer = time.after({kind: 'for', milliseconds: 100}, () => ends++);
		timer.prolong(50);
		time.suspend();
		timer.prolong(50);
		expect(timer.deadline()).toEqual({expiresAt: null, left: 200});
		await clock.advance(1000);
		time.resume();
		await clock.advance(199);
		expect(ends).toBe(0);
		await clock.advance(1);
		timer.prolong(50);
		await clock.advance(1000);
		expect([ends, clock.open()]).toEqual([1, 0]);
	});
});

test('a hold stops the time of those who wait from its first moment to its release, wherever that was', async () => {
	const {store} = memoryHoldStore();
	const [hold, other] = [openTestHold({stores: [store]}), openTestHold({stores: [store]})];
	const states = () => [hold, other].map(({time}) => time.state());
	const holding = hold.hold({by: 'cli', reason: ''});
	expect(states()).toEqual(['suspended', 'running']);
	const {held} = await holding;
	other.refresh();
	expect([...states(), openTestHold({stores: [store]}).time.state()]).toEqual(['suspended', 'suspended', 'suspended']);
	const releasing = other.release({by: 'cli', hash: held.hash});
	expect(states()).toEqual(['suspended', 'suspended']);
	await releasing;
	expect(states()).toEqual(['suspended', 'running']);
	hold.refresh();
	expect(states()).toEqual(['running', 'running']);
});

describe('an approval', () => {
	test('has no deadline while everything is held, and goes on with what was left', async () => {
		const {approvals, clock, time, ofType} = openQueue('hold');
		const outcome = approvals.ask(request, {});
		await clock.advance(100_000);
		const [{id} = {id: ''}] = approvals.pending();
		time.suspend();
		expect(approvals.pending()).toMatchObject([{id, expiresAt: null, left: 200_000}]);
		await clock.advance(900_000);
		time.resume();
		const expiresAt = clock.now() + 200_000;
		expect(approvals.pending()).toMatchObject([{id, expiresAt}]);
		expect(ofType('approval.deadline')).toEqual([
			{type: 'approval.deadline', id, expiresAt: null, left: 200_000},
			{type: 'approval.deadline', id, expiresAt},
		]);
		await clock.advance(199_999);
		expect(approvals.pending()).toHaveLength(1);
		await clock.advance(1);
		expect(await outcome).toEqual({kind: 'timed_out'});
	});

	test('that is asked during a hold has all of its time after it, and can be denied meanwhile', async () => {
		const {approvals, clock, time} = openQueue('hold');
		time.suspend();
		const [denied, left] = [approvals.ask(request, {}), approvals.ask(request, {})];
		const [{id, argumentsHash} = {id: '', argumentsHash: ''}] = approvals.pending();
		await clock.advance(10_000_000);
		expect(approvals.pending()).toMatchObject([
			{expiresAt: null, left: 300_000},
			{expiresAt: null, left: 300_000},
		]);
		approvals.answer({id, argumentsHash, verdict: {kind: 'deny'}, by: 'cli'});
		expect(await denied).toEqual({kind: 'denied', by: 'cli'});
		time.resume();
		await clock.advance(300_000);
		expect(await left).toEqual({kind: 'timed_out'});
	});

	test('of a limit of the day ends with the day, held or not', async () => {
		const {approvals, clock, time, ofType} = openQueue('deny');
		const at = clock.now() + 50_000;
		const outcome = approvals.ask(request, {limit: {kind: 'until', at}, unattended: 'waits'});
		time.suspend();
		expect(approvals.pending()).toMatchObject([{expiresAt: at}]);
		approvals.prolong(approvals.pending()[0]?.id ?? '', 900_000);
		expect(ofType('approval.deadline')).toEqual([]);
		await clock.advance(50_000);
		expect(await outcome).toEqual({kind: 'timed_out'});
	});

	test('waits so long in all as it is prolonged, and never shorter', async () => {
		const {approvals, clock, ofType} = openQueue('hold');
		const outcome = approvals.ask(request, {});
		const [{id} = {id: ''}] = approvals.pending();
		await clock.advance(100_000);
		approvals.prolong(id, 900_000);
		approvals.prolong(id, 400_000);
		expect(ofType('approval.deadline')).toMatchObject([{id, expiresAt: clock.now() + 800_000}]);
		await clock.advance(799_999);
		expect(approvals.pending()).toHaveLength(1);
		await clock.advance(1);
		expect(await outcome).toEqual({kind: 'timed_out'});
	});
});

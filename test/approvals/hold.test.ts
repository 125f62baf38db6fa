import {describe, expect, test} from 'vitest';
import {createHoldFileCheck, maxHeldWork} from '../../source/approvals/hold.ts';
import {type HoldEvent, type HoldState, nextHoldState} from '../../source/approvals/hold-state.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {memoryHoldStore, openTestHold} from '../helpers/open-hold.ts';
import {recordEvents} from '../helpers/record-events.ts';

const first = {since: 1, by: 'cli', reason: 'odd'};
const second = {since: 2, by: 'console:1', reason: ''};
const free: HoldState = {kind: 'free'};
const held: HoldState = {kind: 'held', hold: first};
const releasing: HoldState = {kind: 'releasing', hold: first};
const steps: ReadonlyArray<readonly [state: HoldState, event: HoldEvent, next: HoldState]> = [
	[free, {kind: 'hold', hold: first}, held],
	[free, {kind: 'release'}, free],
	[free, {kind: 'released', hold: first}, free],
	[free, {kind: 'not-released', hold: first}, free],
	[held, {kind: 'hold', hold: second}, held],
	[held, {kind: 'release'}, releasing],
	[held, {kind: 'released', hold: first}, held],
	[held, {kind: 'not-released', hold: first}, held],
	[free, {kind: 'stored', hold: undefined}, free],
	[free, {kind: 'stored', hold: first}, held],
	[held, {kind: 'stored', hold: {...first}}, held],
	[held, {kind: 'stored', hold: second}, {kind: 'held', hold: second}],
	[held, {kind: 'stored', hold: undefined}, free],
	[releasing, {kind: 'stored', hold: undefined}, releasing],
	[releasing, {kind: 'stored', hold: second}, releasing],
	[releasing, {kind: 'hold', hold: second}, {kind: 'held', hold: second}],
	[releasing, {kind: 'release'}, releasing],
	[releasing, {kind: 'released', hold: first}, free],
	[releasing, {kind: 'released', hold: second}, releasing],
	[releasing, {kind: 'not-released', hold: first}, held],
];

test.each(steps)('%j after %j is %j', (state, event, next) => {
	expect(nextHoldState(state, event)).toEqual(next);
});

const work = {kind: 'call', server: 'files', tool: 'write', origin: {kind: 'command-line'}} as const;

/** A hold, a way to see what has passed it, and what it published. */
function openFixture(options: Parameters<typeof openTestHold>[0] = {}) {
	const clock = createFakeClock();
	const recorded = recordEvents();
	const hold = openTestHold({clock, publish: recorded.publish, ...options});
	const passed: string[] = [];
	const pass = (name: string, signal = neverAborted()) =>
		hold.pass(work, {signal}).then(
			how => passed.push(`${name} ${how}`),
			(caught: unknown) => passed.push(`${name} ${caught instanceof Problem ? caught.code : 'left'}`),
		);
	return {clock, hold, passed, pass, ...recorded};
}

describe('while everything is held', () => {
	test('what comes waits, and goes on in its order after the release', async () => {
		const {clock, hold, passed, pass, ofType} = openFixture();
		void pass('before');
		await clock.settle();
		expect(passed).toEqual(['before free']);
		const {answer, held} = await hold.hold({by: 'cli', reason: 'odd'});
		expect(answer).toBe('held');
		expect(() => hold.assertFree()).toThrow('by cli: odd');
		void pass('first');
		void pass('second');
		await clock.advance(1000);
		expect(passed).toEqual(['before free']);
		expect(hold.waiting()).toEqual([work, work]);
		expect(ofType('hold.state').at(-1)).toEqual({type: 'hold.state', held, waiting: 2});
		expect(await hold.release({by: 'console:1', hash: held.hash})).toBe('released');
		await clock.settle();
		expect(passed).toEqual(['before free', 'first released', 'second released']);
		expect(() => hold.assertFree()).not.toThrow();
		expect(ofType('log').map(({text}) => text)).toEqual([
			expect.stringMatching(/^held since/),
			'released by console:1',
		]);
		await clock.advance(2000);
		expect(ofType('hold.state').filter(({held}) => !held)).toEqual([
			{type: 'hold.state', releasedBy: 'console:1', waiting: 2},
		]);
		expect(clock.open()).toBe(0);
	});

	test('what its caller gave up leaves, and nothing is left of it', async () => {
		const {clock, hold, passed, pass} = openFixture();
		await hold.hold({by: 'cli', reason: ''});
		const caller = new AbortController();
		void pass('gone', caller.signal);
		void pass('there');
		caller.abort();
		await clock.settle();
		expect(passed).toEqual(['gone left']);
		expect(hold.waiting()).toHaveLength(1);
		hold.close();
		void pass('late');
		await clock.settle();
		expect(passed).toEqual(['gone left', 'there cancelled', 'late cancelled']);
		expect(clock.open()).toBe(0);
	});

	test('what comes beyond the limit is refused', async () => {
		const {clock, hold, passed, pass} = openFixture();
		await hold.hold({by: 'cli', reason: ''});
		for (let count = 0; count < maxHeldWork; count++) {
			void pass('waiting');
		}

		void pass('one more');
		await clock.settle();
		expect(passed).toEqual(['one more held']);
	});

	test('everything is refused in a process beside the gateway, also when the hold began after its start', async () => {
		const {store} = memoryHoldStore();
		const clock = createFakeClock();
		const check = createHoldFileCheck(store, clock);
		expect(await check.pass(work, {signal: neverAborted()})).toBe('free');
		expect(() => check.assertFree()).not.toThrow();
		await openFixture({stores: [store]}).hold.hold({by: 'cli', reason: 'odd'});
		await expect(check.pass(work, {signal: neverAborted()})).rejects.toMatchObject({code: 'held'});
		expect(() => check.assertFree()).toThrow('by cli: odd');
	});
});

describe('a hold', () => {
	test('stands when there is one already, and is released by its own hash alone', async () => {
		const {hold} = openFixture();
		const {held} = await hold.hold({by: 'console:1', reason: 'first'});
		expect(await hold.hold({by: 'console:2', reason: 'second'})).toEqual({answer: 'already-held', held});
		expect(await hold.release({by: 'cli', hash: 'other'})).toBe('changed');
		expect(hold.current()).toEqual(held);
		expect(await hold.release({by: 'cli', hash: held.hash})).toBe('released');
		expect(await hold.release({by: 'cli', hash: held.hash})).toBe('not-held');
	});

	test('is stored before it is confirmed, and read at the next start', async () => {
		const {store, stored} = memoryHoldStore();
		const {hold} = openFixture({stores: [store]});
		const {held} = await hold.hold({by: 'cli', reason: 'odd'});
		expect(stored()).toEqual({since: held.since, by: 'cli', reason: 'odd'});
		const next = openFixture({stores: [store]});
		expect(next.hold.current()).toEqual(held);
		expect(next.ofType('hold.state')).toEqual([{type: 'hold.state', held, waiting: 0}]);
		await next.hold.release({by: 'cli', hash: held.hash});
		expect(stored()).toBeNull();
		expect(openFixture({stores: [store]}).hold.current()).toBeUndefined();
	});

	test('is stored for each profile, and one that was held alone holds them all', async () => {
		const [root, other] = [memoryHoldStore(), memoryHoldStore(first)];
		const {hold} = openFixture({stores: [root.store, other.store]});
		expect(hold.current()).toMatchObject(first);
		await hold.release({by: 'cli', hash: hold.current()?.hash ?? ''});
		expect([root.stored(), other.stored()]).toEqual([null, null]);
		await hold.hold({by: 'cli', reason: ''});
		expect([root.stored(), other.stored()]).toEqual([expect.anything(), expect.anything()]);
	});

	test('has words that are fit to be shown', async () => {
		const {hold} = openFixture();
		const {held} = await hold.hold({by: 'cli', reason: `\u001B[31m${'x'.repeat(300)}`});
		expect(held.reason).toMatch(/^␛\[31mx+…/u);
		expect(Array.from(held.reason).length).toBeLessThanOrEqual(220);
	});
});

describe('a file', () => {
	const broken = {
		read: () => {
			throw new Problem('config_syntax', {message: 'hold.json is not a JSON object'});
		},
		update: () => Promise.reject(new Problem('config_syntax', {message: 'hold.json is not a JSON object'})),
	};

	test('that cannot be read holds everything and says why', async () => {
		const {hold, pass, passed, clock} = openFixture({stores: [broken]});
		const held = hold.current();
		expect(held).toMatchObject({by: 'gateway', reason: 'hold.json is not a JSON object'});
		void pass('call');
		await expect(hold.release({by: 'cli', hash: held?.hash ?? ''})).rejects.toMatchObject({code: 'config_syntax'});
		await clock.settle();
		expect(hold.current()).toEqual(held);
		expect(passed).toEqual([]);
	});

	test('that cannot be written is reported, everything is held all the same, and the next hold writes it', async () => {
		const {store, stored} = memoryHoldStore();
		let disk: 'full' | 'free' = 'full';
		const update: typeof store.update = async (...change) => {
			if (disk === 'full') {
				throw new Error('the disk is full');
			}

			await store.update(...change);
		};
		const {hold, ofType} = openFixture({stores: [{read: store.read, update}]});
		await expect(hold.hold({by: 'cli', reason: 'odd'})).rejects.toThrow('the disk is full');
		expect(hold.current()).toMatchObject({by: 'cli'});
		expect(ofType('log').at(-1)?.text).toContain('the disk is full');
		disk = 'free';
		expect(await hold.hold({by: 'console:1', reason: ''})).toMatchObject({answer: 'already-held', held: {by: 'cli'}});
		expect(stored()).toMatchObject({by: 'cli', reason: 'odd'});
	});

	test('whose release is still being written when somebody holds again, holds', async () => {
		const {promise, resolve} = Promise.withResolvers<void>();
		const file = memoryHoldStore(first);
		let writes = 0;
		const slow = {
			read: file.store.read,
			async update(...change: Parameters<typeof file.store.update>) {
				if (writes++ === 0) {
					await promise;
				}

				await file.store.update(...change);
			},
		};
		const {hold, clock, pass, passed} = openFixture({stores: [slow]});
		void pass('call');
		const released = hold.release({by: 'console:1', hash: hold.current()?.hash ?? ''});
		await clock.settle();
		expect(passed).toEqual([]);
		const again = hold.hold({by: 'console:2', reason: 'again'});
		resolve();
		expect(await released).toBe('changed');
		expect(await again).toMatchObject({answer: 'held', held: {by: 'console:2'}});
		expect(hold.current()).toMatchObject({by: 'console:2', reason: 'again'});
		await clock.settle();
		expect(passed).toEqual([]);
	});
});

describe('what another gateway stores', () => {
	test('holds here, and releases what waits when it is released there', async () => {
		const {store} = memoryHoldStore();
		const {hold, clock, pass, passed, ofType} = openFixture({stores: [store]});
		await store.update(() => ({held: first}), clock);
		hold.refresh();
		hold.refresh();
		expect(hold.current()).toMatchObject(first);
		void pass('call');
		await store.update(() => ({held: null}), clock);
		hold.refresh();
		await clock.settle();
		expect([hold.current(), passed.length]).toEqual([undefined, 1]);
		expect(ofType('hold.state').at(-1)).toMatchObject({releasedBy: 'another gateway'});
	});

	test('stands when it was first, and is not released with another hold', async () => {
		const {store, stored} = memoryHoldStore();
		const other = memoryHoldStore();
		/** As another gateway changes it just before a change of this one. */
		let meanwhile: typeof first | null | undefined;
		const shared: typeof store = {
			read: store.read,
			async update(change, clock) {
				if (meanwhile !== undefined) {
					const next = meanwhile;
					meanwhile = undefined;
					await store.update(() => ({held: next}), clock);
				}

				await store.update(change, clock);
			},
		};
		const {hold} = openFixture({stores: [shared, other.store]});
		meanwhile = first;
		expect(await hold.hold({by: 'cli', reason: 'mine'})).toMatchObject({answer: 'already-held', held: first});
		meanwhile = second;
		expect(await hold.release({by: 'cli', hash: hold.current()?.hash ?? ''})).toBe('changed');
		expect([stored(), hold.current()]).toMatchObject([second, second]);
	});

	test('does not release a hold of this gateway that could not be stored', async () => {
		const {store} = memoryHoldStore();
		const away = {read: store.read, update: () => Promise.reject(new Error('away'))};
		const {hold} = openFixture({stores: [away]});
		await expect(hold.hold({by: 'cli', reason: 'odd'})).rejects.toThrow('away');
		hold.refresh();
		expect(hold.current()).toMatchObject({reason: 'odd'});
	});
});

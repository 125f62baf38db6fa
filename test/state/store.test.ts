import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {createStore} from '../../source/state/store.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {approval, log, server, stamp, webhook} from '../tui/sample-events.ts';

function openStore(isBlocked = () => false) {
	const clock = createFakeClock();
	const store = createStore({clock, isBlocked});
	let flushes = 0;
	store.subscribe(() => void flushes++);
	return {clock, store, flushes: () => flushes};
}

test('events become visible after 100 ms, not before', async () => {
	const {clock, store} = openStore();
	store.publish(stamp([webhook('r')])[0]!);
	await clock.advance(99);
	const early = store.getSnapshot().events.length;
	await clock.advance(1);
	expect([early, store.getSnapshot().events.length]).toEqual([0, 1]);
});

test.each<[string, GatewayEventBody]>([
	['an approval', approval('1')],
	['a server state', server('a')],
	['a broken file', {type: 'config.state', state: 'unusable', reason: 'x'}],
])('%s becomes visible at once', async (_name, body) => {
	const {clock, store, flushes} = openStore();
	store.publish(stamp([body])[0]!);
	await clock.advance(0);
	expect(flushes()).toBe(1);
});

test('an urgent event brings the earlier ones with it, in order', async () => {
	const {clock, store} = openStore();
	for (const event of stamp([log('first'), approval('1')])) {
		store.publish(event);
	}

	await clock.advance(0);
	expect([store.getSnapshot().log.length, store.getSnapshot().approvals.length]).toEqual([1, 1]);
});

test('a storm of urgent events draws at most every 50 ms', async () => {
	const {clock, store, flushes} = openStore();
	for (let turn = 0; turn < 100; turn++) {
		store.publish(stamp([server('a', {tools: turn})], turn)[0]!);
		await clock.advance(1);
	}

	expect(flushes()).toBeLessThanOrEqual(3);
});

/** Number of flushes in each second of a stream. */
async function flushesBySecond(perSecond: readonly number[]): Promise<readonly number[]> {
	const {clock, store, flushes} = openStore();
	const counts: number[] = [];
	for (const rate of perSecond) {
		const before = flushes();
		for (let turn = 0; turn < 100; turn++) {
			stamp(Array.from({length: rate / 100}, () => log('x'))).forEach(event => store.publish(event));
			await clock.advance(10);
		}

		counts.push(flushes() - before);
	}

	return counts;
}

test('a flood of events is drawn once a second, and a stream that can be followed ten times again', async () => {
	const [first = 0, ...later] = await flushesBySecond([1000, 1000, 1000, 1000, 100, 100]);
	expect(first).toBeGreaterThan(8);
	expect(later.slice(1, 3)).toEqual([1, 1]);
	expect(later.at(-1)).toBeGreaterThan(8);
});

test('an urgent event is drawn at once in a flood', async () => {
	const {clock, store} = openStore();
	for (let turn = 0; turn < 3050; turn++) {
		store.publish(stamp([log('x')])[0]!);
		await clock.advance(1);
	}

	store.publish(stamp([approval('1')])[0]!);
	await clock.advance(50);
	expect(store.getSnapshot().approvals.length).toBe(1);
});

test('a burst of events slows nothing down', async () => {
	const {clock, store, flushes} = openStore();
	await clock.advance(5000);
	stamp(Array.from({length: 900}, () => log('x'))).forEach(event => store.publish(event));
	await clock.advance(100);
	store.publish(stamp([log('x')])[0]!);
	await clock.advance(100);
	expect(flushes()).toBe(2);
});

test('nothing is flushed while the terminal has not taken its bytes', async () => {
	let waiting = true;
	const {clock, store, flushes} = openStore(() => waiting);
	store.publish(stamp([approval('1')])[0]!);
	await clock.advance(5000);
	const held = flushes();
	waiting = false;
	await clock.advance(100);
	expect([held, flushes(), store.getSnapshot().approvals.length]).toEqual([0, 1, 1]);
});

test('the snapshot is the same object until something changes', async () => {
	const {clock, store} = openStore();
	const before = store.getSnapshot();
	store.publish(stamp([log('x')])[0]!);
	expect(store.getSnapshot()).toBe(before);
	await clock.advance(100);
	expect(store.getSnapshot()).not.toBe(before);
});

test('a long stall keeps the rings and nothing more', async () => {
	const {clock, store} = openStore(() => clock.elapsed() < 1000);
	for (const event of stamp(Array.from({length: 12_000}, () => log('x')))) {
		store.publish(event);
	}

	await clock.advance(2000);
	expect([store.getSnapshot().log.length, store.getSnapshot().log.at(-1)?.seq]).toEqual([2000, 12_000]);
});

test('a closed store has no timer and publishes nothing', async () => {
	const {clock, store, flushes} = openStore();
	store.publish(stamp([log('x')])[0]!);
	store.close();
	store.publish(stamp([approval('1')])[0]!);
	await clock.advance(1000);
	expect([clock.open(), flushes()]).toEqual([0, 0]);
});

test('a listener that left hears nothing more', async () => {
	const {clock, store} = openStore();
	let heard = 0;
	const leave = store.subscribe(() => void heard++);
	leave();
	store.publish(stamp([approval('1')])[0]!);
	await clock.advance(100);
	expect(heard).toBe(0);
});

import {expect, test} from 'vitest';
import {type LookAtOthers} from '../../source/gateway/journal/other-work.ts';
import {watchOthers} from '../../source/gateway/journal/watch-others.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {openLiveSnapshot} from '../../source/state/gathered-snapshot.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

/** A watch whose looks answer what the test says; `looks` has when they were made, and since when what they find is news. */
function open() {
	const clock = createFakeClock(0);
	const eventBus = createEventBus({clock, redact: event => event});
	openLiveSnapshot(eventBus);
	eventBus.listen(() => undefined);
	const looks: Array<readonly [at: number, newsSince: number | undefined]> = [];
	let answer: () => ReturnType<LookAtOthers> = async () => 'looked';
	const watch = watchOthers({
		clock,
		eventBus,
		async look(newsSince) {
			looks.push([clock.now(), newsSince]);
			return answer();
		},
	});
	return {
		clock,
		watch,
		listen: () => eventBus.listenToAll(() => undefined),
		follow: () => eventBus.followAll(() => undefined),
		looks: () => looks.splice(0),
		answerWith: (next: typeof answer) => {
			answer = next;
		},
	};
}

test('the others are looked at once at the start, and then only while somebody listens', async () => {
	const {clock, listen, follow, looks} = open();
	await clock.advance(60_000);
	expect(looks()).toEqual([[0, 0]]);
	for (const begin of [listen, follow]) {
		const begunAt = clock.now();
		const end = begin();
		await clock.advance(2500);
		expect(looks()).toEqual([
			[begunAt, begunAt],
			[begunAt + 1000, undefined],
			[begunAt + 2000, undefined],
		]);
		end();
		await clock.advance(59_500);
		expect(looks()).toEqual([]);
	}
});

test('the first look is repeated until the journal answers, also while nobody listens', async () => {
	const {clock, looks, answerWith} = open();
	answerWith(async () => 'failed');
	await clock.advance(1500);
	expect(looks()).toEqual([
		[0, 0],
		[1000, 0],
	]);
	answerWith(async () => 'looked');
	await clock.advance(10_000);
	expect(looks()).toEqual([[2000, 0]]);
});

test('what came before somebody listens stays past until a look has succeeded', async () => {
	const {clock, listen, looks, answerWith} = open();
	await clock.advance(10_000);
	looks();
	answerWith(async () => 'failed');
	listen();
	await clock.advance(500);
	answerWith(async () => 'looked');
	await clock.advance(2000);
	expect(looks()).toEqual([
		[10_000, 10_000],
		[11_000, 10_000],
		[12_000, undefined],
	]);
});

test('a look that failed for somebody who has left makes no news of what came before the next one', async () => {
	const {clock, watch, listen, looks, answerWith} = open();
	await clock.advance(10_000);
	answerWith(async () => 'failed');
	const end = listen();
	await clock.advance(500);
	end();
	await clock.advance(60_000);
	await watch.look();
	answerWith(async () => 'looked');
	await clock.advance(3_600_000);
	looks();
	const begunAt = clock.now();
	const endAgain = listen();
	await clock.advance(500);
	expect(looks()[0]).toEqual([begunAt, begunAt]);
	endAgain();
	await clock.advance(10_000);
	looks();
	answerWith(async () => 'failed');
	await watch.look();
	await clock.advance(10_000);
	await watch.look();
	expect(looks()).toEqual([begunAt + 10_500, begunAt + 20_500].map(at => [at, at]));
});

test('whoever asks while nobody listens has one look, at most one a second, and none where somebody listens', async () => {
	const {clock, watch, listen, looks} = open();
	await clock.advance(10_000);
	looks();
	await Promise.all([watch.look(), watch.look()]);
	await watch.look();
	expect(looks()).toEqual([[10_000, 10_000]]);
	await clock.advance(1000);
	await watch.look();
	expect(looks()).toEqual([[11_000, 11_000]]);
	listen();
	await clock.settle();
	looks();
	await watch.look();
	expect(looks()).toEqual([]);
});

test('a listener who comes while a look is under way waits for it, and one that is stopped looks no more', async () => {
	const {clock, watch, listen, looks, answerWith} = open();
	const slow = Promise.withResolvers<'looked'>();
	answerWith(() => slow.promise);
	await clock.advance(5000);
	const end = listen();
	await clock.settle();
	expect(looks()).toEqual([[0, 0]]);
	slow.resolve('looked');
	await clock.advance(1000);
	expect(looks()).toEqual([[6000, undefined]]);
	end();
	watch.stop();
	listen();
	await clock.advance(5000);
	await watch.look();
	expect(looks()).toEqual([]);
});

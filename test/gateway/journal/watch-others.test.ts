import {expect, test} from 'vitest';
import {type PollOthers} from '../../../source/gateway/journal/other-work.ts';
import {watchOthers} from '../../../source/gateway/journal/watch-others.ts';
import {createEventBus} from '../../../source/state/event-bus.ts';
import {openLiveSnapshot} from '../../../source/state/gathered-snapshot.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

/** A watch whose polls answer what the test says; `polls` has when they were made, and since when what they find is news. */
function open() {
	const clock = createFakeClock(0);
	const eventBus = createEventBus({clock, redact: event => event});
	openLiveSnapshot(eventBus);
	eventBus.listen(() => undefined);
	const polls: Array<readonly [at: number, newsSince: number | undefined]> = [];
	let answer: () => ReturnType<PollOthers> = async () => 'polled';
	const watch = watchOthers({
		clock,
		eventBus,
		async poll(newsSince) {
			polls.push([clock.now(), newsSince]);
			return answer();
		},
	});
	return {
		clock,
		watch,
		listen: () => eventBus.listenToAll(() => undefined),
		follow: () => eventBus.followAll(() => undefined),
		polls: () => polls.splice(0),
		answerWith: (next: typeof answer) => {
			answer = next;
		},
	};
}

test('the others are polled at once at the start, and then only while somebody listens', async () => {
	const {clock, listen, follow, polls} = open();
	await clock.advance(60_000);
	expect(polls()).toEqual([[0, 0]]);
	for (const begin of [listen, follow]) {
		const begunAt = clock.now();
		const end = begin();
		await clock.advance(2500);
		expect(polls()).toEqual([
			[begunAt, begunAt],
			[begunAt + 1000, undefined],
			[begunAt + 2000, undefined],
		]);
		end();
		await clock.advance(59_500);
		expect(polls()).toEqual([]);
	}
});

test('the first poll is repeated until the journal answers, also while nobody listens', async () => {
	const {clock, polls, answerWith} = open();
	answerWith(async () => 'failed');
	await clock.advance(1500);
	expect(polls()).toEqual([
		[0, 0],
		[1000, 0],
	]);
	answerWith(async () => 'polled');
	await clock.advance(10_000);
	expect(polls()).toEqual([[2000, 0]]);
});

test('what came before somebody listens stays past until a poll has succeeded', async () => {
	const {clock, listen, polls, answerWith} = open();
	await clock.advance(10_000);
	polls();
	answerWith(async () => 'failed');
	listen();
	await clock.advance(500);
	answerWith(async () => 'polled');
	await clock.advance(2000);
	expect(polls()).toEqual([
		[10_000, 10_000],
		[11_000, 10_000],
		[12_000, undefined],
	]);
});

test('a poll that failed for somebody who has left makes no news of what came before the next one', async () => {
	const {clock, watch, listen, polls, answerWith} = open();
	await clock.advance(10_000);
	answerWith(async () => 'failed');
	const end = listen();
	await clock.advance(500);
	end();
	await clock.advance(60_000);
	await watch.poll();
	answerWith(async () => 'polled');
	await clock.advance(3_600_000);
	polls();
	const begunAt = clock.now();
	const endAgain = listen();
	await clock.advance(500);
	expect(polls()[0]).toEqual([begunAt, begunAt]);
	endAgain();
	await clock.advance(10_000);
	polls();
	answerWith(async () => 'failed');
	await watch.poll();
	await clock.advance(10_000);
	await watch.poll();
	expect(polls()).toEqual([begunAt + 10_500, begunAt + 20_500].map(at => [at, at]));
});

test('a caller while nobody listens starts one poll, at most one a second, and none where somebody listens', async () => {
	const {clock, watch, listen, polls} = open();
	await clock.advance(10_000);
	polls();
	await Promise.all([watch.poll(), watch.poll()]);
	await watch.poll();
	expect(polls()).toEqual([[10_000, 10_000]]);
	await clock.advance(1000);
	await watch.poll();
	expect(polls()).toEqual([[11_000, 11_000]]);
	listen();
	await clock.settle();
	polls();
	await watch.poll();
	expect(polls()).toEqual([]);
});

test('a listener who comes while a poll is under way waits for it, and one that is stopped polls no more', async () => {
	const {clock, watch, listen, polls, answerWith} = open();
	const slow = Promise.withResolvers<'polled'>();
	answerWith(() => slow.promise);
	await clock.advance(5000);
	const end = listen();
	await clock.settle();
	expect(polls()).toEqual([[0, 0]]);
	slow.resolve('polled');
	await clock.advance(1000);
	expect(polls()).toEqual([[6000, undefined]]);
	end();
	watch.stop();
	listen();
	await clock.advance(5000);
	await watch.poll();
	expect(polls()).toEqual([]);
});

import {expect, test} from 'vitest';
import {createJournalReach} from '../../../source/gateway/journal/journal-reach.ts';
import {type Journal} from '../../../source/journal/journal.ts';
import {Problem} from '../../../source/util/problem.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

/** A journal whose one read the test answers. */
function openReach(countWaitingRuns: Journal['countWaitingRuns'] = async () => 0) {
	const clock = createFakeClock();
	const state = {isOpen: true, polls: 0};
	const reach = createJournalReach(clock);
	const journal = {
		async countWaitingRuns() {
			state.polls++;
			return countWaitingRuns();
		},
	} as Journal;
	return {clock, state, ...reach, isReached: () => reach.isReached({isOpen: () => state.isOpen, journal})};
}

const full = new Problem('storage_unavailable');
const silence = () => new Promise<never>(() => {});

test('a check every second reads an idle journal every five seconds, and one that is written never', async () => {
	const {clock, state, isReached, setWrite} = openReach();
	for (let second = 0; second < 20; second++) {
		expect(await isReached()).toBe(true);
		await clock.advance(1000);
	}

	expect(state.polls).toBe(4);
	for (let second = 0; second < 20; second++) {
		setWrite(undefined);
		expect(await isReached()).toBe(true);
		await clock.advance(1000);
	}

	expect(state.polls).toBe(4);
});

test('many who ask at once share one poll, also where nobody asked for an hour', async () => {
	const {clock, state, isReached} = openReach();
	await isReached();
	await clock.advance(3_600_000);
	expect(await Promise.all([isReached(), isReached(), isReached()])).toEqual([true, true, true]);
	expect(state.polls).toBe(2);
});

test('a disk that hangs counts for the rest of the lease, and then as out of reach within a second', async () => {
	const {clock, state, isReached, setWrite} = openReach(silence);
	setWrite(undefined);
	await clock.advance(14_999);
	expect(await isReached()).toBe(true);
	await clock.advance(1);
	const answered = isReached();
	await clock.advance(999);
	await clock.settle();
	expect(clock.open()).toBe(1);
	await clock.advance(1);
	expect(await answered).toBe(false);
	expect([state.polls, clock.open()]).toEqual([1, 0]);
	setWrite(undefined);
	expect(await isReached()).toBe(true);
});

test('a journal that cannot be used is out of reach at once, without a poll', async () => {
	const {state, isReached, setWrite} = openReach();
	setWrite(undefined);
	state.isOpen = false;
	expect([await isReached(), state.polls]).toEqual([false, 0]);
	state.isOpen = true;
	expect(await isReached()).toBe(true);
});

test('a poll that finds nothing because the journal was closed meanwhile, or fails, is no good answer', async () => {
	const closing = openReach(async () => {
		closing.state.isOpen = false;
		return 0;
	});
	expect(await closing.isReached()).toBe(false);
	const failing = openReach(() => Promise.reject(full));
	expect(await failing.isReached()).toBe(false);
});

test('a refused write keeps requests away until one is on disk, and no longer than a lease: the next request finds out', async () => {
	const {clock, isReached, setWrite} = openReach();
	setWrite(undefined);
	setWrite(full);
	expect(await isReached()).toBe(false);
	setWrite(undefined);
	expect(await isReached()).toBe(true);
	setWrite(full);
	await clock.advance(14_999);
	expect(await isReached()).toBe(false);
	await clock.advance(1);
	expect(await isReached()).toBe(true);
});

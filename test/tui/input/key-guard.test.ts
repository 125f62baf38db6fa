import {describe, expect, test} from 'vitest';
import {screenKey} from '../../../source/tui/input/key-guard.ts';
import {openReview} from '../../../source/tui/state/review.ts';
import {first, openAnswering, second, snapshot} from '../open-key-guard.ts';

describe('a terminal that answers', () => {
	test('is asked once behind the first frame, and once behind each card', async () => {
		const {draw, asked} = await openAnswering();
		const before = asked();
		draw(first!);
		draw(first!);
		expect([before, asked()]).toEqual([1, 2]);
	});

	test('arms a card 700 ms after its answer, however long that takes', async () => {
		const {clock, guard, draw} = await openAnswering();
		draw(first!);
		await clock.advance(60_000);
		const unanswered = guard.readiness();
		guard.answered('position');
		await clock.advance(699);
		const early = guard.readiness();
		await clock.advance(1);
		expect([unanswered, early, guard.readiness()]).toEqual(['unseen', 'too-new', 'ready']);
	});

	test('does not arm a card while another reply is outstanding', async () => {
		const {clock, guard, draw, await: awaitReply} = await openAnswering();
		draw(first!);
		guard.answered('position');
		await clock.advance(700);
		const readiness = [true, false].map(isAwaited => {
			awaitReply(isAwaited);
			return guard.readiness();
		});
		expect(readiness).toEqual(['unseen', 'ready']);
	});

	test('does not arm a card by the answer for the one before', async () => {
		const {clock, guard, draw} = await openAnswering();
		draw(first!);
		draw(second!);
		guard.answered('position');
		await clock.advance(5000);
		const byTheFirst = guard.readiness();
		guard.answered('position');
		await clock.advance(700);
		expect([byTheFirst, guard.readiness()]).toEqual(['unseen', 'ready']);
	});

	test('does not arm a card that was left and opened again by its first answer', async () => {
		const {clock, guard, draw} = await openAnswering();
		draw(first!);
		draw(second!);
		draw(first!);
		guard.answered('position');
		guard.answered('position');
		await clock.advance(5000);
		expect(guard.readiness()).toBe('unseen');
	});

	test('never falls back, however long it is silent later', async () => {
		const {clock, guard, draw, silences} = await openAnswering();
		draw(first!);
		await clock.advance(600_000);
		expect([guard.readiness(), silences()]).toEqual(['unseen', 0]);
	});

	test('is not asked while it has bytes to take', async () => {
		const {clock, guard, draw, asked, stall} = await openAnswering();
		stall(true);
		draw(first!);
		draw(second!);
		await clock.advance(1000);
		const whileStalled = asked();
		stall(false);
		await clock.advance(50);
		guard.answered('position');
		await clock.advance(700);
		expect([whileStalled, asked(), guard.readiness()]).toEqual([1, 2, 'ready']);
	});

	test('is not asked for a card whose frame was not drawn when the bytes were taken', async () => {
		const {clock, guard, draw, asked, stall} = await openAnswering();
		stall(true);
		draw(first!);
		guard.show(second!, snapshot);
		guard.committed(screenKey(second!, snapshot));
		stall(false);
		await clock.advance(200);
		const undrawn = asked();
		guard.framePainted();
		expect([undrawn, asked()]).toEqual([1, 2]);
	});

	test('is not asked without end while it hangs', async () => {
		const {draw, asked} = await openAnswering();
		for (let card = 0; card < 100; card++) {
			draw(card % 2 === 0 ? first! : second!);
		}

		expect(asked()).toBe(17);
	});

	test('is asked for the shown card as soon as it answers again', async () => {
		const {clock, guard, draw} = await openAnswering();
		for (let card = 0; card < 101; card++) {
			draw(card % 2 === 0 ? first! : second!);
		}

		for (let answer = 0; answer < 16; answer++) {
			guard.answered('position');
		}

		await clock.advance(5000);
		const byOthers = guard.readiness();
		guard.answered('position');
		await clock.advance(700);
		expect([byOthers, guard.readiness()]).toEqual(['unseen', 'ready']);
	});

	test('a part of a card that was scrolled to has to be armed again', async () => {
		const {clock, guard, draw} = await openAnswering();
		draw(first!);
		guard.answered('position');
		await clock.advance(700);
		const before = guard.readiness();
		draw({...first!, mode: {...openReview(snapshot.approvals[0]!), scroll: 1}});
		await clock.advance(5000);
		expect([before, guard.readiness()]).toEqual(['ready', 'unseen']);
	});
});

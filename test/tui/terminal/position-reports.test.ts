import {describe, expect, test} from 'vitest';
import {
	plainPositionRequest,
	positionReportRequest,
	statusReportRequest,
} from '../../../source/tui/terminal/position-reports.ts';
import {initialUiState} from '../../../source/tui/state/ui-state.ts';
import {first, openAnswering, openKeyGuard, second} from '../open-key-guard.ts';

describe('an answer that is lost', () => {
	test('is given up after ten seconds, when the terminal has come past it, and asked for again', async () => {
		const {clock, guard, draw, written} = await openAnswering();
		draw(first!);
		await clock.advance(9999);
		const before = written.includes(statusReportRequest);
		await clock.advance(1);
		expect([before, written.at(-1)]).toEqual([false, statusReportRequest]);
		guard.answered('status');
		guard.answered('position');
		await clock.advance(700);
		expect(guard.readiness()).toBe('ready');
	});

	test('and only was late arms its own card', async () => {
		const {clock, guard, draw} = await openAnswering();
		draw(first!);
		await clock.advance(10_000);
		draw(second!);
		guard.answered('position');
		guard.answered('status');
		await clock.advance(5000);
		const byTheFirst = guard.readiness();
		guard.answered('position');
		await clock.advance(700);
		expect([byTheFirst, guard.readiness()]).toEqual(['unseen', 'ready']);
	});
});

describe('a terminal that knows only the older question', () => {
	test('is asked that one when it does not answer the newer, and never called silent', async () => {
		const {clock, guard, draw, written, silences} = openKeyGuard();
		draw(first!);
		await clock.advance(1000);
		const tried = written.slice(-2);
		guard.answered('status');
		guard.answered('position');
		await clock.advance(700);
		const unasked = guard.readiness();
		guard.answered('position');
		await clock.advance(700);
		const ready = guard.readiness();
		draw(second!);
		await clock.advance(5000);
		const next = guard.readiness();
		guard.answered('position');
		await clock.advance(700);
		expect([tried, unasked, ready, next, guard.readiness(), silences()]).toEqual([
			[statusReportRequest, plainPositionRequest],
			'unseen',
			'ready',
			'unseen',
			'ready',
			0,
		]);
		expect(written.at(-1)).toBe(plainPositionRequest);
	});

	test('differs from one that is only slow by the mark of its answers', async () => {
		const {clock, guard, draw, written} = openKeyGuard();
		draw(first!);
		await clock.advance(5000);
		guard.answered('marked-position');
		guard.answered('marked-position');
		await clock.advance(700);
		expect([guard.readiness(), written.at(-1)]).toEqual(['ready', plainPositionRequest]);
		draw(second!);
		guard.answered('marked-position');
		await clock.advance(700);
		expect([guard.readiness(), written.at(-1)]).toEqual(['ready', positionReportRequest]);
	});
});

describe('a terminal that does not answer', () => {
	test('is reported once, and keys arm by what it took', async () => {
		const {clock, guard, draw, silences} = openKeyGuard();
		draw(first!);
		await clock.advance(1999);
		const before = [guard.readiness(), silences()];
		await clock.advance(1);
		const after = [guard.readiness(), silences()];
		draw(second!);
		const next = guard.readiness();
		await clock.advance(700);
		expect([before, after, next, guard.readiness(), silences()]).toEqual([
			['unseen', 0],
			['ready', 1],
			'too-new',
			'ready',
			1,
		]);
	});

	test('is not called silent while it has bytes to take', async () => {
		const {clock, draw, silences, stall} = openKeyGuard();
		draw(first!);
		stall(true);
		await clock.advance(10_000);
		const whileStalled = silences();
		stall(false);
		await clock.advance(2000);
		expect([whileStalled, silences()]).toEqual([0, 1]);
	});

	test('is waited for again once it answers after all', async () => {
		const {clock, guard, draw} = openKeyGuard();
		draw(initialUiState);
		await clock.advance(2000);
		draw(first!);
		await clock.advance(700);
		const assumed = guard.readiness();
		guard.answered('marked-position');
		await clock.advance(5000);
		const doubted = guard.readiness();
		guard.answered('marked-position');
		await clock.advance(700);
		expect([assumed, doubted, guard.readiness()]).toEqual(['ready', 'unseen', 'ready']);
	});
});

describe('after the terminal was somebody else’s', () => {
	test('the card waits for a frame of its own', async () => {
		const {clock, guard, draw} = await openAnswering();
		draw(first!);
		guard.answered('position');
		await clock.advance(700);
		guard.resumed();
		const before = guard.readiness();
		draw(first!);
		guard.answered('position');
		await clock.advance(700);
		expect([before, guard.readiness()]).toEqual(['unpainted', 'ready']);
	});

	test('an answer that somebody else took is given up', async () => {
		const {clock, guard, draw, written} = await openAnswering();
		draw(first!);
		guard.resumed();
		expect(written.at(-1)).toBe(statusReportRequest);
		draw(first!);
		guard.answered('status');
		guard.answered('position');
		await clock.advance(700);
		expect(guard.readiness()).toBe('ready');
	});

	test('an answer that nobody took arms nothing', async () => {
		const {clock, guard, draw} = await openAnswering();
		draw(first!);
		guard.resumed();
		draw(first!);
		guard.answered('position');
		await clock.advance(5000);
		expect(guard.readiness()).toBe('unseen');
	});
});

test('a closed key guard leaves no timer behind', async () => {
	const {clock, guard, draw, stall} = openKeyGuard();
	stall(true);
	draw(first!);
	stall(false);
	await clock.advance(50);
	guard.close();
	expect(clock.open()).toBe(0);
});

import {describe, expect, test} from 'vitest';
import {decision} from '../helpers/decision.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, server, started} from './sample-events.ts';

const base = [started(), server('github'), approval('7f3a')];
const risky = [started(), server('github'), approval('7f3a', {hints: {destructiveHint: true}})];

async function openReview(events = base, options: {readonly columns?: number; readonly rows?: number} = {}) {
	const dashboard = await openDashboard({...options, events});
	await dashboard.press('A');
	await dashboard.shows('APPROVAL 1 of');
	return dashboard;
}

describe('a card that asks for a second press', () => {
	test.each([5000, 60_000])('a second press after %i ms is a first one, and the card says so', async milliseconds => {
		const {press, clock, sent, shows, hides} = await openReview(risky);
		await press('a');
		await shows('press a again: destructive');
		await clock.advance(milliseconds);
		await shows('5 s passed: nothing was allowed');
		await press('a');
		await shows('press a again: destructive');
		expect(sent).toEqual([]);
		await press('a');
		await hides('press a again');
		expect(sent).toEqual([decision({kind: 'approve', scope: 'once'})]);
	});

	test('the first press is over once something came in front of the card', async () => {
		const {press, sent, shows, hides} = await openReview(risky);
		await press('a');
		await shows('press a again');
		await press('m');
		await shows('deny, because:');
		await press('\u001B');
		await hides('deny, because:');
		await press('a');
		await shows('press a again');
		expect(sent).toEqual([]);
	});

	test.each([
		[{hints: {destructiveHint: true}}, ['destructive']],
		[
			{hints: {destructiveHint: true, openWorldHint: true}, maskedValues: 12, cutBytes: 0},
			['destructive · open world · 12 values', 'masked'],
		],
		[{markedCharacters: 3}, ['3 characters marked']],
	])('at 40x10 the card says %j before the first key', async (change, words) => {
		const {shows, sent, terminal} = await openReview([started(), server('github'), approval('7f3a', change)], {
			columns: 40,
			rows: 10,
		});
		for (const text of words) {
			await shows(text);
		}

		expect([(await terminal.rows()).length, sent]).toEqual([10, []]);
	});

	test('every key stands apart from its words', async () => {
		const {shows} = await openReview();
		await shows('n/b next/previous');
	});
});

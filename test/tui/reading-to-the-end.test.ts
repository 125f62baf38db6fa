import {describe, expect, test} from 'vitest';
import {decision} from '../helpers/decision.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, server, started} from './sample-events.ts';

/** The card of a request with more arguments than the screen has rows. */
async function openLongCard() {
	const long = Object.fromEntries(Array.from({length: 40}, (_, index) => [`k${index}`, index]));
	const dashboard = await openDashboard({events: [started(), server('github'), approval('7f3a', {arguments: long})]});
	await dashboard.press('A');
	await dashboard.shows('APPROVAL 1 of');
	return dashboard;
}

describe('arguments that do not fit on the screen', () => {
	test('can only be denied before they were all shown', async () => {
		const {press, sent, shows} = await openLongCard();
		await shows('until then it can only be denied');
		for (const key of ['a', 'a', 's', 's', 'w', 'w']) {
			await press(key);
		}

		expect(sent).toEqual([]);
		await press('d');
		expect(sent).toEqual([decision({kind: 'deny'})]);
	});

	test('can be allowed after they were scrolled through', async () => {
		const {press, sent, shows, turnToEnd} = await openLongCard();
		await turnToEnd();
		await shows('all shown');
		await press('a');
		expect(sent).toEqual([decision({kind: 'approve', scope: 'once'})]);
	});

	test('do not count as shown where they were scrolled over while the terminal hung', async () => {
		const {press, sent, shows, hides, terminal, turnToEnd} = await openLongCard();
		terminal.answer(false);
		for (let page = 0; page < 5; page++) {
			await press('\u001B[6~');
		}

		terminal.answer(true);
		await shows('"k39"');
		await hides('all shown');
		await press('a');
		await press('a');
		expect(sent).toEqual([]);
		await turnToEnd('\u001B[5~');
		await turnToEnd();
		await shows('all shown');
		await press('a');
		expect(sent).toEqual([decision({kind: 'approve', scope: 'once'})]);
	});
});

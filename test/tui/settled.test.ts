import {describe, expect, test} from 'vitest';
import {decision} from '../helpers/decision.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, server, settled, started} from './sample-events.ts';

const base = [started(), server('github'), approval('7f3a')];

async function openReview(events = base) {
	const dashboard = await openDashboard({events});
	await dashboard.press('A');
	await dashboard.shows('APPROVAL 1 of');
	return dashboard;
}

const withdrawn = {outcome: 'cancelled', scope: undefined, by: undefined} as const;

describe('a request that is settled elsewhere', () => {
	test.each([
		['withdrawn', withdrawn, ['The request was withdrawn', 'the caller is no longer waiting for it']],
		[
			'answered at another terminal',
			{outcome: 'denied', scope: undefined, by: 'cli', message: 'not today'},
			['The request was answered elsewhere', '✖ denied: github/create_issue', 'answered by cli: not today'],
		],
		[
			'allowed at another terminal',
			{by: 'cli'},
			['The request was answered elsewhere', '✔ approved (once)', 'answered by cli'],
		],
		['expired', {...withdrawn, outcome: 'timed_out'}, ['The request has expired', 'nobody answered in time']],
	] as const)('and %s leaves a page that says so', async (_name, end, words) => {
		const {dispatch, shows, hides} = await openReview();
		await dispatch(settled('7f3a', end));
		for (const text of [
			...words,
			'request #7f3a',
			'Nothing can be decided on this page.',
			'Nothing else is waiting.',
		]) {
			await shows(text);
		}

		await hides('APPROVAL');
	});

	test('makes room for no other: only n goes on, and no other key decides', async () => {
		const {dispatch, shows, hides, press, sent} = await openReview([...base, approval('8b1c', {tool: 'other'})]);
		await dispatch(settled('7f3a', withdrawn));
		await shows('1 other is waiting; press n to show it.');
		await shows('1 approval waiting · oldest');
		await hides('press A');
		for (const key of ['a', 's', 'w', 'd', 'm', '\r', 'y']) {
			await press(key);
		}

		await shows('The request was withdrawn');
		expect(sent).toEqual([]);
		await press('n');
		await shows('"repo": "acme/app"');
		await press('a');
		expect(sent).toEqual([decision({kind: 'approve', scope: 'once'}, '8b1c')]);
	});

	test('is left with n or Esc when nothing else waits', async () => {
		for (const key of ['n', '\u001B']) {
			const {dispatch, shows, press} = await openReview();
			await dispatch(settled('7f3a', withdrawn));
			await shows('Nothing else is waiting.');
			await press(key);
			await shows('─ servers ·');
		}
	});

	test('under a reason that is being typed: the letters stay letters, and Enter sends nothing', async () => {
		const {dispatch, shows, press, sent} = await openReview([...base, approval('8b1c', {tool: 'other'})]);
		await press('m');
		await shows('deny, because:');
		await press('no');
		await dispatch(settled('7f3a', withdrawn));
		await shows('too late:');
		await shows('the caller is no longer waiting for it');
		for (const key of ['n', 'd', 'a']) {
			await press(key);
		}

		await shows('nonda');
		await press('\r');
		await shows('1 other is waiting; press n to show it.');
		expect(sent).toEqual([]);
	});

	test('under hands that type on: n goes on only after a pause', async () => {
		const {dispatch, shows, terminal, clock, sent} = await openReview([...base, approval('8b1c', {tool: 'other'})]);
		await dispatch(settled('7f3a', withdrawn));
		await shows('1 other is waiting; press n to show it.');
		for (const key of ['d', 'n', 'd', 'n', 'd']) {
			await clock.advance(399);
			terminal.type(key);
			await clock.settle();
		}

		await shows('The request was withdrawn');
		expect(sent).toEqual([]);
	});
});

describe('a terminal that does not say what it has shown', () => {
	test('is told of once, and what it took counts as shown', async () => {
		const dashboard = await openDashboard({events: base, answering: false});
		await dashboard.clock.advance(2000);
		await dashboard.press('A');
		await dashboard.shows('APPROVAL 1 of');
		await dashboard.press('a');
		expect([dashboard.silences, dashboard.sent]).toEqual([['silent'], [decision({kind: 'approve', scope: 'once'})]]);
	});
});

test('a refusal ends the waiting line with its reason, and the next answer waits again', async () => {
	const {press, shows, hides, refuse} = await openReview();
	await press('d');
	await shows('sent, waiting for the gateway');
	await refuse('approvals.deny', 'it is another one now');
	await shows('refused: it is another one now');
	await press('d');
	await shows('sent, waiting for the gateway');
	await hides('refused: it is');
});

test('a result ends the waiting line, and the card leaves the screen with the event of its end alone', async () => {
	const {press, shows, reply, dispatch} = await openReview();
	await press('d');
	await shows('sent, waiting for the gateway');
	await reply('approvals.deny', {answer: 'resolved', end: null});
	await shows('the gateway has it');
	await shows('APPROVAL 1 of');
	await dispatch(settled('7f3a', {outcome: 'denied', scope: undefined, by: 'console:1'}));
	await shows('✖ denied: github/create_issue');
});

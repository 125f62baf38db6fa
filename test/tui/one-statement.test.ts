import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, proposal, question, server, started} from './sample-events.ts';

const base = [started(), server('github')];
const pick = question('q', {fields: [{name: 'sure', title: '', description: '', need: 'optional', kind: 'boolean'}]});

const decided: ReadonlyArray<readonly [string, GatewayEventBody, string, string, string]> = [
	['a card', approval('7f3a'), 'APPROVAL', 'a', 'ready · keys act on request #7f3a only'],
	['a form', question('q', {fields: []}), 'QUESTION', '\r', 'ready · enter sends the answer'],
	['an install proposal', proposal('p'), 'Install a tool server?', 'i', 'ready · i installs'],
];

/** Opens what waits, and presses a key before it counts. */
async function pressEarly(row: GatewayEventBody, title: string, key: string) {
	const dashboard = await openDashboard({events: [...base, row]});
	await dashboard.press('A');
	await dashboard.shows(title);
	dashboard.terminal.type(key);
	await dashboard.clock.settle();
	await dashboard.shows(' wait  · press again in a moment');
	return dashboard;
}

describe('the line of what is decided makes one statement', () => {
	test.each(decided)('after a key that came too early on %s', async (...[, row, title, key, words]) => {
		const {ready, shows, hides, sent, press} = await pressEarly(row, title, key);
		await ready();
		await shows(words);
		await hides('press again');
		expect(sent).toEqual([]);
		await press(key);
		expect(sent).toHaveLength(1);
	});

	test.each(decided)('while an answer is under way on %s', async (...[, row, title, key]) => {
		const {ready, clock, press, shows, terminal, refuse, sent} = await pressEarly(row, title, key);
		await ready();
		await press(key);
		const last = async () => (await terminal.rows()).at(-1)?.replace(/ +\? help *$/u, '');
		await expect.poll(last).toBe(' sent, waiting for the gateway');
		// One more key, too early or not, does not take that line away: a refusal has to find it.
		terminal.type(key);
		await clock.settle();
		await clock.advance(2000);
		await expect.poll(last).toBe(' sent, waiting for the gateway');
		const [made] = sent;
		await refuse(made && 'method' in made ? made.method : expect.fail('nothing was sent'), 'not now');
		await shows('refused: not now');
	});

	test('on a choice in a form, whose keys come back once they act', async () => {
		const {shows, hides, clock, terminal, sent} = await openDashboard({events: [...base, pick]});
		await clock.advance(1000);
		terminal.type('A');
		await clock.settle();
		await shows('QUESTION');
		terminal.type('d');
		await clock.settle();
		await shows(' wait · press again in a moment');
		await clock.advance(2000);
		await hides('press again');
		await shows('d decline');
		expect(sent).toEqual([]);
	});

	test('is not said again for a screen that was armed in between', async () => {
		const {ready, press, hides, shows} = await pressEarly(approval('7f3a'), 'APPROVAL', 'a');
		await ready();
		await press('m');
		await shows('deny, because:');
		await press('\u001B');
		await hides('press again');
		await shows(' wait  · keys act');
	});
});

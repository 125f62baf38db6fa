import {describe, expect, test} from 'vitest';
import {openDashboard} from './open-dashboard.ts';
import {approval, server, started} from './sample-events.ts';

const focusIn = '\u001B[I';
const focusOut = '\u001B[O';
const base = [started(), server('a')];

async function openCard(change: Parameters<typeof approval>[1] = {}) {
	const opened = await openDashboard({events: [...base, approval('7f3a', change)]});
	await opened.press('A');
	await opened.shows('APPROVAL');
	await opened.ready();
	return opened;
}

describe('focus reports of the terminal', () => {
	test('are switched on with the dashboard', async () => {
		const {terminal} = await openDashboard({events: base});
		expect(terminal.written()).toContain('\u001B[?1004h');
	});

	test.each([
		['after the window came back', [focusIn], 50],
		['in one read with the report', [], 0],
		['699 ms after it, however the report was cut', ['\u001B', '[I'], 599],
		['699 ms after it, cut elsewhere', ['\u001B[', 'I'], 599],
	])('arm the keys again: a key %s approves nothing, and a later one does', async (_, report, milliseconds) => {
		const {terminal, clock, sent, press, ready} = await openCard();
		for (const chunk of report) {
			terminal.type(chunk);
			await clock.settle();
		}

		await clock.advance(milliseconds);
		terminal.type(report.length === 0 ? `${focusIn}a` : 'a');
		await clock.settle();
		expect(sent).toEqual([]);
		await ready();
		await press('a');
		expect(sent).toMatchObject([{method: 'approvals.allow', params: {scope: 'once'}}]);
	});

	test('take back the first of two presses', async () => {
		const {terminal, sent, press, ready, shows, hides} = await openCard({hints: {destructiveHint: true}});
		await press('a');
		await shows('press a again');
		terminal.type(focusIn);
		await hides('press a again');
		await ready();
		await press('a');
		await shows('press a again');
		expect(sent).toEqual([]);
		await ready();
		await press('a');
		expect(sent).toHaveLength(1);
	});

	test.each([
		['the palette', ':', ' : '],
		['a filter', '/', ' / '],
		['the help', '?', ' keys: '],
	])('are no keys in %s, whole or cut in two reads', async (_, key, label) => {
		const {terminal, clock, press, shows} = await openDashboard({events: base});
		await press(key);
		await shows(label);
		for (const chunk of [focusIn, focusOut, '\u001B', '[I', '\u001B[', 'O', 'x', focusIn, 'y']) {
			terminal.type(chunk);
			await clock.settle();
		}

		await shows(`${label}xy`);
	});

	test('are text inside of a paste, and keys go on meaning what they mean', async () => {
		const {terminal, clock, press, shows} = await openDashboard({events: base});
		await press(':');
		terminal.type(`\u001B[200~a${focusIn}b\u001B[201~`);
		await clock.settle();
		await press('c');
		await shows('bc');
	});

	test('an escape of its own is still a key, and so is what is typed after it', async () => {
		const {press, shows, hides} = await openDashboard({events: base});
		await press(':');
		await shows(' : ');
		await press('\u001B');
		await hides(' : ');
		await press('O');
		await shows('reversed');
	});
});

describe('what a terminal sends in part', () => {
	test('arms the keys again when more is typed, and a later key approves', async () => {
		const {terminal, clock, sent, press, ready, shows} = await openCard();
		terminal.type('\u001B]11;rgb:a');
		await clock.advance(2000);
		terminal.type('aaa');
		await clock.settle();
		await clock.advance(1000);
		terminal.type('a');
		await clock.settle();
		expect(sent).toEqual([]);
		await shows(' wait ');
		await clock.advance(10_000);
		await ready();
		await press('a');
		expect(sent).toMatchObject([{method: 'approvals.allow', params: {scope: 'once'}}]);
	});

	test('in other colours too: a card that is drawn anew for them is armed again', async () => {
		const {terminal, clock, sent, press, ready, shows} = await openCard();
		terminal.type('\u001B[?997;2n');
		await clock.settle();
		terminal.type('a');
		await clock.settle();
		expect(sent).toEqual([]);
		await shows(' wait ');
		await ready();
		await press('a');
		expect(sent).toHaveLength(1);
	});
});

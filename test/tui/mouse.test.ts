import {describe, expect, test} from 'vitest';
import {openDashboard, type OpenOptions} from './open-dashboard.ts';
import {approval, server, started} from './sample-events.ts';

const on = '\u001B[?1000h\u001B[?1006h';
const off = '\u001B[?1006l\u001B[?1000l';
const events = [started(), ...Array.from({length: 9}, (_, index) => server(`s${index + 1}`))];

const wheel = (direction: 'up' | 'down') => `\u001B[<${direction === 'up' ? 64 : 65};10;10M`;
/** A click on a cell, counted from 1. */
const click = (column: number, row: number) => `\u001B[<0;${column};${row}M`;

async function openWith(mouse: 'off' | 'wheel' | 'pick', options: OpenOptions = {}) {
	const opened = await openDashboard({events, ...options, settings: {mouse, ...options.settings}});
	const {terminal, clock} = opened;
	/** On or off, as the terminal was told last. */
	const mode = () => {
		const [lastOn, lastOff] = [on, off].map(sequence => terminal.written().lastIndexOf(sequence));
		return lastOn === lastOff ? 'untouched' : lastOn! > lastOff! ? 'on' : 'off';
	};

	const report = async (sequence: string) => {
		await clock.advance(1000);
		terminal.type(sequence);
		await clock.settle();
	};

	/** The number of the row on the screen that has a text, counted from 1. */
	const rowOf = async (text: string) => (await terminal.rows()).findIndex(row => row.includes(text)) + 1;
	return {...opened, mode, report, rowOf};
}

describe('the modes of the mouse', () => {
	test('are untouched by default', async () => {
		expect((await openWith('off')).mode()).toBe('untouched');
	});

	test('are untouched at a terminal that answers nothing', async () => {
		const {mode, clock} = await openWith('pick', {answering: false});
		await clock.advance(5000);
		expect(mode()).toBe('untouched');
	});

	test.each(['wheel', 'pick'] as const)('are 1000 and 1006 alone, for %s', async mouse => {
		const {mode, terminal} = await openWith(mouse);
		await expect.poll(mode).toBe('on');
		expect(terminal.written()).not.toMatch(/\u001B\[\?100[235]/u);
	});

	test('are off while a card is open, also behind the help, and on after it', async () => {
		const {mode, press, shows, hides, dispatch} = await openWith('pick');
		await dispatch(approval('7f3a'));
		await expect.poll(mode).toBe('on');
		await press('A');
		await shows('APPROVAL');
		expect(mode()).toBe('off');
		await press('?');
		await shows(' keys: ');
		expect(mode()).toBe('off');
		await press('\u001B');
		await hides(' keys: ');
		await press('\u001B');
		await shows('─ servers ·');
		expect(mode()).toBe('on');
	});

	test.each([
		[':', ' : '],
		['q', 'Quit?'],
	])('are off while %j has the keys', async (key, text) => {
		const {mode, press, shows, dispatch} = await openWith('pick');
		await dispatch(approval('7f3a'));
		await press(key);
		await shows(text);
		expect(mode()).toBe('off');
	});

	test('are undone when the dashboard ends', async () => {
		const {mode, dashboard} = await openWith('pick');
		await expect.poll(mode).toBe('on');
		dashboard.unmount();
		expect(mode()).toBe('off');
	});

	test('follow the command, which is remembered', async () => {
		const saved: string[] = [];
		const {mode, press, shows} = await openWith('off', {savePreferences: ({mouse}) => void saved.push(mouse)});
		await press(':');
		await press('mouse pick\r');
		await shows('mouse pick');
		expect(mode()).toBe('on');
		await press(':');
		await press('mouse off\r');
		await shows('mouse off');
		expect([mode(), saved]).toEqual(['off', ['pick', 'off']]);
	});

	test('say so where the terminal answers nothing, and which values there are', async () => {
		const {press, shows} = await openWith('off', {answering: false});
		await press(':');
		await press('mouse wheel\r');
		await shows('mouse wheel; off while this terminal answers nothing');
		await press(':');
		await press('mouse yes\r');
		await shows('mouse: off, wheel, pick');
	});
});

describe('the wheel', () => {
	test.each(['wheel', 'pick'] as const)('moves the picked row by three (%s)', async mouse => {
		const {report, shows} = await openWith(mouse);
		await shows('> ● s1');
		await report(wheel('down'));
		await shows('> ● s4');
		await report(wheel('up') + wheel('up'));
		await shows('> ● s1');
	});

	test('scrolls a text', async () => {
		const {report, press, shows, hides} = await openWith('wheel');
		await press('?');
		await shows('lines 1–');
		await report(wheel('down'));
		await shows('lines 4–');
		await report(wheel('up'));
		await shows('lines 1–');
		await hides('lines 4–');
	});

	test('does nothing while the mouse is off', async () => {
		const {report, shows, clock} = await openWith('off');
		await report(wheel('down'));
		await clock.advance(1000);
		await shows('> ● s1');
	});
});

describe('a click', () => {
	test.each([
		[80, 24],
		[160, 50],
		[40, 12],
	])('picks the row that it hits, at %ix%i', async (columns, rows) => {
		const {report, rowOf, shows} = await openWith('pick', {columns, rows});
		await shows('● s1');
		// The end of the list; from 160 columns a page is beside it.
		await report(click(Math.min(columns - 1, 79), await rowOf('● s3')));
		await shows('> ● s3');
	});

	test('picks nothing on the page beside the list', async () => {
		const {report, rowOf, shows, clock} = await openWith('pick', {columns: 160, rows: 50});
		await shows('● s3');
		await report(click(120, await rowOf('● s3')));
		await clock.advance(1000);
		await shows('> ● s1');
	});

	test.each([
		['wheel', 's3'],
		['off', 's3'],
		['pick', 'Overview'],
		['pick', 'help'],
	] as const)('picks nothing with the mouse for %s, on %s', async (mouse, text) => {
		const {report, rowOf, shows, clock} = await openWith(mouse);
		await shows('● s3');
		await report(click(3, await rowOf(text)));
		await clock.advance(1000);
		await shows('> ● s1');
	});

	test('that a change of the size cuts in two picks the row that is there then', async () => {
		const {report, terminal, shows} = await openWith('pick', {columns: 80, rows: 24});
		await shows('> ● s1');
		const [first, second] = [click(5, 7).slice(0, 5), click(5, 7).slice(5)];
		terminal.type(first);
		terminal.resize(120, 40);
		await shows('selected · enter opens it in full');
		const picked = /s\d/u.exec((await terminal.rows())[6] ?? '')?.[0] ?? '';
		await report(second);
		await shows(`> ● ${picked}`);
		expect(picked).not.toBe('s1');
	});

	test('outside of everything picks nothing', async () => {
		const {report, shows, clock} = await openWith('pick');
		for (const sequence of [click(9999, 9999), click(1, 1), click(80, 24)]) {
			await report(sequence);
		}

		await clock.advance(1000);
		await shows('> ● s1');
	});

	test('on a card, late, decides and picks nothing, and the keys wait for their quiet again', async () => {
		const {report, press, ready, rowOf, terminal, clock, sent, shows} = await openWith('pick', {
			events: [...events, approval('7f3a')],
		});
		await press('A');
		await shows('APPROVAL');
		await ready();
		for (const text of ['Allow once', 'Deny', 'APPROVAL']) {
			await report(click(4, await rowOf(text)));
			await report(wheel('down'));
		}

		terminal.type('a');
		await clock.settle();
		expect(sent).toEqual([]);
		await shows('APPROVAL');
		await press('a');
		expect(sent).toMatchObject([{method: 'approvals.allow'}]);
	});

	test('arms again what is decided next', async () => {
		const {report, press, rowOf, shows, dispatch, clock, terminal, sent, ready} = await openWith('pick');
		await dispatch(approval('1'), approval('2'));
		await press('2');
		await shows('─ 2 You');
		await report(click(5, (await rowOf('>')) + 1));
		terminal.type('\ra');
		await clock.settle();
		await shows('APPROVAL');
		expect(sent).toEqual([]);
		await ready();
		await press('a');
		expect(sent).toHaveLength(1);
	});
});

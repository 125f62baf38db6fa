import {describe, expect, test} from 'vitest';
import {createController, typeAheadMilliseconds} from '../../source/tui/input/controller.ts';
import {screenKey} from '../../source/tui/input/key-guard.ts';
import {keyPressesOf} from '../../source/tui/state/key-press.ts';
import {drawnTheme, type UiState} from '../../source/tui/state/ui-state.ts';
import {backgroundRequest, owedMilliseconds} from '../../source/tui/terminal/background-query.ts';
import {positionReportRequest} from '../../source/tui/terminal/position-reports.ts';
import {openDashboard} from './open-dashboard.ts';
import {plainKey} from './plain-key.ts';
import {createHandClock} from './random-hands.ts';
import {openTypedInput} from './slow-terminal.ts';
import {approval, server, snapshotOf, started} from './sample-events.ts';

const white = '\u001B]11;rgb:ffff/ffff/ffff\u0007';
const black = '\u001B]11;rgb:0000/0000/0000\u001B\\';

/** A controller whose terminal answers for its position at once, and for its background when the test says so. */
function openColors(options: {readonly theme?: UiState['theme']; readonly colors?: 'used' | 'unused'} = {}) {
	const {theme = 'auto', colors = 'used'} = options;
	const hand = createHandClock();
	const snapshot = snapshotOf([started(), server('a'), approval('7f3a')]);
	const written: string[] = [];
	const sent: string[] = [];
	const controller = createController({
		store: {getSnapshot: () => snapshot, subscribe: () => () => undefined},
		make: ({method}) => void sent.push(method),
		act: () => undefined,
		clock: hand.clock,
		isBlocked: () => false,
		write: text => void written.push(text),
		onSilent: () => undefined,
		readOnly: false,
		preferences: {theme},
		colors,
	});
	const {receive} = openTypedInput({clock: hand.clock, controller, onReport: () => undefined});
	const paint = () => {
		controller.committed(screenKey(controller.getState(), snapshot));
		controller.framePainted();
		for (const text of written.splice(0)) {
			asked += text === backgroundRequest ? 1 : 0;
			receive(text === positionReportRequest ? '\u001B[?24;80R' : '');
		}
	};

	let asked = 0;
	const drawn = () => drawnTheme(controller.getState(), controller.getState().theme);
	const press = (text: string) => controller.press(keyPressesOf(text, plainKey));
	paint();
	hand.advance(1000);
	return {...hand, controller, receive, paint, press, drawn, sent, asked: () => asked};
}

describe('the theme auto', () => {
	test('is the default', async () => {
		const {press, shows} = await openDashboard({events: [started(), server('a')]});
		await press('T');
		await shows('theme dark');
	});

	test.each([
		['white', [white], 'light'],
		['black', [black], 'dark'],
		['white, in single characters', Array.from(white), 'light'],
		['garbage', ['\u001B]11;white as snow\u0007'], 'dark'],
		['a colour of another kind', ['\u001B]10;rgb:ffff/ffff/ffff\u0007'], 'dark'],
		['nothing', [], 'dark'],
	] as const)('at a background that the terminal calls %s', (_, chunks, theme) => {
		const {controller, receive, paint, drawn, asked} = openColors();
		controller.resumed();
		paint();
		chunks.forEach(receive);
		expect([asked(), drawn()]).toEqual([2, theme]);
	});

	test.each([
		['just in time', owedMilliseconds - 1, 'light'],
		['too late', owedMilliseconds, 'dark'],
	] as const)('with a reply that comes %s', (_, milliseconds, theme) => {
		const {controller, receive, advance, drawn} = openColors();
		controller.resumed();
		advance(milliseconds);
		receive(white);
		expect(drawn()).toBe(theme);
	});

	test('with a reply that a change of the size cuts in two', () => {
		const {controller, receive, drawn} = openColors();
		controller.resumed();
		receive(white.slice(0, 9));
		controller.dispatch({type: 'resized', size: {columns: 100, rows: 30}});
		receive(white.slice(9));
		expect(drawn()).toBe('light');
	});

	test('is not changed by a reply that nobody asked for', () => {
		const {receive, drawn} = openColors({theme: 'dark'});
		receive(white);
		expect(drawn()).toBe('dark');
	});

	test('follows the terminal when it says that its colours have changed', () => {
		const {receive, drawn} = openColors();
		receive('\u001B[?997;2n');
		expect(drawn()).toBe('light');
		receive('\u001B[?997;1n');
		expect(drawn()).toBe('dark');
	});

	test.each([
		['a theme is chosen', {theme: 'mono'}],
		['no colours are used', {colors: 'unused'}],
	] as const)('asks nothing where %s', (_, options) => {
		const {controller, paint, asked} = openColors(options);
		controller.resumed();
		controller.reported({type: 'focus-in'});
		paint();
		expect(asked()).toBe(0);
	});

	test('asks again when it is chosen, and when the window of a terminal that has answered comes back', () => {
		const {controller, receive, advance, paint, press, asked} = openColors();
		expect(asked()).toBe(1);
		controller.reported({type: 'focus-in'});
		paint();
		expect(asked()).toBe(1);
		controller.resumed();
		receive(white);
		controller.reported({type: 'focus-in'});
		paint();
		expect(asked()).toBe(3);
		advance(typeAheadMilliseconds);
		for (let theme = 0; theme < 5; theme++) {
			press('T');
		}

		paint();
		expect([controller.getState().theme, asked()]).toEqual(['auto', 4]);
	});
});

describe('mode 2031', () => {
	const on = '\u001B[?2031h';
	const off = '\u001B[?2031l';

	async function openWith(reply: string) {
		const opened = await openDashboard({events: [started(), server('a')], settings: {noColor: false}});
		// The first frame has asked, and the fake clock stood still.
		await opened.press('T');
		for (let theme = 0; theme < 4; theme++) {
			await opened.press('T');
		}

		opened.terminal.type(reply);
		await opened.clock.settle();
		return opened;
	}

	test('is on once the terminal has told its background, and off under another theme', async () => {
		const {terminal, press, shows} = await openWith(white);
		expect(terminal.written()).toContain(on);
		await press('T');
		await shows('theme dark');
		expect(terminal.written().lastIndexOf(off)).toBeGreaterThan(terminal.written().lastIndexOf(on));
	});

	test.each(['', '\u001B]11;garbage\u0007'])('is left alone where the terminal answers %j', async reply => {
		const {terminal} = await openWith(reply);
		expect(terminal.written()).toContain(backgroundRequest);
		expect(terminal.written()).not.toContain(on);
	});
});

test('a late reply on a card that is armed is no key, and decides nothing', () => {
	const {controller, receive, paint, press, advance, sent} = openColors();
	press('A');
	paint();
	advance(5000);
	expect(controller.isArmed()).toBe(true);
	for (const character of '\u001B]11;rgb:aaaa/aaaa/aaaa\u0007') {
		receive(character);
	}

	expect([sent, controller.getState().mode.kind, controller.getState().background]).toEqual([[], 'review', 'unknown']);
	press('a');
	expect(sent).toEqual(['approvals.allow']);
});

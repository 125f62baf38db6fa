import {describe, expect, onTestFinished, test} from 'vitest';
import {createStore} from '../../source/state/store.ts';
import {watchDashboard} from '../../source/tui/dashboard-effects.ts';
import {createHandOver} from '../../source/tui/hand-over.ts';
import {initialUiState} from '../../source/tui/state/ui-state.ts';
import {notificationStyle} from '../../source/tui/terminal/notification.ts';
import {createTerminalSwitches} from '../../source/tui/terminal/terminal-switches.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, question, server, settled, started} from './sample-events.ts';

const events = [started(), server('a')];
const bells = (written: string) => written.replaceAll(/\u001B\][^\u0007]*\u0007/gu, '').split('\u0007').length - 1;

describe('the title of the terminal', () => {
	test('says what waits, and is given back by the restore', async () => {
		const {dispatch, terminal} = await openDashboard({events});
		await dispatch(approval('1'), question('q'));
		await expect.poll(terminal.written, {interval: 10}).toContain('\u001B]2;▲2 sluice\u0007');
		await dispatch(settled('1'));
		await expect.poll(terminal.written, {interval: 10}).toContain('\u001B]2;▲1 sluice\u0007');
		expect(terminal.written()).toContain('\u001B[22;2t');
	});

	test('holds no text from outside', async () => {
		const {dispatch, terminal} = await openDashboard({events});
		await dispatch(approval('1', {server: 'evil', tool: 'evil'}));
		await expect.poll(terminal.written, {interval: 10}).toContain('▲1 sluice');
		expect(terminal.written().match(/\u001B\]2;[^\u0007]*evil/u)).toBeNull();
	});
});

describe('the bell', () => {
	test('rings once for a burst, and again for a later one', async () => {
		const {dispatch, terminal, clock} = await openDashboard({events});
		await dispatch(approval('1'));
		await dispatch(approval('2'));
		await dispatch(question('q'));
		expect(bells(terminal.written())).toBe(1);
		await clock.advance(20_000);
		await dispatch(approval('3'));
		expect(bells(terminal.written())).toBe(2);
	});

	test('is silent when something is settled', async () => {
		const {dispatch, terminal, clock} = await openDashboard({events: [...events, approval('1'), approval('2')]});
		await clock.advance(20_000);
		const before = bells(terminal.written());
		await dispatch(settled('1'));
		expect(bells(terminal.written())).toBe(before);
	});
});

describe('themes', () => {
	test('T goes through the themes, and each is saved', async () => {
		const saved: string[] = [];
		const {press, shows} = await openDashboard({
			events,
			settings: {noColor: false},
			savePreferences: ({theme}) => void saved.push(theme),
		});
		await press('T');
		await shows('theme dark');
		await press('T');
		await shows('theme light');
		await press(':');
		await press('theme mono\r');
		await shows('theme mono');
		expect(saved).toEqual(['dark', 'light', 'mono']);
	});

	test('the dashboard begins with the view chosen before, and each numbered view is saved', async () => {
		const saved: string[] = [];
		const {press, shows} = await openDashboard({
			events,
			settings: {view: 'log'},
			savePreferences: ({view}) => void saved.push(view),
		});
		await shows('─ W Log');
		await press('5');
		await shows('─ 5 Jobs');
		// A list without a digit is no view to begin with.
		await press('L');
		await shows('Logins');
		await press('1');
		await shows('─ servers ·');
		expect(saved).toEqual(['jobs', 'overview']);
	});

	test('a theme that does not exist is not taken', async () => {
		const {press, shows} = await openDashboard({events});
		await press(':theme pink\r');
		await shows('theme: auto, dark, light, contrast, mono');
	});

	test('the contrast theme dims nothing', async () => {
		const {themes} = await import('../../source/tui/text/theme.ts');
		expect(Object.values(themes.contrast).filter(style => style.includes('dim'))).toEqual([]);
	});
});

test('Ctrl+Z asks, and No goes on', async () => {
	const {press, shows, hides, sent} = await openDashboard({events});
	await press('\u001A');
	await shows('Suspend? The gateway stops answering');
	await press('n');
	await hides('Suspend?');
	expect(sent).toEqual([]);
});

describe('Ctrl+Z', () => {
	test('says so where no shell would resume the program, over a request too', async () => {
		const {press, shows, hides} = await openDashboard({events: [...events, approval('1')], jobControl: 'none'});
		await press('\u001A');
		await shows('suspending is not possible here: no shell would resume Sluice');
		await press('A');
		await shows('APPROVAL');
		await press('\u001A');
		await shows('suspending is not possible here');
		await hides('Suspend?');
	});

	/** The effects alone: the system is asked to stop the job by a function of the test. */
	function openEffects(stopJob: () => void, suspends = 1) {
		const clock = createFakeClock();
		const seen: string[] = [];
		let ui = initialUiState;
		let changed = () => {};
		const write = () => undefined;
		const switches = createTerminalSwitches(write);
		const end = watchDashboard({
			store: createStore({clock, isBlocked: () => false}),
			controller: {
				getState: () => ui,
				subscribe: listener => {
					changed = listener;
					return () => undefined;
				},
				dispatch: ({type}) => void seen.push(type),
			},
			clock,
			write,
			switches,
			notifications: notificationStyle({}),
			redraw() {},
			isLent: () => false,
			handOver: createHandOver({
				clock,
				controller: {resumed: () => void seen.push('resumed'), awaitsReply: () => false},
				input: {pause() {}, resume() {}},
				output: {isBlocked: () => false, retake() {}},
				write,
				switches,
				suspendTerminal: () => async () => ({resume: async () => void seen.push('drawn')}),
				titleSequence: () => '',
				onHolder() {},
			}),
			savePreferences() {},
			stopJob,
		});
		onTestFinished(end);
		ui = {...ui, suspends};
		changed();
		return {clock, seen};
	}

	test('comes back and says so where the system does not stop the program', async () => {
		const {clock, seen} = openEffects(() => undefined);
		await clock.advance(200);
		expect(seen).toEqual([]);
		await clock.advance(20);
		await expect.poll(() => seen).toEqual(['resumed', 'drawn', 'not-suspended']);
	});

	test('has the screen drawn and armed again after others stopped and continued the program', async () => {
		const {seen} = openEffects(() => undefined, 0);
		process.emit('SIGCONT', 'SIGCONT');
		await expect.poll(() => seen).toEqual(['resumed', 'drawn']);
	});

	test('says nothing once the program was stopped and resumed', async () => {
		const {clock, seen} = openEffects(() => process.emit('SIGCONT', 'SIGCONT'));
		await expect.poll(() => seen).toEqual(['resumed', 'drawn']);
		await clock.advance(1000);
		expect(seen).toEqual(['resumed', 'drawn']);
	});
});

test('c copies what the row is known by, encoded', async () => {
	const {press, shows, terminal} = await openDashboard({events});
	await press('c');
	await shows('copied: node server.js');
	expect(terminal.written()).toContain(`\u001B]52;c;${Buffer.from('node server.js').toString('base64')}\u0007`);
});

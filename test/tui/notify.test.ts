import {describe, expect, test} from 'vitest';
import {notificationSequence, notificationStyle} from '../../source/tui/terminal/notification.ts';
import {type DashboardSettings} from '../../source/tui/mount.tsx';
import {openDashboard} from './open-dashboard.ts';
import {approval, question, server, settled, started} from './sample-events.ts';

const events = [started(), server('a')];
const focusIn = '\u001B[I';
const focusOut = '\u001B[O';
const osc9 = (waiting: number) => `\u001B]9;Sluice: ${waiting} waiting for you\u0007`;
const osc777 = (waiting: number) => `\u001B]777;notify;Sluice;${waiting} waiting for you\u0007`;
const stopped = '\u001B]9;4;2;100\u0007';
const cleared = '\u001B]9;4;0\u0007';

/** The notifications and bells that were written, in their order. */
function said(written: string): string[] {
	return Array.from(
		written.matchAll(/\u001B\](?:9;(?!4;)|777;)[^\u0007]*\u0007|\u001B\][^\u0007]*\u0007|\u0007/gu),
		([text]) => text,
	).filter(text => !/^\u001B\](?:9;4;|[^97])/u.test(text));
}

async function openWith(settings: Partial<DashboardSettings>) {
	const opened = await openDashboard({events, settings});
	const {terminal, clock} = opened;
	const report = async (...sequences: readonly string[]) => {
		for (const sequence of sequences) {
			terminal.type(sequence);
			await clock.settle();
		}
	};

	return {...opened, report, said: () => said(terminal.written())};
}

describe('a notification', () => {
	test.each([
		['by default, a bell, wherever the keyboard is', undefined, [focusOut], ['\u0007']],
		['with notify: bell, a bell', 'bell', [focusOut], ['\u0007']],
		['with notify: off, none', 'off', [focusOut], []],
		['with notify: osc, both forms while the keyboard is elsewhere', 'osc', [focusOut], [osc9(1), osc777(1)]],
		['with notify: osc, none while it is here', 'osc', [focusOut, focusIn], []],
		['with notify: osc, a bell where the terminal reports no focus', 'osc', [], ['\u0007']],
	] as const)('is %s', async (_, notify, reports, expected) => {
		const {report, dispatch, said} = await openWith(notify ? {notify} : {});
		await report(...reports);
		await dispatch(approval('1'));
		expect(said()).toEqual(expected);
	});

	test('comes once for a burst, with the count of its beginning, and again for a later one', async () => {
		const {report, dispatch, said, clock} = await openWith({notify: 'osc'});
		await report(focusOut);
		await dispatch(approval('1'), question('q'));
		await dispatch(approval('2'));
		await dispatch(settled('1'));
		expect(said()).toEqual([osc9(2), osc777(2)]);
		await clock.advance(20_000);
		await dispatch(approval('3'));
		expect(said()).toEqual([osc9(2), osc777(2), osc9(3), osc777(3)]);
	});

	test('has no text from outside', async () => {
		const {report, dispatch, terminal, said} = await openWith({notify: 'osc'});
		await report(focusOut);
		await dispatch(
			approval('evil', {server: 'evil', tool: 'evil', description: 'evil'}),
			question('q', {asker: 'evil'}),
		);
		expect(said()).toHaveLength(2);
		expect(terminal.written().match(/\u001B\][^\u0007\u001B]*evil/u)).toBeNull();
	});

	test.each([
		['an unknown terminal', {TERM: 'xterm-256color'}, [osc9(1), osc777(1)]],
		['iTerm2', {TERM_PROGRAM: 'iTerm.app'}, [osc9(1)]],
		['kitty', {TERM: 'xterm-kitty'}, [osc9(1)]],
		['Ghostty', {TERM: 'xterm-ghostty'}, [osc777(1)]],
		['WezTerm', {TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm'}, [osc777(1)]],
		['foot', {TERM: 'foot-extra'}, [osc777(1)]],
		[
			'tmux',
			{TERM: 'tmux-256color', TERM_PROGRAM: 'tmux', TMUX: '/tmp/tmux'},
			[osc9(1), osc777(1)].map(text => `\u001BPtmux;\u001B${text}\u001B\\`),
		],
	])('comes once at %s', (_, variables, expected) => {
		expect(notificationSequence(1, notificationStyle(variables))).toBe(expected.join(''));
	});

	test('is chosen by a command, which says what a terminal without focus reports does', async () => {
		const saved: string[] = [];
		const {press, shows} = await openDashboard({events, savePreferences: ({notify}) => void saved.push(notify)});
		await press(':');
		await press('notify osc\r');
		await shows('notify osc; rings until this terminal reports its focus');
		await press(':');
		await press('notify off\r');
		await shows('notify off');
		await press(':');
		await press('notify mail\r');
		await shows('notify: off, bell, osc');
		expect(saved).toEqual(['osc', 'off']);
	});
});

describe('the progress of the tab', () => {
	test('is stopped while something waits, and cleared after it', async () => {
		const {dispatch, terminal} = await openWith({notify: 'osc'});
		expect(terminal.written()).not.toContain('\u001B]9;4');
		await dispatch(approval('1'));
		await dispatch(approval('2'));
		await dispatch(settled('1'));
		expect(terminal.written().split(stopped)).toHaveLength(2);
		expect(terminal.written()).not.toContain(cleared);
		await dispatch(settled('2'));
		expect(terminal.written().split(cleared)).toHaveLength(2);
	});

	test.each(['off', 'bell'] as const)('is left alone with notify: %s, at the end too', async notify => {
		const {dispatch, terminal, dashboard} = await openWith({notify});
		await dispatch(approval('1'));
		dashboard.unmount();
		expect(terminal.written()).not.toContain('\u001B]9;4');
	});

	test('is cleared when the dashboard ends', async () => {
		const {dispatch, terminal, dashboard} = await openWith({notify: 'osc'});
		await dispatch(approval('1'));
		dashboard.unmount();
		expect(terminal.written().lastIndexOf(cleared)).toBeGreaterThan(terminal.written().lastIndexOf(stopped));
	});
});

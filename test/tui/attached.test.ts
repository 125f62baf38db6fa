import {describe, expect, test} from 'vitest';
import {timeOfDay} from '../../source/state/time-text.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {frameAfter} from './frame-after.tsx';
import {openDashboard} from './open-dashboard.ts';
import {approval, run, sampleTime, server, started} from './sample-events.ts';

const attached = {type: 'view.console', state: 'attached', number: 2, pid: 4711, mode: 'deciding'} as const;
const again = {...attached, number: 1, pid: 4712} as const;
const lost = {type: 'view.console', state: 'lost', reason: 'No gateway is running', since: sampleTime} as const;
const listening: GatewayEventBody = {
	type: 'webhook.state',
	state: 'listening',
	url: 'http://127.0.0.1:8644',
	routes: 1,
};
const needy: readonly GatewayEventBody[] = [
	started(),
	attached,
	listening,
	server('garden'),
	server('github', {state: 'needs-login', transport: 'http'}),
];

describe('the header of an attached dashboard', () => {
	test.each([
		[{columns: 40, rows: 10}, 'sluice att srv 1/2 1!1 2▲2 3 4 5 6 7 W P'],
		[{columns: 60, rows: 20}, ' sluice   attached · pid 4711 · up 0 min   srv 1/2   ▲2'],
		[{columns: 80, rows: 24}, ' sluice   attached · pid 4711 · up 0 min   :8644 up   srv 1/2   ▲2'],
		[
			{columns: 120, rows: 40},
			' sluice 0.1.0   attached · pid 4711 · up 0 min   http://127.0.0.1:8644 listening   servers 1/2 up   ▲2 waiting',
		],
		[
			{columns: 160, rows: 50},
			' sluice 0.1.0   attached · pid 4711 · up 0 min   http://127.0.0.1:8644 listening   servers 1/2 up   ▲2 waiting   requests 0',
		],
	])('at %o says whose gateway it is, and what waits', (size, words) => {
		const [header = ''] = frameAfter([...needy, approval('1')], [], size);
		expect(header.trimEnd().startsWith(words), header).toBe(true);
		expect(header.length).toBeLessThanOrEqual(size.columns);
	});

	test.each([40, 41, 50, 60, 70, 80, 100, 120, 160])(
		'is never cut at %i columns, also where one can only look',
		columns => {
			const size = {columns, rows: columns < 60 ? 10 : 30, readOnly: true};
			const demo = [started({demo: true}), ...needy.slice(2), approval('1')];
			for (const events of [demo, [...needy, approval('1')], [attached, lost]]) {
				const [header = ''] = frameAfter(events, [], size);
				expect(header).toMatch(/read-only/u);
				expect(header).not.toContain('…');
			}
		},
	);
});

describe('an attached dashboard', () => {
	test('leaves where another one quits', () => {
		const size = {columns: 80, rows: 24};
		expect(frameAfter(needy, [], size).at(-1)).toMatch(/q leave/u);
		expect(frameAfter(needy, ['?'], {columns: 80, rows: 200}).join('\n')).toMatch(/q +leave; the gateway goes on/u);
		expect(frameAfter([started()], [], size).at(-1)).toMatch(/q quit/u);
	});

	test('offers no demo, which needs a process of its own', () => {
		const size = {columns: 80, rows: 24};
		const empty: readonly GatewayEventBody[] = [started({configured: {servers: 0, routes: 0}}), attached];
		const first = frameAfter(empty, [], size).join('\n');
		expect(first).toMatch(/a +add a tool server/u);
		expect(first).not.toMatch(/demo/u);
		expect(frameAfter([empty[0]!], [], size).join('\n')).toMatch(/D +see it work/u);
		expect(frameAfter(empty, ['D'], size).join('\n')).toContain('sluice --demo');
		expect(frameAfter(empty, [':', 'dem', '\t'], size).at(-1)).not.toContain('demo');
	});
});

describe('a dashboard that lost its gateway', () => {
	const since = timeOfDay(sampleTime);
	const before = [...needy, run('r1', {state: 'inbox'}), approval('1')];

	test('says why and since when, that it looks for it, and counts nothing as waiting', () => {
		const screen = frameAfter([...before, lost], [], {columns: 80, rows: 24});
		expect(screen[0]).toMatch(/^ sluice {3}no connection +\d\d:\d\d/u);
		expect(screen[2]?.trim()).toBe(`✖ no connection since ${since} · looking for the gateway · No gateway is`);
		expect(screen[3]?.trim()).toBe('running');
		const text = screen.join('\n');
		expect(text).not.toMatch(/▲|waiting|r reconnect/u);
		expect(text).toMatch(/─ servers · as it was at \d\d:\d\d/u);
		expect(screen.at(-1)).toMatch(/q leave/u);
	});

	test('says so at 40x10', () => {
		const flat = frameAfter([...before, lost], [], {columns: 40, rows: 10})
			.slice(1, 4)
			.map(row => row.trim())
			.join(' ');
		expect(flat).toBe(`✖ no connection since ${since} · looking for the gateway · No gateway is running`);
	});

	test.each([
		['a key of a row', ['r']],
		['a command', [':', 'reload', '\r']],
		['a key that only asks the gateway', ['t']],
		['a server that is typed', ['a', 'x npx y', '\r']],
	])('does nothing for %s, and says so', async (_, keys) => {
		const {dispatch, press, sent, shows} = await openDashboard({events: [...before, lost]});
		await dispatch();
		for (const key of keys) {
			await press(key);
		}

		await shows('no connection with the gateway; nothing was done');
		expect(sent).toEqual([]);
	});

	test('takes a request off the screen, and arms nothing until the gateway is back', async () => {
		const {dispatch, press, sent, shows} = await openDashboard({events: before});
		await press('A');
		await shows('create_issue');
		await dispatch(lost);
		await shows('The connection was lost');
		await shows('A request that still waits is shown again once the gateway is back.');
		for (const key of ['a', 'd', '\r', 'y']) {
			await press(key);
		}

		expect(sent).toEqual([]);
		await dispatch(again);
		await shows('attached again · process 4712');
	});

	test('closes a question it was asked, and leaves at once', async () => {
		const {dispatch, press, sent, shows, hides} = await openDashboard({events: before});
		await press('x');
		await shows('y yes');
		await dispatch(lost);
		await hides('y yes');
		await press('y');
		expect(sent).toEqual([]);
		// Without a question it opens the list of what can be copied.
		await shows('copy:');
		await press('\u001B');
		await hides('copy:');
		await press('q');
		expect(sent).toEqual([{type: 'stop', force: false}]);
	});

	test('offers nothing that needs a gateway', () => {
		const size = {columns: 160, rows: 24};
		const words = /r reconnect|t tools|l stderr|a add server|x on\/off/u;
		expect(frameAfter(before, [], size).at(-1)).toMatch(words);
		expect(frameAfter([...before, lost], [], size).at(-1)).not.toMatch(words);
		expect(frameAfter(before, [':', 'rel', '\t'], size).at(-1)).toContain('reload-mcp');
		expect(frameAfter([...before, lost], [':', 'rel', '\t'], size).at(-1)).not.toContain('reload-mcp');
	});

	test('names no key that needs a gateway in its help, its first steps and its rows', () => {
		const help = (events: readonly GatewayEventBody[]) =>
			frameAfter(events, ['?'], {columns: 80, rows: 200}).join('\n');
		const words = /reconnect the server|run the job now|log in to the server|tools of the server/gu;
		expect([help(before).match(words)?.length, help([...before, lost]).match(words)]).toEqual([4, null]);
		expect(help([...before, lost])).toMatch(/q +leave; the gateway goes on/u);

		const size = {columns: 80, rows: 24};
		const first = [started({configured: {servers: 0, routes: 0}}), attached];
		const steps = /turn on webhooks|add a tool server/u;
		expect(frameAfter(first, [], size).join('\n')).toMatch(steps);
		expect(frameAfter([...first, lost], [], size).join('\n')).not.toMatch(steps);

		const rows = [
			started(),
			attached,
			server('a', {state: 'needs-login', nextActions: [{kind: 'login', server: 'a'}]}),
		];
		expect(frameAfter(rows, ['\r'], size).join('\n')).toMatch(/next +L to log in/u);
		expect(frameAfter([...rows, lost], ['\r'], size).join('\n')).toMatch(/next +`sluice mcp login a`/u);
	});

	test('does not wait any more for the end of what it has sent', async () => {
		const {dispatch, press, sent, shows} = await openDashboard({events: before});
		await press('r');
		expect(sent).toMatchObject([{method: 'mcp.reconnect', params: {}}]);
		await dispatch(lost);
		await shows('the connection was lost; the outcome is not known');
	});
});

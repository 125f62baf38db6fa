import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {openDashboard} from './open-dashboard.ts';
import {approval, log, run, sampleTime, server, started, webhook} from './sample-events.ts';

const busy = [
	started({webhookUrl: 'http://127.0.0.1:8644'}),
	server('github', {trust: 'untrusted', transport: 'http', latencyMs: 41}),
	server('sentry', {state: 'failed', reason: '401 from server', tools: 0}),
	server('slack', {state: 'waiting', retryAt: sampleTime + 60_000}),
	server('古いサーバー', {state: 'needs-login', nextActions: [{kind: 'login', server: '古いサーバー'}]}),
	approval('7f3a'),
	webhook('github-push'),
	webhook('gitlab', {status: 401, outcome: 'rejected', reason: 'bad signature'}),
	log('a very long line '.repeat(30)),
	run('a91c', {state: 'inbox', prompt: 'line\n'.repeat(80)}),
];

const sizes = [
	[40, 10],
	[59, 19],
	[80, 24],
	[100, 30],
	[160, 50],
] as const;
const screens = ['1', '2', '3', '4', '5', '6', '7', 'W', 'P', 'L', '?', ':', '/', 'A'];

describe.each(sizes)('at %ix%i', (columns, rows) => {
	test.each(screens)('the screen behind %s fills the terminal exactly', async key => {
		const {terminal, press} = await openDashboard({columns, rows, events: busy});
		await press(key);
		await expect.poll(async () => (await terminal.rows()).filter(row => row !== '').length).toBeGreaterThan(4);
		const shown = await terminal.rows();
		expect(shown).toHaveLength(rows);
		expect(Math.max(...shown.map(row => stringWidth(row)))).toBeLessThanOrEqual(columns);
		expect(shown.at(-1)).not.toBe('');
	});

	test('every frame has as many lines as the terminal', async () => {
		const {terminal, press} = await openDashboard({columns, rows, events: busy});
		await press('3');
		// A frame of another height would scroll: the header would no longer be the first row.
		await expect.poll(async () => (await terminal.rows())[0]).toContain('sluice');
	});
});

describe('the first frame', () => {
	test('comes before the core has said anything', async () => {
		const {shows} = await openDashboard();
		await shows('starting');
	});

	test('draws on the other screen', async () => {
		const {terminal} = await openDashboard();
		expect(terminal.written()).toContain('\u001B[?1049h');
	});
});

describe('what is shown', () => {
	test('the first answer is drawn as Markdown as soon as what reads it is loaded', async () => {
		const {press, shows, hides} = await openDashboard({
			events: [started(), run('a91c', {state: 'inbox', answer: 'It is **done**.'})],
		});
		await press('2');
		await press('\r');
		await shows('It is done.');
		await hides('**');
	});

	test('a state has its glyph and its word without colours', async () => {
		const {terminal, shows} = await openDashboard({events: busy});
		await shows('● github         connected');
		expect(await terminal.text()).toContain('✖ sentry         failed');
		expect(terminal.written()).not.toMatch(/\u001B\[(3[0-7]|9[0-7])m/u);
	});

	test('with --ascii none of our own glyphs is left', async () => {
		const {terminal, shows} = await openDashboard({events: busy, settings: {ascii: true}});
		await shows('* github');
		expect(await terminal.text()).not.toMatch(/[●◐○◇✖▲✔─│·…↓]/u);
	});

	test('colours are used where they are allowed', async () => {
		const {terminal, shows} = await openDashboard({events: busy, settings: {noColor: false}});
		await shows('connected');
		expect(terminal.written()).toContain('connected');
	});

	test('below 40x10 one line says what is missing and what waits', async () => {
		const {shows} = await openDashboard({columns: 39, rows: 9, events: busy});
		await shows('needs 40x10, now 39x9 ▲3');
	});

	test('a resized terminal is filled again', async () => {
		const {terminal, shows} = await openDashboard({events: busy});
		terminal.resize(120, 40);
		await shows('selected · enter opens it in full');
		expect(await terminal.rows()).toHaveLength(40);
	});

	test('the demo is named', async () => {
		const {shows} = await openDashboard({events: [started({demo: true}), server('files')]});
		await shows('DEMO');
	});

	test('an arriving approval moves nothing but the banner', async () => {
		const {dispatch, shows, press} = await openDashboard({events: [started(), server('a'), server('b')]});
		await press('j');
		await shows('> ● b');
		await dispatch(approval('1'));
		await shows('1 approval waiting');
		await shows('> ● b');
	});
});

describe('typing', () => {
	test('keys in one chunk act one by one', async () => {
		const {shows, press} = await openDashboard({events: [started(), server('a'), server('b'), server('c')]});
		await press('jjk');
		await shows('> ● b');
	});

	test('a command typed in one chunk runs', async () => {
		const {press, sent} = await openDashboard({events: busy});
		await press(':reload-mcp\r');
		expect(sent).toEqual([{method: 'reload', params: {}}]);
	});

	test('/reload-mcp at the filter runs the command', async () => {
		const {press, sent, shows} = await openDashboard({events: busy});
		await press('/');
		await shows('word key:value');
		await press('/reload-mcp');
		await shows('/reload-mcp');
		await press('\r');
		expect(sent).toEqual([{method: 'reload', params: {}}]);
	});

	test('the palette completes', async () => {
		const {press, sent, shows} = await openDashboard({events: busy});
		await press(':');
		await shows('reload-mcp');
		await press('reconnect gi');
		await shows('reconnect github');
		await press('\t');
		await press('\r');
		expect(sent).toEqual([{method: 'mcp.reconnect', params: {server: 'github'}, profile: 'default'}]);
	});

	test('a filter leaves what it names', async () => {
		const {press, shows, hides} = await openDashboard({events: busy});
		await press('3');
		await press('/');
		await shows('word key:value');
		await press('outcome:rejected');
		await press('\r');
		await shows('1 of 2');
		await hides('github-push');
	});
});

test('what is under way gives way to how it ended', async () => {
	const {press, shows, hides, dispatch} = await openDashboard({events: [started(), server('a')]});
	await press('r');
	await shows('reconnecting a');
	await dispatch(server('a', {state: 'connecting'}));
	await shows('reconnecting a');
	await dispatch(server('a'));
	await shows('a connected · 3 tools');
	await hides('reconnecting a');
});

test.each(['x', ':disable a\r'])('%j is refused before it asks where one can only look', async keys => {
	const {press, shows, terminal} = await openDashboard({
		events: [started(), server('a')],
		settings: {readOnly: true},
	});
	await press(keys);
	await shows('read-only: this dashboard cannot change anything');
	expect(await terminal.text()).not.toContain('Disable');
});

describe('leaving', () => {
	test('q stops at once when nothing waits', async () => {
		const {press, sent} = await openDashboard({events: [started()]});
		await press('q');
		expect(sent).toEqual([{type: 'stop', force: false}]);
	});

	test('q asks when an approval waits', async () => {
		const {press, sent, shows} = await openDashboard({events: busy});
		await press('q');
		await shows('Quit? 1 waiting approval');
		expect(sent).toEqual([]);
		await press('y');
		expect(sent).toEqual([{type: 'stop', force: false}]);
	});

	test('the question names only what there is', async () => {
		const {press, shows} = await openDashboard({events: [started(), approval('1')]});
		await press('q');
		await shows('Quit? 1 waiting approval will be cancelled.  ');
	});

	test('ctrl+c twice forces', async () => {
		const {press, sent} = await openDashboard({events: busy});
		await press('\u0003');
		await press('\u0003');
		expect(sent).toEqual([{type: 'stop', force: true}]);
	});

	test('ctrl+c after 5 s asks again, and the question says so', async () => {
		const {press, sent, shows, hides, clock} = await openDashboard({events: busy});
		await press('\u0003');
		await shows('Quit?');
		await hides('5 s passed');
		await clock.advance(5000);
		await shows('5 s passed: Ctrl-C asks again.');
		await press('\u0003');
		await hides('5 s passed');
		expect(sent).toEqual([]);
		await press('\u0003');
		expect(sent).toEqual([{type: 'stop', force: true}]);
	});

	test('ctrl+c again while stopping forces', async () => {
		const {press, sent} = await openDashboard({events: [started()]});
		await press('\u0003');
		await press('\u0003');
		expect(sent).toEqual([
			{type: 'stop', force: false},
			{type: 'stop', force: true},
		]);
	});

	test('the terminal is given back once, and the end is reported once', async () => {
		const {dashboard, terminal, ends} = await openDashboard();
		dashboard.unmount();
		dashboard.unmount();
		expect([terminal.restored(), ends, await dashboard.done]).toEqual([1, [{kind: 'closed'}], {kind: 'closed'}]);
	});

	test('a closed dashboard leaves no timer behind', async () => {
		const {dashboard, clock, store} = await openDashboard({events: busy});
		dashboard.unmount();
		store.close();
		expect(clock.open()).toBe(0);
	});
});

test('an error while drawing gives the terminal back and is reported', async () => {
	const {dispatch, terminal, dashboard} = await openDashboard();
	// No such event exists: drawing it is the error.
	await dispatch({...server('a'), state: 'never heard of'} as unknown as ReturnType<typeof server>);
	expect((await dashboard.done).kind).toBe('failed');
	expect(terminal.restored()).toBe(1);
});

describe('an answer that the terminal owes', () => {
	test('is waited for before the terminal is given back', async () => {
		const {dashboard, terminal, clock} = await openDashboard({answering: false});
		let over = false;
		const answered = dashboard.answered().then(() => void (over = true));
		await clock.advance(100);
		const before = over;
		terminal.answer(true);
		await clock.advance(10);
		await answered;
		expect([before, over]).toEqual([false, true]);
	});

	test('is not waited for any longer than a moment', async () => {
		const {dashboard, clock} = await openDashboard({answering: false});
		const answered = dashboard.answered();
		await clock.advance(200);
		await answered;
		expect(clock.elapsed()).toBeLessThan(1000);
	});
});

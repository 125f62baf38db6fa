import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {
	approval,
	failing,
	inProfile,
	job,
	login,
	proposal,
	question,
	route,
	run,
	sampleTime,
	server,
	settled,
	started,
	uncertain,
} from './sample-events.ts';

const events = [started(), server('a'), route('push', {deliver: 'telegram'})];
const inbox = run('r1', {state: 'inbox', prompt: 'Triage', startedAt: sampleTime + 3});
const bells = (written: string) => written.replaceAll(/\u001B\][^\u0007]*\u0007/gu, '').split('\u0007').length - 1;
const telegram: GatewayEventBody = {type: 'platform.state', platform: 'telegram', state: 'usable'};

/** Each kind of what needs a person besides requests: its event, its words in the banner, and what A opens. */
const kinds: ReadonlyArray<readonly [words: string, event: GatewayEventBody, opened: string]> = [
	['1 uncertain call', uncertain('u1'), 'the connection was lost'],
	['1 inbox item', inbox, 'w to answer, i to dismiss'],
	['1 login', server('b', {state: 'needs-login'}), 'Log in to b'],
	['1 login', login('a'), 'WDJB-MJHT'],
	['1 failed delivery', failing('push'), 'sluice events replay e1 --deliver'],
];

describe.each([
	[80, 24],
	[40, 10],
])('at %ix%i', (columns, rows) => {
	test.each(kinds)('%s is in banner, header, title and bell, and A opens it', async (words, event, opened) => {
		const {dispatch, terminal, shows, hides, press, clock} = await openDashboard({columns, rows, events});
		await hides('A');
		await clock.advance(20_000);
		expect([bells(terminal.written()), terminal.written()]).toEqual([0, expect.not.stringContaining('1 sluice')]);
		await dispatch(event);
		await shows(columns === 80 ? `◆ ${words} waiting · press A to look` : `◆ ${words} · A`);
		expect(await terminal.text()).toMatch(/sluice .*◆1 /u);
		expect(terminal.written()).toContain('\u001B]2;▲1 sluice\u0007');
		expect(bells(terminal.written())).toBe(1);
		await press('A');
		await (columns === 80 ? shows(opened) : hides('● a'));
	});
});

test('the banner names as many kinds as fit, and counts the rest', async () => {
	const all = [approval('1'), question('q'), proposal('p'), ...kinds.map(([, event]) => event)];
	const {shows, terminal} = await openDashboard({events: [...events, ...all]});
	await shows('▲ 1 approval, 1 question, 1 install and 5 more waiting · press A to answer');
	terminal.resize(160, 50);
	await shows('2 logins, 1 uncertain call, 1 inbox item, 1 failed delivery waiting · press A to answer');
	await shows('▲8 waiting');
	terminal.resize(40, 10);
	await shows('▲ 1 approval, 1 question and 6 more · A');
});

test('A opens a request before everything else, and then goes round the rest, oldest first', async () => {
	const rest = [uncertain('u1'), inbox, failing('push', {firstAt: sampleTime + 5})];
	const {dispatch, press, shows} = await openDashboard({events: [...events, ...rest, approval('1')]});
	await press('A');
	await shows('create_issue');
	await dispatch(settled('1', {by: 'cli'}));
	await shows('3 others are waiting; press n to show the oldest.');
	await press('n');
	await shows('the connection was lost');
	for (const text of ['w to answer, i to dismiss', 'status 403: bot was kicked', 'the connection was lost']) {
		await press('A');
		await shows(text);
	}
});

test('A opens everything in the one view that lists it, a row for each platform', async () => {
	const rest = [
		inbox,
		failing('push', {firstAt: sampleTime + 5}),
		failing('push', {id: 'slack', firstAt: sampleTime + 6, target: 'slack'}),
	];
	const {press, shows, terminal} = await openDashboard({events: [...events, ...rest]});
	for (const text of ['w to answer, i to dismiss', 'to telegram', 'to slack', 'w to answer, i to dismiss']) {
		await press('A');
		await shows(text);
		expect(await terminal.text()).toContain('2 You · 3 · details');
	}

	await press('\u001B');
	await shows('> ◇ inbox');
});

test('A goes on from a login that was left', async () => {
	const {press, shows} = await openDashboard({events: [...events, server('b', {state: 'needs-login'}), inbox]});
	await press('A');
	await shows('Log in to b');
	await press('\u001B');
	await shows('> ◇ b');
	await press('A');
	await shows('w to answer, i to dismiss');
});

test('A opens the delivery of a job that fails', async () => {
	const {press, shows} = await openDashboard({
		events: [...events, telegram, failing('', {job: 'triage', eventId: ''})],
	});
	await press('A');
	await shows('1 to telegram at');
	await shows('i dismisses; it is over when a later one arrives');
	await shows('job        triage');
});

test('A says so when nothing needs a person', async () => {
	const {press, shows} = await openDashboard({events});
	await press('A');
	await shows('nothing is waiting for you');
});

describe('while deliveries fail', () => {
	const failures = failing('push', {failures: 2500});

	test('the row of the route says so, and i dismisses them after a yes', async () => {
		const {press, shows, hides, sent, dispatch} = await openDashboard({columns: 120, events: [...events, failures]});
		await press('6');
		await shows(`✖ ${'push'.padEnd(23)}failing`);
		await shows('2,500 to telegram not delivered: status 403');
		await press('\r');
		await shows('✖ failing (served)');
		await shows('2,500 to telegram since');
		await press('i');
		await shows('Dismiss 2,500 failed deliveries?');
		await press('y');
		expect(sent).toEqual([
			{method: 'events.view', params: {id: 'e1'}, profile: 'default'},
			{method: 'deliveries.dismiss', params: {ids: ['failing-push']}, profile: 'default'},
		]);
		await dispatch({type: 'delivery.cleared', id: 'failing-push', route: 'push', target: 'telegram', by: 'person'});
		await shows('● served');
		await hides('waiting');
	});

	test('the row of the platform says so, with i too', async () => {
		const {press, shows, hides, sent} = await openDashboard({columns: 120, events: [...events, telegram, failures]});
		await press('P');
		await shows(`✖ platform  ${'telegram'.padEnd(37)}failing    2,500 from push not delivered: status 403`);
		await hides('● usable');
		await shows('i dismiss');
		await press('i');
		await press('y');
		expect(sent).toMatchObject([{method: 'deliveries.dismiss', params: {ids: ['failing-push']}}]);
	});

	test('the row of the job says so, and i dismisses them after a yes', async () => {
		const failed = failing('', {job: 'job-triage', eventId: '', failures: 3});
		const {press, shows, hides, sent, dispatch} = await openDashboard({
			columns: 120,
			events: [...events, telegram, job('triage'), job('other'), failed],
		});
		await press('5');
		await press('\r');
		await shows('✖ failing (scheduled)');
		await shows('3 to telegram since');
		await press('\u001B');
		await shows(`✖ ${'job-triage'.padEnd(23)}failing`);
		await shows(`● ${'job-other'.padEnd(23)}scheduled`);
		await shows('3 to telegram not delivered: status 403');
		await press('i');
		await shows('Dismiss 3 failed deliveries?');
		await press('y');
		expect(sent).toEqual([{method: 'deliveries.dismiss', params: {ids: ['failing-']}, profile: 'default'}]);
		await dispatch({type: 'delivery.cleared', id: 'failing-', route: '', target: 'telegram', by: 'person'});
		await shows(`● ${'job-triage'.padEnd(23)}scheduled`);
		await hides('i dismiss');
	});

	test('the footer of a narrow screen has room for i on a row that fails, and for the rest on others', async () => {
		const {press, shows, hides} = await openDashboard({
			columns: 40,
			rows: 10,
			events: [...events, route('other'), failures],
		});
		await press('6');
		await shows('i dismiss');
		await press('j');
		await shows('p pause/resume');
		await hides('i dismiss');
	});

	test('the command that sends the last one again names the profile of the gateway', async () => {
		const at = [started(), route('push', {servedBy: 'work'}), failures].map(event => inProfile('work', event));
		const {press, shows} = await openDashboard({columns: 140, events: at});
		await press('A');
		await shows('sluice events replay e1 --deliver --profile work sends the last one again');
	});

	test('a platform and a route that are gone leave a row to dismiss them on', async () => {
		const {press, shows, sent} = await openDashboard({columns: 120, events: [started(), failing('gone')]});
		await press('P');
		await press('\r');
		await shows('neither configured nor named by a route');
		await press('i');
		await press('y');
		expect(sent).toMatchObject([
			{method: 'events.view', params: {id: 'e1'}},
			{method: 'deliveries.dismiss', params: {ids: ['failing-gone']}},
		]);
	});

	test('rows without failures keep their words, and x does nothing there', async () => {
		const {press, shows, hides, sent} = await openDashboard({columns: 120, events: [...events, telegram]});
		await press('6');
		await shows(`● ${'push'.padEnd(23)}served`);
		await hides('i dismiss');
		await press('i');
		await shows('no delivery has failed here');
		await press('P');
		await shows('usable');
		expect(sent).toEqual([]);
	});
});

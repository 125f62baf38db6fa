import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {restMilliseconds} from '../../source/tui/input/column-actions.ts';
import {type OpenOptions, openDashboard} from './open-dashboard.ts';
import {approval, proposal, question, run, sampleTime, server, started, traced, webhook} from './sample-events.ts';

const right = '\u001B[C';
const left = '\u001B[D';
const wide = {columns: 160, rows: 50};
const numbers = (count: number) => Array.from({length: count}, (_, index) => index);

const lines = (name: string, count: number) => numbers(count).map(index => `${name} ${index}`);
const serverPage = (name: string) =>
	({
		type: 'view.page',
		subject: {kind: 'server', server: name},
		title: `Server ${name}`,
		sections: [{title: 'Tools', text: lines(`tool of ${name}`, 200).join('\n'), layout: 'exact'}],
	}) as const;

const viewed = (name: string) => ({method: 'mcp.view', params: {server: name}, profile: 'default'});
const hosts = numbers(9).map(index => server(`s${index}`));

/** A dashboard of 160 columns with these servers, before the cursor has rested. */
async function openWide(events: readonly GatewayEventBody[] = hosts, options: OpenOptions = {}) {
	const dashboard = await openDashboard({...wide, ...options});
	await dashboard.dispatch(started(), ...events);
	const type = async (keys: string) => {
		for (const key of keys) {
			dashboard.terminal.type(key);
			await dashboard.clock.advance(30);
		}
	};

	return {...dashboard, type, rest: () => dashboard.clock.advance(restMilliseconds)};
}

const eventRows = numbers(40).map(index => webhook(`r${index}`, {eventId: `e${index}`}));
const traceOf = (id: string) => traced({kind: 'event', id}, {kind: 'event', eventId: id});

describe('the gateway is asked for the page beside a list', () => {
	test('once the cursor has rested, and not for the rows that a held key passes', async () => {
		const {sent, type, rest, shows, reply} = await openWide();
		await type('jjjjjjjj');
		expect(sent).toEqual([]);
		await rest();
		expect(sent).toEqual([viewed('s8')]);
		await shows('asking the gateway');
		await reply('mcp.view', serverPage('s8'));
		await shows('tool of s8 0');
		await rest();
		expect(sent).toHaveLength(1);
	});

	test('one at a time: the next when the last has ended, for the row on which the cursor is then', async () => {
		const {sent, type, rest, reply, refuse, clock} = await openWide();
		await rest();
		expect(sent).toEqual([viewed('s0')]);
		for (const key of 'jjj') {
			await type(key);
			await clock.advance(1000);
		}

		expect(sent).toHaveLength(1);
		await reply('mcp.view', serverPage('s0'));
		await rest();
		expect(sent.slice(1)).toEqual([viewed('s3')]);
		await type('j');
		await clock.advance(1000);
		expect(sent).toHaveLength(2);
		await refuse('mcp.view', 'the journal is away');
		await rest();
		expect(sent.slice(2)).toEqual([viewed('s4')]);
	});

	test('again when another page took its place', async () => {
		const {sent, type, rest, reply, press, shows} = await openWide();
		await rest();
		await reply('mcp.view', serverPage('s0'));
		await press('l');
		await reply('mcp.view-log', {
			type: 'view.page',
			subject: {kind: 'server-log', server: 's0'},
			title: 'Log of s0',
			sections: [{title: 'stderr', text: 'it began'}],
		});
		await shows('it began');
		await press(left);
		await rest();
		expect(sent.filter(({...one}) => 'method' in one && one.method === 'mcp.view')).toHaveLength(2);
		await type('');
		await reply('mcp.view', serverPage('s0'));
		await shows('tool of s0 0');
	});

	test('not again after it was refused: the reason is there, and no notification', async () => {
		const {sent, rest, refuse, shows, hides, clock, press} = await openWide();
		await rest();
		await refuse('mcp.view', 'the journal is away');
		await shows('│ refused: the journal is away');
		await hides('▲ the journal is away');
		await clock.advance(60_000);
		expect(sent).toEqual([viewed('s0')]);
		// A key that asks is told in a notification, too.
		await press('C');
		await refuse('mcp.view-calls', 'the journal is still away');
		await shows(' the journal is still away');
	});

	test('not while rows come faster than it could be read', async () => {
		const {sent, press, dispatch, clock, rest} = await openWide([]);
		await press('3');
		for (const row of eventRows) {
			await dispatch(row);
		}

		expect(sent).toEqual([]);
		await rest();
		expect(sent).toEqual([{method: 'traces.view', params: {subject: {kind: 'event', id: 'e39'}}, profile: 'default'}]);
		await clock.advance(60_000);
		expect(sent).toHaveLength(1);
	});

	test.each([
		[159, 50, 0],
		[160, 19, 0],
		[160, 20, 1],
	])('and with %i x %i %i times', async (columns, rows, count) => {
		const {sent, clock} = await openWide(hosts, {columns, rows});
		await clock.advance(60_000);
		expect(sent).toHaveLength(count);
	});

	test('not without a connection, and then what the row knows is there', async () => {
		const {sent, rest, dispatch, type, shows, clock} = await openWide();
		await rest();
		await dispatch({type: 'view.console', state: 'lost', since: 0, reason: 'it ended'});
		await type('j');
		await clock.advance(10_000);
		await shows('│ state      ● connected');
		expect(sent).toEqual([viewed('s0')]);
	});
});

describe('the page beside a list', () => {
	test('is kept live like one that is open', async () => {
		const {press, sent, rest, reply, dispatch, shows} = await openWide([run('r1', {state: 'running'})]);
		await press('4');
		await rest();
		await reply('traces.view', {...traced({kind: 'run', id: 'r1'}, {kind: 'run', runId: 'r1'}), runId: 'r1'});
		await shows('files/read');
		expect(sent).toHaveLength(1);
		const origin = {kind: 'run', runId: 'r1', route: 'push', deliveryId: 'd'} as const;
		await dispatch(approval('1', {requestedAt: sampleTime + 5000, origin}));
		expect(sent).toHaveLength(2);
		await dispatch(approval('2', {requestedAt: sampleTime + 6000, origin}));
		expect(sent).toHaveLength(2);
	});

	test('is scrolled after the right arrow, keeps its lines when it is left, and enter opens it alone', async () => {
		const {press, rest, reply, shows, hides, type} = await openWide();
		await rest();
		await reply('mcp.view', serverPage('s0'));
		await shows('right scrolls it, enter opens it in full');
		await press(right);
		await shows('left goes back');
		await type('jjjjj');
		await shows('lines 6–51 of');
		await press('/');
		await type('tool of s0 150\r');
		await shows('tool of s0 150');
		await press(left);
		await shows('tool of s0 150');
		await shows('right scrolls it');
		// The list has the keys again.
		await press('j');
		await shows('> ● s1 ');
		await press('k');
		await press(right);
		await press('\r');
		await hides('│');
		await shows('1 Overview · s0');
	});

	test('belongs to a row that stays picked in a list that followed the newest', async () => {
		const {press, rest, reply, shows, dispatch, sent} = await openWide(eventRows.slice(0, 3));
		await press('3');
		await rest();
		await reply('traces.view', traceOf('e2'));
		await press(right);
		await dispatch(webhook('later', {eventId: 'e9'}));
		await shows('3 Events · paused, 1 newer');
		await press('\r');
		expect(sent.at(-1)).toMatchObject({method: 'events.view', params: {id: 'e2'}});
		await shows('Event e2');
		await press(left);
		await shows('files/read');
	});

	test('never decides: a request in it has no key but those of the list', async () => {
		const events = [approval('1', {arguments: {note: 'a\u202Eb'}}), question('q'), proposal('p')];
		const {press, rest, shows, hides, sent, type} = await openWide(events);
		await press('2');
		await rest();
		await shows('‹U+202E›');
		await press(right);
		await shows('left goes back');
		for (const key of ['a', 'r', 's', 'p', 'm', 'i', '\u001B']) {
			await press(key);
			await press(right);
		}

		await type('asdwrpm');
		expect(sent).toEqual([]);
		// The card is opened alone, as ever.
		await press('\r');
		await shows('1 of 1');
		await hides('selected ·');
	});

	test('half read, it outlasts changes of the size between one column and two', async () => {
		const {press, rest, reply, type, shows, hides, terminal} = await openWide();
		await rest();
		await reply('mcp.view', serverPage('s0'));
		await press(right);
		await type('  ');
		const place = 'lines 87–132 of 207';
		await shows(`left goes back, enter opens it in full · ${place}`);
		const before = await terminal.rows();
		for (const _ of numbers(3)) {
			terminal.resize(159, 50);
			await hides('│');
			await shows('1 Overview · s0 · lines');
			terminal.resize(160, 50);
			await shows(place);
			await expect.poll(terminal.rows, {interval: 10, timeout: 25_000}).toEqual(before);
		}

		await press(left);
		await shows('right scrolls it');
		await shows(place);
	});
});

import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {type Trace, type TraceLine} from '../../source/state/trace.ts';
import {type PageSubject} from '../../source/state/view-event.ts';
import {failedDelivery} from '../gateway/pages/traced-history.ts';
import {frameAfter} from './frame-after.tsx';
import {openDashboard} from './open-dashboard.ts';
import {approval, call, finished, job, run, sampleTime, settled, started, webhook} from './sample-events.ts';

const profile = 'default';

test.each([
	{what: 'an event', row: webhook('push'), view: '3', subject: {kind: 'event', id: 'e1'}},
	{what: 'a call that has ended', row: finished('c1'), view: '3', subject: {kind: 'call', id: 'c1'}},
	{what: 'a decision among the events', row: settled('a1'), view: '3', subject: {kind: 'decision', id: 'a1'}},
	{what: 'a delivery', row: failedDelivery, view: '3', subject: {kind: 'delivery', id: 'm1'}},
	{what: 'a settled approval', row: settled('a1'), view: '2', subject: {kind: 'decision', id: 'a1'}},
	{what: 'a run', row: run('r1', {state: 'finished'}), view: '4', subject: {kind: 'run', id: 'r1'}},
	{what: 'a call under way', row: call('c1'), view: '7', subject: {kind: 'call', id: 'c1'}},
	{what: 'a job', row: job('1', {lastRunAt: sampleTime}), view: '5', subject: {kind: 'job', id: 'job-1'}},
] as const)('Enter on $what asks for its trace', async ({row, view, subject}) => {
	const dashboard = await openDashboard({events: [started(), row]});
	await dashboard.press(view);
	await dashboard.press('\r');
	expect(dashboard.sent).toEqual([{method: 'traces.view', params: {subject}, profile}]);
	await dashboard.shows('asking the gateway');
});

test('a job that never ran has its details', async () => {
	const {press, shows, sent} = await openDashboard({events: [started(), job('1')]});
	await press('5');
	await press('\r');
	await shows('details');
	expect(sent).toEqual([]);
});

test('the row of a delivery names the job whose answer it is', async () => {
	const {press, shows} = await openDashboard({events: [started(), failedDelivery]});
	await press('3');
	await shows('nightly');
});

const line = (id: string, change: Partial<TraceLine> = {}): TraceLine => ({
	id: `call ${id}`,
	at: sampleTime,
	status: {of: 'call', is: 'ok'},
	subject: `files/${id}`,
	facts: ['5 ms'],
	opens: {kind: 'call', callId: id},
	command: `sluice calls show ${id}`,
	...change,
});

const trace = (change: Partial<Trace> = {}): GatewayEventBody => ({
	type: 'view.trace',
	subject: {kind: 'run', id: 'r1'},
	title: ['r1', 'push', 'finished'],
	lines: [line('one'), line('two', {at: sampleTime + 2500}), line('three', {at: sampleTime + 5000})],
	picked: 'call two',
	shares: [
		{use: 'person', ms: 4500},
		{use: 'calls', ms: 500},
	],
	startedAt: sampleTime,
	readAt: sampleTime + 1,
	part: {number: 1, of: 1},
	runId: 'r1',
	...change,
});

const over = run('r1', {state: 'finished', answer: 'Done.'});
const opened = ['4', '\r'];

describe('the page of a trace', () => {
	test.each([
		{columns: 40, rows: 10},
		{columns: 80, rows: 24},
		{columns: 120, rows: 40},
	])('at %o has a line for each thing, and says what the time was spent on', size => {
		const frame = frameAfter([started(), over, trace()], opened, size).map(row => row.trimEnd());
		const text = frame.join('\n');
		expect(text).toContain('Trace r1 · push · finished');
		expect(text).toMatch(/^ +\d\d:\d\d:\d\d(\.\d{3})? ● called +files\/one {2}5 ms$/m);
		expect(text).toMatch(/^> +\+2\.5 s ● called +files\/two {2}5 ms$/m);
		expect(text).toMatch(/^ +\+5\.0 s ● called +files\/three {2}5 ms$/m);
		expect(text).toContain('▲ waited for you 4.5 s (90 %)');
		expect(frame).toHaveLength(size.rows);
		if (size.rows > 10) {
			expect(text).toMatch(/^ ▲{60,}●{6,}$/m);
		}
	});

	test('keeps the picked line on the screen, and the bar', () => {
		const lines = Array.from({length: 60}, (_, index) => line(`n${index}`));
		const long = trace({lines, picked: 'call n40'});
		const at = (keys: readonly string[]) =>
			frameAfter([started(), over, long], [...opened, ...keys], {columns: 80, rows: 24}).join('\n');
		expect(at([])).toMatch(/^> .*files\/n40 /m);
		expect(at(['G'])).toMatch(/^> .*files\/n59 /m);
		expect(at(['g'])).toMatch(/^> .*files\/n0 /m);
		expect(at(['j', 'j', 'k'])).toMatch(/^> .*files\/n41 /m);
		expect(at(['G'])).toContain('waited for you');
	});

	test('of what the journal does not have shows the row', () => {
		const gone = trace({lines: [], shares: [], picked: undefined});
		const frame = frameAfter([started(), over, gone], opened, {columns: 80, rows: 24}).join('\n');
		expect(frame).toContain('the journal has no record of it');
		expect(frame).toMatch(/^> ✔ finished/m);
	});

	test('of a job begins with the job, which opens its details', async () => {
		const row = job('1', {lastRunAt: sampleTime, deliver: 'slack'});
		const {press, shows, dispatch} = await openDashboard({events: [started(), row]});
		await press('5');
		await press('\r');
		await dispatch(trace({subject: {kind: 'job', id: 'job-1'}}));
		await shows('files/two');
		await press('g');
		await press('\r');
		await shows('slack');
		await press('\u001B');
		await shows('files/two');
	});

	test('says what it has with its keys', async () => {
		const event = {id: 'e1', route: 'push', event: 'push'};
		const {press, shows, dispatch, sent, hides} = await openDashboard({events: [started(), over]});
		await press('4');
		await press('\r');
		await dispatch(trace());
		await shows('c copy as command');
		await hides('r replay');
		await press('c');
		await shows('copied: sluice calls show two');
		await dispatch(trace({event}));
		await press('v');
		expect(sent.at(-1)).toEqual({method: 'events.dry-run', params: {id: 'e1'}, profile});
		await shows('Dry run of e1');
		await press('\u001B');
		await shows('files/two');
		await press('e');
		await shows('Replay claimed event "push" of push?');
		await press('y');
		expect(sent.at(-1)).toEqual({method: 'events.replay', params: {id: 'e1'}, profile});
	});

	test('leads to the request that waits', async () => {
		const asked = line('a1', {
			id: 'asked 12345678',
			status: {of: 'approval', is: 'asked'},
			opens: {kind: 'request', id: '12345678'},
		});
		const {press, shows, dispatch} = await openDashboard({events: [started(), over, approval('12345678')]});
		await press('4');
		await press('\r');
		await dispatch(trace({lines: [asked], picked: asked.id}));
		await shows('asked');
		await press('\r');
		await shows('APPROVAL 1 of 1');
	});

	test('is asked for again, once, when more of it has happened', async () => {
		const {press, dispatch, sent, clock} = await openDashboard({events: [started(), run('r1', {state: 'running'})]});
		await press('4');
		await press('\r');
		await clock.advance(10);
		await dispatch(trace({readAt: clock.now()}));
		expect(sent).toHaveLength(1);
		await dispatch(Object.assign(finished('other'), {time: clock.now()}));
		expect(sent).toHaveLength(1);
		const origin = {kind: 'run', runId: 'r1', route: 'push', deliveryId: 'd1'} as const;
		await dispatch(Object.assign(finished('c9', {origin}), {time: clock.now()}));
		expect(sent).toHaveLength(2);
		expect(sent.at(-1)).toEqual({method: 'traces.view', params: {subject: {kind: 'run', id: 'r1'}}, profile});
		await dispatch(Object.assign(finished('c10', {origin}), {time: clock.now()}));
		expect(sent).toHaveLength(2);
	});
});

test('a trace in parts is read forwards and back', async () => {
	const {press, dispatch, shows, sent} = await openDashboard({events: [started(), over]});
	const ofPart = (number: number, id: string) =>
		trace({lines: [line(`${id}1`), line(`${id}2`)], picked: undefined, part: {number, of: 3}});
	await press('4');
	await press('\r');
	await dispatch(ofPart(2, 'b'));
	await shows('part 2 of 3');
	await press('j');
	await press('j');
	expect(sent.at(-1)).toMatchObject({method: 'traces.view', params: {part: 3}});
	await shows('asking the gateway');
	await dispatch(ofPart(3, 'c'));
	await shows('this is the last');
	await press('G');
	await press('j');
	expect(sent).toHaveLength(2);
	await press('g');
	await press('k');
	expect(sent.at(-1)).toMatchObject({params: {part: 2}});
	await dispatch(ofPart(2, 'b'));
	await shows('scroll on for the next');
	await press('\r');
	expect(sent.at(-1)).toEqual({method: 'calls.view', params: {id: 'b2'}, profile});
});

const part = (subject: PageSubject, number: number, of: number): GatewayEventBody => ({
	type: 'view.page',
	subject,
	title: 'Stored',
	sections: [
		{
			title: 'Result',
			text: Array.from({length: 30}, (_, at) => `part ${number}  line ${at}`).join('\n'),
			layout: 'exact',
		},
	],
	part: {number, of},
});

test('a long row behind a line is read part by part, forwards and back, and left for the trace', async () => {
	const {press, dispatch, shows, hides, sent} = await openDashboard({events: [started(), over]});
	const subject = {kind: 'call', callId: 'two'} as const;
	await press('4');
	await press('\r');
	await dispatch(trace());
	await press('\r');
	await shows('asking the gateway');
	await dispatch(part(subject, 1, 2));
	// Both blanks: data is shown exactly.
	await shows('part 1  line 0');
	for (const key of ['\u001B[6~', '\u001B[6~', '\u001B[6~']) {
		await press(key);
	}

	await shows('asking the gateway');
	expect(sent.slice(1)).toMatchObject([
		{method: 'calls.view', params: expect.not.objectContaining({part: expect.anything()})},
		{method: 'calls.view', params: {part: 2}},
	]);
	await dispatch(part(subject, 2, 2));
	await shows('part 2  line 0');
	await hides('part 1  line');
	await press('G');
	await shows('part 2 of 2');
	await press('j');
	expect(sent).toHaveLength(3);
	await press('g');
	await press('k');
	expect(sent.at(-1)).not.toHaveProperty('part');
	await dispatch(part(subject, 1, 2));
	await shows('part 1 of 2 · scroll on for the next');
	await press('\u001B');
	await shows('files/three');
});

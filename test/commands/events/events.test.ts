import {describe, expect, test} from 'vitest';
import {runEvents} from '../../../source/commands/events/events.ts';
import {type EventDetailJson, type EventRowJson} from '../../../source/control/wire.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openContext, ownEvents} from '../command-fixture.ts';

const row: EventRowJson = {
	id: 'e1',
	time: Date.UTC(2026, 4, 4, 12),
	route: 'issues',
	event: 'opened',
	delivery_id: 'd1',
	status: 401,
	outcome: 'rejected',
	reason: 'Invalid signature',
	ms: 2,
};
const detail: EventDetailJson = {
	...row,
	profile: 'default',
	headers: {'x-note': '\u001B[2J'},
	body: '{"a":\n1}',
	signature: 'X-Hub-Signature-256',
	filter: null,
	script_output: 'out\u0007put',
	prompt: 'Look at 1',
	deliver: 'log',
	runs: [{id: 'r1', state: 'inbox', reason: 'no model configured'}],
	deliveries: [{target: 'telegram', state: 'failed', detail: 'blocked', time: 1}],
};

describe('sluice events', () => {
	test('lists what the running gateway stored', async () => {
		const {path} = await startControl({'events.list': () => [row]});
		const {context, stdout} = openContext({controlSocket: path, arguments: ['list'], flags: {json: true}});
		expect([await runEvents(context, ownEvents({})), JSON.parse(stdout())]).toEqual([0, [row]]);
	});

	test('passes route and limit on', async () => {
		const {path} = await startControl({'events.list': ({limit, route}) => [{...row, id: `${route} ${limit}`}]});
		const {context, stdout} = openContext({controlSocket: path, flags: {json: true, limit: 7, route: 'pushes'}});
		await runEvents(context, ownEvents({}));
		expect(JSON.parse(stdout())).toMatchObject([{id: 'pushes 7'}]);
	});

	test('reads the journal itself when no gateway runs', async () => {
		const {context, stdout} = openContext();
		await runEvents(context, ownEvents({list: async () => [row]}));
		expect(stdout()).toMatch(
			/^TIME .*\n2026-05-0\d \d\d:\d\d:00 {2}e1 {2}401 {5}issues {2}opened {2}rejected {2}Invalid/,
		);
	});

	test('shows one event with headers and body, made harmless', async () => {
		const {context, stdout} = openContext({arguments: ['show', 'e1']});
		expect(await runEvents(context, ownEvents({show: async () => detail}))).toBe(0);
		expect(stdout()).toMatch(
			/status: 401[\s\S]*signature: X-Hub-Signature-256\nfilter: –\ndeliver: log\nrun: r1 inbox \(no model/,
		);
		expect(stdout()).toMatch(/x-note: ␛\[2J\n\n\{"a":\n1\}\n\nscript:\nout␇put\n\nprompt:\nLook at 1\n$/);
	});

	test('shows one event as JSON', async () => {
		const {context, stdout} = openContext({arguments: ['show', 'e1'], flags: {json: true}});
		await runEvents(context, ownEvents({show: async () => detail}));
		expect(JSON.parse(stdout())).toEqual(detail);
	});

	test('fails for an event that is not there', async () => {
		const {context, stdout} = openContext({arguments: ['show', 'e9']});
		expect([await runEvents(context, ownEvents({})), stdout()]).toEqual([1, '']);
	});

	test.each([
		{words: ['show'], flags: {}},
		{words: ['list', 'x'], flags: {}},
		{words: ['purge'], flags: {}},
		{words: ['list'], flags: {limit: 0}},
		{words: ['list'], flags: {limit: 1.5}},
		{words: ['list'], flags: {limit: 10_001}},
		{words: ['list'], flags: {limit: Number.NaN}},
	])('$words with $flags is not understood', async ({words, flags}) => {
		const {context} = openContext({arguments: words, flags});
		expect(await runEvents(context, ownEvents({}))).toBe(2);
	});
});

import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {views} from '../../../source/tui/lists/view-table.ts';
import {keyNames} from '../../../source/tui/state/key-names.ts';
import {finished, sampleTime, snapshotOf, webhook} from '../sample-events.ts';

const keys = keyNames({readOnly: false, snapshot: emptySnapshot});
const delivery = (change: object = {}): GatewayEventBody => ({
	type: 'delivery.settled',
	delivery: 'd1',
	route: 'push',
	messageId: 'm1',
	target: 'slack',
	outcome: 'delivered',
	...change,
});
const request = (change: object = {}) => webhook('push', {eventId: 'e1', deliveryId: 'd1', ...change});
const lines = (events: readonly GatewayEventBody[], width = 118) =>
	views.events.rows(snapshotOf(events)).map(row =>
		row
			.line(width, sampleTime, keys)
			.map(({text}) => text)
			.join('')
			.replaceAll(/[\uE000-\uF8FF]/gu, '»'),
	);

test.each<readonly [string, readonly GatewayEventBody[], readonly RegExp[]]>([
	['its delivery', [request(), delivery()], [/push .*» slack delivered/u]],
	['its delivery, after other events', [request(), finished('c1'), delivery()], [/slack/u, /github|files|garden/u]],
	[
		'the last end of a delivery',
		[request(), delivery({outcome: 'retrying', nextAt: sampleTime}), delivery()],
		[/slack/u],
	],
	[
		'each of its deliveries',
		[
			request(),
			delivery(),
			delivery({messageId: 'm2', target: 'telegram', outcome: 'failed', code: 'delivery_failed'}),
		],
		[/» telegram not deliv/u],
	],
	['a delivery before its answer', [delivery(), request({outcome: 'delivered'})], [/push.*slack/u]],
])('a webhook request has %s in its row', (_, events, rows) => {
	const shown = lines(events);
	expect(shown).toHaveLength(rows.length);
	rows.forEach((row, index) => expect(shown[index]).toMatch(row));
});

test.each<readonly [string, readonly GatewayEventBody[]]>([
	['of another route', [request(), delivery({route: 'other'})]],
	['of another delivery', [request(), delivery({delivery: 'd2'})]],
	['of a job', [request(), delivery({route: undefined, job: 'nightly'})]],
	['of a request that was refused', [request({outcome: 'rejected', status: 401}), delivery()]],
	['whose request is not listed', [finished('c1'), delivery()]],
])('a delivery %s keeps its own row', (_, events) => {
	expect(lines(events)).toHaveLength(2);
});

test('requests whose deliveries ended in the same way fold, and another end is a row of its own', () => {
	const pair = (id: string, outcome: string): readonly GatewayEventBody[] => [
		request({eventId: id, deliveryId: id}),
		delivery({delivery: id, messageId: id, outcome}),
	];
	const rows = views.events.rows(
		snapshotOf([...pair('1', 'delivered'), ...pair('2', 'delivered'), ...pair('3', 'failed')]),
	);
	const texts = rows.map(row => row.repeats?.text());
	expect(texts[0]).toBe(texts[1]);
	expect(texts[2]).not.toBe(texts[0]);
	expect(rows.map(row => String(row.values?.(0).state).slice(0, 1))).toEqual([
		expect.any(String),
		expect.any(String),
		'0',
	]);
	expect(rows[2]?.fields()).toMatchObject({route: 'push', target: 'slack'});
});

test('rows stay the same objects until something comes to them', () => {
	const events = [request(), finished('c1')];
	const before = snapshotOf(events);
	const after = snapshotOf([...events, delivery()]);
	const first = views.events.rows(before);
	expect(views.events.rows({...before})).toEqual(first);
	expect(views.events.rows(after)).toHaveLength(2);
});

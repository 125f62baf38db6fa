import {expect, test} from 'vitest';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {views} from '../../../source/tui/lists/view-table.ts';
import {call as underWay, finished, settled, snapshotOf, webhook} from '../sample-events.ts';
import {keyNames} from '../../../source/tui/state/key-names.ts';

const call: GatewayEventBody = {
	type: 'tool.finished',
	callId: 'call-1',
	server: 'github',
	tool: 'create_issue',
	outcome: 'ok',
	ms: 4,
	origin: {kind: 'demo', client: 'robot'},
};
const delivery: GatewayEventBody = {
	type: 'delivery.settled',
	delivery: 'delivery-1',
	target: 'slack',
	outcome: 'delivered',
};

test.each<readonly [string, GatewayEventBody, string]>([
	['a webhook', webhook('push', {eventId: 'event-1'}), 'event-1'],
	['a call', call, 'call-1'],
	['a delivery', delivery, 'delivery-1'],
	['an answered approval', settled('approval-1'), 'approval-1'],
])('a copy of %s holds its id', (_, event, copy) => {
	expect(views.events.rows(snapshotOf([event])).map(row => row.copy)).toEqual([copy]);
});

test('a request that another gateway answered says which in its row and below', () => {
	const [row] = views.events.rows(snapshotOf([webhook('push', {node: 'web-2'})]));
	const keys = keyNames({readOnly: false, snapshot: emptySnapshot});
	const texts = (lines: ReadonlyArray<ReadonlyArray<{readonly text: string}>> = []) =>
		lines.map(line => line.map(({text}) => text).join(''));
	expect(texts([row?.line(100, 0, keys) ?? []])[0]).toContain('202 node web-2');
	expect(texts(row?.detail(100, 0, keys))).toContainEqual(expect.stringMatching(/^ node +web-2$/u));
	expect(row?.fields()).toMatchObject({node: 'web-2'});
});

test('a call of another gateway says which in its row and below, while it is under way and once it has ended', () => {
	const keys = keyNames({readOnly: false, snapshot: emptySnapshot});
	const snapshot = snapshotOf([underWay('c1', {node: 'web-2'}), finished('c2', {node: 'web-2'})]);
	for (const view of ['calls', 'events'] as const) {
		const [row] = views[view].rows(snapshot);
		for (const width of [98, 78]) {
			const line = row?.line(width, 0, keys).map(({text}) => text);
			expect(line?.join('')).toContain('node web-2');
		}

		const lines = row?.detail(100, 0, keys).map(line => line.map(({text}) => text).join(''));
		expect(lines).toContainEqual(expect.stringMatching(/^ node +web-2$/u));
		expect(row?.fields()).toMatchObject({node: 'web-2'});
	}
});

test.each([
	['delivered', 'delivered'],
	['failed', 'not delivered'],
	['outcome_uncertain', 'uncertain'],
] as const)('a delivery that is %s reads "%s"', (outcome, word) => {
	const [row] = views.events.rows(snapshotOf([{...delivery, outcome}]));
	expect(JSON.stringify(row?.line(100, 0, keyNames({readOnly: false, snapshot: emptySnapshot})))).toContain(word);
	expect(
		JSON.stringify(row?.line(100, 0, keyNames({readOnly: false, snapshot: emptySnapshot}))).includes('not delivered'),
	).toBe(outcome === 'failed');
});

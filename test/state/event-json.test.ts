import {expect, test} from 'vitest';
import {eventJson} from '../../source/state/event-json.ts';
import {approval, server, sampleTime, stamp, started, webhook} from '../tui/sample-events.ts';

test('a line begins with number, time, type and profile', () => {
	const [event] = stamp([started()]);
	expect(eventJson(event!)).toBe(
		`{"seq":1,"time":${sampleTime},"type":"gateway.started","profile":"default","version":"0.1.0","pid":7,"webhook_url":null,"configured":{"servers":1,"routes":1},"demo":false}`,
	);
});

test.each([
	[webhook('r'), ['event_id', 'delivery_id']],
	[approval('1'), ['expires_at', 'requested_at', 'registered_name', 'arguments_hash']],
	[server('a', {nextActions: [{kind: 'enable', server: 'a'}], latencyMs: 3}), ['next_action', 'latency_ms']],
] as const)('the fields of %o are in snake case', (body, names) => {
	const [event] = stamp([body]);
	expect(Object.keys(JSON.parse(eventJson(event!)))).toEqual(expect.arrayContaining([...names]));
});

test('what is absent is left out', () => {
	const [event] = stamp([server('a', {reason: undefined})]);
	expect(eventJson(event!)).not.toContain('reason');
});

test('the origin is in snake case, arguments and hints keep the names their server gave them', () => {
	const [event] = stamp([
		approval('1', {
			arguments: {issueTitle: 'x'},
			hints: {readOnlyHint: false},
			origin: {kind: 'run', runId: '9', route: 'r', deliveryId: 'd'},
		}),
	]);
	expect(JSON.parse(eventJson(event!))).toMatchObject({
		arguments: {issueTitle: 'x'},
		hints: {readOnlyHint: false},
		origin: {kind: 'run', run_id: '9', route: 'r', delivery_id: 'd'},
	});
});

test('a line is one line whatever is in it', () => {
	const [event] = stamp([approval('1', {description: 'a\nb'})]);
	expect(eventJson(event!)).not.toContain('\n');
});

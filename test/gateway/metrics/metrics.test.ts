import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {createEventCounters} from '../../../source/gateway/metrics/metrics.ts';
import {createSeries} from '../../../source/gateway/metrics/series.ts';

test('a name from outside cannot leave its label', () => {
	const series = createSeries('hits_total', {kind: 'counter', help: 'Hits.', labels: ['route']});
	series.add(['a"} 9\nb\\']);
	expect(series.text().split('\n')).toEqual([
		'# HELP hits_total Hits.',
		'# TYPE hits_total counter',
		expect.stringMatching(/^hits_total\{route="a\\"\} 9[^"\n]*b\\\\"\} 1$/u),
		'',
	]);
});

test('more names than anyone reads count together', () => {
	const series = createSeries('hits_total', {kind: 'counter', help: 'Hits.', labels: ['route']});
	Array.from({length: 1000}, (_, count) => series.add([`route-${count}`]));
	expect(series.text().split('\n').length).toBeLessThan(310);
	expect(series.text()).toContain('hits_total{route="other"} 700\n');
});

/** The counters after these events. */
function counted(...events: readonly GatewayEventBody[]): string {
	const counters = createEventCounters();
	events.forEach((event, seq) => counters.note({seq, time: 0, profile: 'default', ...event}));
	return counters.text();
}

const request = {type: 'webhook.settled', eventId: 'e', event: 'push', deliveryId: 'd', ms: 1} as const;

test('a request for a route that does not exist gives it no name', () => {
	const text = counted({...request, route: 'made-up', status: 404, outcome: 'rejected'});
	expect(text).toContain('sluice_webhook_requests_total{profile="default",route="",outcome="rejected"} 1\n');
});

test('calls that a rule decided about are counted by its action and source, whatever its id is', () => {
	const call = {type: 'tool.finished', server: 'files', tool: 'read', origin: {kind: 'command-line'}, ms: 1} as const;
	const rule = {id: 'r1', action: 'allow', source: 'config'} as const;
	const text = counted(
		{...call, callId: '1', outcome: 'ok', rule},
		{...call, callId: '2', outcome: 'ok', rule: {...rule, id: 'r2'}},
		{...call, callId: '3', outcome: 'denied', rule: {...rule, action: 'deny'}},
		{...call, callId: '4', outcome: 'ok'},
	);
	expect(text.split('\n').filter(line => line.startsWith('sluice_ruled_calls_total'))).toEqual([
		'sluice_ruled_calls_total{profile="default",action="allow",source="config"} 2',
		'sluice_ruled_calls_total{profile="default",action="deny",source="config"} 1',
	]);
});

test('a run whose state is published twice is counted once', () => {
	const run = {type: 'run.state', runId: 'r'} as const;
	const text = counted({...run, state: 'running'}, {...run, state: 'running', model: 'm'}, {...run, state: 'finished'});
	expect(text).toContain('sluice_run_states_total{profile="default",state="running"} 1\n');
	expect(text).toContain('sluice_run_states_total{profile="default",state="finished"} 1\n');
});

test('an approval is counted by the gateway that asked, and by no other that shows it', () => {
	const settled = {type: 'approval.settled', id: 'a', server: 'files', tool: 'write', node: 'web-1'} as const;
	const text = counted({...settled, outcome: 'approved'}, {...settled, outcome: 'denied', askedAt: 'another-node'});
	expect(text.split('\n').filter(line => line.startsWith('sluice_approvals_total'))).toEqual([
		'sluice_approvals_total{profile="default",outcome="approved"} 1',
	]);
});

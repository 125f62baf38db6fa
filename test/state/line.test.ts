import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {areaOf, eventLine, eventText} from '../../source/state/line.ts';
import {dateAndTime, preciseTimeOfDay} from '../../source/state/time-text.ts';
import {
	failing,
	approval,
	call,
	finished,
	log,
	run,
	sampleTime,
	server,
	settled,
	stamp,
	started,
	webhook,
} from '../tui/sample-events.ts';

const rows: ReadonlyArray<readonly [GatewayEventBody, string, string]> = [
	[started(), 'gateway', 'started, version 0.1.0, process 7'],
	[
		started({webhookUrl: 'http://127.0.0.1:8644', demo: true}),
		'gateway',
		'started, version 0.1.0, process 7, webhooks at http://127.0.0.1:8644, demo',
	],
	[
		{type: 'gateway.draining', reason: 'SIGTERM', until: sampleTime},
		'gateway',
		`draining until ${dateAndTime(sampleTime)}: SIGTERM`,
	],
	[{type: 'gateway.stopped', reason: 'asked'}, 'gateway', 'stopped: asked'],
	[{type: 'config.state', state: 'read'}, 'config', 'config.yaml read'],
	[{type: 'config.state', state: 'absent'}, 'config', 'there is no config.yaml'],
	[
		{type: 'config.state', state: 'unusable', reason: 'config.yaml:2:1: bad'},
		'config',
		'unusable: config.yaml:2:1: bad · the configuration stays as it was',
	],
	[
		{type: 'config.state', state: 'unusable', reason: 'bad', inForce: 'former-rules'},
		'config',
		'unusable: bad · the rules stay as they were',
	],
	[
		{type: 'config.state', state: 'unusable', reason: 'bad', inForce: 'no-tool-calls'},
		'config',
		'unusable: bad · no tool is called until it is fixed',
	],
	[{type: 'fault.state', part: 'journal', reason: 'restore it'}, 'journal', 'restore it'],
	[{type: 'fault.state', part: 'routes'}, 'routes', 'works again'],
	[server('a'), 'server', 'a connected, 3 tools'],
	[
		server('a', {state: 'failed', reason: 'gone', nextActions: [{kind: 'reconnect', server: 'a'}]}),
		'server',
		'a failed: gone (`sluice mcp reconnect a`)',
	],
	[{type: 'server.removed', server: 'a'}, 'server', 'a removed'],
	[
		{type: 'webhook.state', state: 'listening', url: 'http://x', routes: 2},
		'webhooks',
		'listening at http://x, 2 routes',
	],
	[
		webhook('r', {outcome: 'ignored', reason: 'filter'}),
		'webhooks',
		'202 r claimed event "push" ignored: filter, claimed delivery "d1", 4 ms',
	],
	[
		webhook('r', {status: 401, outcome: 'rejected', reason: 'Invalid signature', deliveryId: '', ms: 1}),
		'webhooks',
		'401 r claimed event "push" rejected: Invalid signature, 1 ms',
	],
	[server('a', {tools: 1}), 'server', 'a connected, 1 tool'],
	[
		failing('r', {failures: 12, reason: 'status 403'}),
		'delivery',
		'route r to telegram failing, 12 not delivered since the last success: status 403',
	],
	[
		{type: 'delivery.cleared', id: 'f1', route: '', job: 'triage', target: 'slack', by: 'delivery'},
		'delivery',
		'job triage to slack delivered again',
	],
	[
		{type: 'delivery.cleared', id: 'f1', route: '', job: 'triage', target: 'slack', by: 'another-node'},
		'delivery',
		'job triage to slack delivered again or dismissed at another gateway',
	],
	[call('c', {node: 'web-2'}), 'tools', 'github/search started, from robot (web-2)'],
	[
		finished('c', {node: 'web-2'}),
		'tools',
		'github/create_issue ok, 38 ms, from endpoint · claimed client "editor" (web-2)',
	],
	[{type: 'webhook.state', state: 'off', routes: 1}, 'webhooks', 'off, 1 route'],
	[approval('1'), 'approvals', '1 asks for github/create_issue, from robot'],
	[settled('1'), 'approvals', '1 approved github/create_issue (once) by console:1'],
	[
		{
			type: 'tool.finished',
			callId: 'c',
			server: 's',
			tool: 't',
			origin: {kind: 'command-line'},
			ms: 1.6,
			outcome: 'failed',
			code: 'call_timeout',
		},
		'tools',
		's/t failed call_timeout, 2 ms, from command line',
	],
	[
		finished('c', {outcome: 'denied', code: 'denied', ms: 11_869}),
		'tools',
		'github/create_issue denied, 11.9 s, from endpoint · claimed client "editor"',
	],
	[
		server('a', {
			state: 'needs-login',
			reason: 'A login is required; run `sluice mcp login a`',
			nextActions: [{kind: 'login', server: 'a'}],
		}),
		'server',
		'a needs-login: A login is required; run `sluice mcp login a`',
	],
	[{type: 'delivery.started', delivery: 'd1', target: 'telegram'}, 'delivery', 'telegram sending, delivery d1'],
	[run('9', {state: 'inbox', reason: 'no model'}), 'runs', '9 inbox route push: no model'],
	[
		{type: 'delivery.settled', delivery: 'd', target: 'telegram', outcome: 'failed', code: 'delivery_failed'},
		'delivery',
		'telegram failed delivery_failed, delivery d',
	],
	[log('hello'), 'mcp', 'hello'],
	[log('careful', {level: 'warning', area: 'config'}), 'config', 'warning: careful'],
];

test.each(rows)('%o reads as its area and words', (body, area, words) => {
	const [event] = stamp([body]);
	expect([areaOf(event!), eventText(event!)]).toEqual([area, words]);
});

test('a line begins with the time of day, then the area', () => {
	const [event] = stamp([log('hello')]);
	expect(eventLine(event!)).toBe(`${preciseTimeOfDay(sampleTime)}  mcp        hello`);
});

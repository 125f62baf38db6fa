import {describe, expect, test} from 'vitest';
import {type CommandContext} from '../../../source/commands/cli/command.ts';
import {type RouteRegistry} from '../../../source/commands/webhook/route-registry.ts';
import {runDryTest} from '../../../source/commands/webhook/webhook-test-dry.ts';
import {runWebhookTest as runTest} from '../../../source/commands/webhook/webhook-test.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openAdapter} from '../../webhooks/open-adapter.ts';
import {webhookConfig} from '../../webhooks/webhook-config.ts';
import {ownEvents} from '../command-fixture.ts';
import {openState} from '../webhook-fixture.ts';

const stored = {
	id: 'e1',
	time: 1,
	route: 'alerts',
	event: 'push',
	delivery_id: 'd',
	status: 202,
	outcome: 'accepted',
	reason: null,
	ms: 1,
	run: null,
	profile: 'default',
	// Beside the id that was signed stand ids that anybody could have added.
	headers: {'x-github-event': 'push', 'webhook-id': 'd', 'x-github-delivery': 'added'},
	body: '{"a":"stored"}',
	signature: null,
	filter: null,
	script_output: null,
	prompt: null,
	deliver: null,
	trace: {lines: [], shares: []},
	files: [],
	runs: [],
	deliveries: [],
};

const runWebhookTest = (context: CommandContext, openRoutes: () => Promise<RouteRegistry>) => {
	const show = async ({id}: {readonly id: string}) => {
		const bodies: Record<string, string | null> = {e1: stored.body, packed: stored.body, refused: null};
		const headers = {...stored.headers, ...(id === 'packed' && {'content-encoding': 'gzip'})};
		return id in bodies ? {...stored, headers, body: bodies[id] ?? null} : null;
	};
	const list = async () => [stored];

	return runTest(context, openRoutes, (registry, name) =>
		runDryTest(context, name, {registry, openOwn: ownEvents({'events.show': show, 'events.list': list})}),
	);
};

describe('webhook test --dry-run', () => {
	const alerts = {
		secret: 's',
		prompt: 'Look at {a}',
		deliver_extra: {chat_id: '{a}'},
		events: ['push', 'test'],
		filters: [{field: 'a', not_equals: 'bad'}],
	};
	const dry = (flags: object, entry: object = alerts) => {
		const {run} = openState({}, {alerts: entry});
		return run(runWebhookTest, ['alerts'], {dryRun: true, json: true, ...flags});
	};

	test('shows verdict, filters, prompt and delivery of a stored event, without a gateway', async () => {
		const {code, stdout} = await dry({event: 'e1'});
		expect([code, JSON.parse(stdout)]).toEqual([
			0,
			{
				route: 'alerts',
				event: 'push',
				status: 202,
				outcome: 'accepted',
				reason: null,
				filters: 'passed',
				filter: null,
				script_output: null,
				warnings: [],
				action: {
					kind: 'agent',
					prompt: 'Look at stored',
					deliver: 'log',
					deliver_extra: {chat_id: 'stored'},
					targets: [{target: 'log', extra: {chat_id: 'stored'}}],
				},
			},
		]);
	});

	test('shows the delivery id with which a stored event came', async () => {
		const {stdout} = await dry({event: 'e1'}, {...alerts, prompt: 'Delivery {delivery_id}'});
		expect(JSON.parse(stdout).action.prompt).toBe('Delivery d');
	});

	test.each([
		[
			'a filter',
			'{"event_type":"push","a":"bad"}',
			alerts,
			{reason: 'filter', filters: 'refused', filter: 'filters.0: a not_equals'},
		],
		['the events', '{"event_type":"pull"}', alerts, {reason: 'event', filters: 'not reached'}],
		['a pause', '{}', {...alerts, enabled: false}, {status: 503, filters: 'not reached'}],
	])('shows that %s keeps the route from acting', async (...row) => {
		const [, payload, entry, verdict] = row;
		const {code, stdout} = await dry({payload}, entry);
		expect([code, JSON.parse(stdout)]).toEqual([1, expect.objectContaining(verdict)]);
		expect(stdout).not.toContain('action');
	});

	test('names variables that no stored event of the route has', async () => {
		const {stdout} = await dry(
			{event: 'e1'},
			{...alerts, prompt: '{a} {b.c} {event_type}', deliver_extra: {chat_id: '{d}'}},
		);
		expect(JSON.parse(stdout)).toMatchObject({warnings: ['no stored event of this route contains {b.c}, {d}']});
	});

	test('reads an event that was sent compressed: its body is stored decoded', async () => {
		const {code, stdout} = await dry({event: 'packed'});
		expect([code, JSON.parse(stdout).action.prompt]).toEqual([0, 'Look at stored']);
	});

	test('sends nothing to a running gateway', async () => {
		const {url, ofType} = await openAdapter({config: webhookConfig({routes: [{name: 'alerts'}]})});
		const {path} = await startControl({
			status: () => ({version: '1', pid: 1, profile: 'default', webhook_url: url}),
			'events.list': () => [],
		});
		const {run} = openState({}, {alerts}, path);
		expect((await run(runWebhookTest, ['alerts'], {dryRun: true})).stdout).toContain('Look at {a}');
		expect(ofType('webhook.settled')).toEqual([]);
	});

	test.each([
		[{event: 'e9'}, 1, 'No event has the id e9'],
		[{event: 'refused'}, 1, 'not stored'],
		[{event: 'e1', payload: '{}'}, 2, '--event needs --dry-run'],
		[{event: 'e1', dryRun: false}, 2, '--event needs --dry-run'],
	])('%j ends with %i', async (flags, code, reason) => {
		expect(await dry(flags)).toMatchObject({code, stderr: expect.stringContaining(reason)});
	});
});

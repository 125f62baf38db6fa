import {describe, expect, test} from 'vitest';
import {approvalToJson} from '../../source/control/decision-wire.ts';
import {callToJson, eventDetailToJson, eventToJson, serverToJson, toolToJson} from '../../source/control/to-wire.ts';
import {
	approvalJson,
	callJson,
	eventDetailJson,
	eventRowJson,
	serverJson,
	toolJson,
} from '../../source/control/wire.ts';
import {type EventRecord} from '../../source/journal/rows/records.ts';
import {type ApprovalRequest} from '../../source/state/approval-event.ts';
import {sampleRun} from '../helpers/journal-records.ts';

const server = {
	server: 'garden',
	profile: 'default',
	state: 'failed',
	reason: 'not found',
	nextActions: [{kind: 'reconnect', server: 'garden'}],
	tools: 0,
	transport: 'stdio',
	trust: 'untrusted',
	address: 'garden',
} as const;

const tool = {
	name: 'mcp__garden__list_tasks',
	server: 'garden',
	tool: 'list_tasks',
	readOnly: true,
	definition: {name: 'list_tasks', inputSchema: {type: 'object'}},
} as const;

const card: ApprovalRequest = {
	id: 'abc',
	kind: 'tool-call',
	server: 'garden',
	tool: 'add_task',
	registeredName: 'mcp__garden__add_task',
	trust: 'untrusted',
	transport: 'stdio',
	address: 'garden',
	hints: {},
	description: '',
	arguments: {title: 'Sow'},
	sentBytes: 15,
	cutBytes: 0,
	maskedValues: 0,
	markedCharacters: 0,
	argumentsHash: 'hash',
	origin: {kind: 'run', runId: 'r1', route: 'issues', deliveryId: 'd1'},
	requestedAt: 1,
	expiresAt: 2,
};

const event: EventRecord = {
	id: 'e1',
	time: 5,
	profile: 'default',
	route: 'issues',
	event: 'opened',
	deliveryId: 'd1',
	headers: {'x-github-event': 'issues'},
	body: new TextEncoder().encode('{"ü":1}'),
	status: 202,
	outcome: 'accepted',
	ms: 3,
};

/** The keys that docs/json.md, Log lines, names, in its order. */
describe('the JSON of', () => {
	test.each([
		{
			what: 'mcp list',
			row: serverToJson(server),
			schema: serverJson,
			keys: 'name profile transport state reason next_action tools tokens tokens_by_client tokenizer trust era protocol_version latency_ms stderr log file_variables',
		},
		{
			what: 'mcp tools',
			row: toolToJson(tool, {approval: 'none', tokens: 3, clients: ['default']}),
			schema: toolJson,
			keys: 'name server tool title description input_schema read_only approval tokens tokenizer clients',
		},
		{
			what: 'approvals list',
			row: approvalToJson(card),
			schema: approvalJson,
			keys: 'id kind server tool arguments arguments_hash origin requested_at expires_at sent_bytes cut_bytes masked_values marked_characters',
		},
		{
			what: 'events list',
			row: eventToJson({...event, run: {id: 'r1', state: 'finished'}, deliveries: [{target: 'log', state: 'sent'}]}),
			schema: eventRowJson,
			keys: 'id time route event delivery_id status outcome reason ms run deliveries',
		},
		{
			what: 'events show',
			row: eventDetailToJson(event, {
				body: '{}',
				files: [{number: 1, name: '../x', contentType: 'image/png', bytes: 3}],
				runs: [{...sampleRun(), state: 'inbox', changedAt: 1, calls: [], decisions: []}],
				messages: [],
				trace: {lines: [], shares: []},
			}),
			schema: eventDetailJson,
			keys: 'id time route event delivery_id status outcome reason ms run deliveries profile headers body signature filter script_output prompt deliver trace files runs',
		},
	])('$what has exactly its keys, on both sides of the socket', ({row, schema, keys}) => {
		expect([Object.keys(row).join(' '), schema.parse(row)]).toEqual([keys, row]);
	});

	test('an absent value is null', () => {
		expect(serverToJson({...server, reason: undefined})).toMatchObject({
			reason: null,
			era: null,
			protocol_version: null,
			latency_ms: null,
		});
	});

	test.each([
		[undefined, '`sluice --profile work mcp reconnect garden`'],
		['test', '`sluice --profile work mcp test garden`'],
	] as const)('what to do next is a command of the profile: %s', (retry, command) => {
		expect(serverToJson({...server, profile: 'work'}, {...(retry && {retry})}).next_action).toBe(command);
	});

	test('an origin is in snake case', () => {
		expect(approvalToJson(card).origin).toEqual({kind: 'run', run_id: 'r1', route: 'issues', delivery_id: 'd1'});
	});

	test('an origin names the job that ran and how the sender was verified', () => {
		const named = {job: 'nightly', signature: 'X-Hub-Signature-256'};
		expect(approvalToJson({...card, origin: {...card.origin, ...named}}).origin).toMatchObject(named);
	});

	test('a refused event has no body', () => {
		expect(
			eventDetailToJson(event, {body: undefined, files: [], runs: [], messages: [], trace: {lines: [], shares: []}})
				.body,
		).toBeNull();
	});

	test.each([
		{end: {kind: 'result', result: 'text'} as const, json: {result: 'text'}},
		{
			end: {kind: 'result', result: '', structuredContent: {n: 1}} as const,
			json: {result: '', structuredContent: {n: 1}},
		},
		{
			end: {kind: 'error', error: {code: 'tool_error', message: 'no', server: 'garden'}} as const,
			json: {error: {code: 'tool_error', message: 'no', server: 'garden'}},
		},
		{
			end: {
				kind: 'error',
				error: {code: 'outcome_uncertain', message: 'lost', outcomeUncertain: true, needsReauth: true},
			} as const,
			json: {error: {code: 'outcome_uncertain', message: 'lost', outcome_uncertain: true, needs_reauth: true}},
		},
	])('a call that ends with $end is $json', ({end, json}) => {
		expect(callJson.parse(callToJson(end))).toEqual(json);
	});
});

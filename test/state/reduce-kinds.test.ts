import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {eventJson} from '../../source/state/event-json.ts';
import {eventLine} from '../../source/state/line.ts';
import {reduceAll} from '../../source/state/reduce.ts';
import {emptySnapshot, type Snapshot} from '../../source/state/snapshot.ts';
import {failing, run, sampleTime, snapshotOf, stamp} from '../tui/sample-events.ts';

const origin = {kind: 'dashboard', by: 'console:1'} as const;
const call = {callId: 'c1', server: 'files', tool: 'write', registeredName: 'mcp__files__write', origin};

const question: GatewayEventBody = {
	type: 'question.asked',
	id: 'q1',
	kind: 'elicitation',
	asker: 'files',
	message: 'Which one?',
	fields: [{kind: 'text', name: 'name', title: 'Name', description: '', need: 'required', minimumLength: 1}],
	origin,
	requestedAt: sampleTime,
	expiresAt: sampleTime + 1000,
};
const login: GatewayEventBody = {type: 'login.state', server: 'files', state: 'awaiting-device', flow: 'device'};
const proposal: GatewayEventBody = {
	type: 'proposal.asked',
	id: 'p1',
	name: 'files',
	nameState: 'free',
	entryLines: [],
	commandLines: [],
	warnings: [],
	requestedAt: sampleTime,
};
const started: GatewayEventBody = {type: 'tool.started', ...call};
const uncertain: GatewayEventBody = {
	type: 'call.uncertain',
	...call,
	arguments: {pathName: '/x'},
	at: sampleTime,
	reason: 'lost',
};
const job: GatewayEventBody = {
	type: 'cron.job',
	kind: 'cron',
	id: 'j1',
	name: 'daily',
	schedule: '0 9 * * *',
	state: 'scheduled',
	deliver: 'log',
};
const route: GatewayEventBody = {
	type: 'route.state',
	route: 'push',
	servedBy: 'default',
	source: 'config',
	state: 'served',
	url: 'http://127.0.0.1:8644/webhooks/push',
	deliver: 'log',
	events: [],
};
describe('what waits stays until it is over', () => {
	test.each<{what: string; begin: GatewayEventBody; end: GatewayEventBody; count: (snapshot: Snapshot) => number}>([
		{
			what: 'a question',
			begin: question,
			end: {type: 'question.settled', id: 'q1', kind: 'elicitation', asker: 'files', outcome: 'declined'},
			count: ({questions}) => questions.length,
		},
		{
			what: 'a proposal',
			begin: proposal,
			end: {type: 'proposal.settled', id: 'p1', outcome: 'cancelled'},
			count: ({proposals}) => proposals.length,
		},
		{
			what: 'a call under way',
			begin: started,
			end: {type: 'tool.finished', callId: 'c1', server: 'files', tool: 'write', origin, ms: 1, outcome: 'ok'},
			count: ({calls}) => calls.length,
		},
		{
			what: 'an uncertain call',
			begin: uncertain,
			end: {type: 'call.resolved', callId: 'c1', resolution: 'done'},
			count: snapshot => snapshot.uncertain.length,
		},
		{what: 'a job', begin: job, end: {type: 'cron.removed', id: 'j1'}, count: ({jobs}) => jobs.length},
		{
			what: 'a failed delivery',
			begin: failing('push'),
			end: {type: 'delivery.cleared', id: 'failing-push', route: 'push', target: 'telegram', by: 'person'},
			count: ({failedDeliveries}) => failedDeliveries.length,
		},
		{what: 'a route', begin: route, end: {type: 'route.removed', route: 'push'}, count: ({routes}) => routes.length},
	])('$what', ({begin, end, count}) => {
		expect([count(snapshotOf([begin])), count(snapshotOf([begin, begin])), count(snapshotOf([begin, end]))]).toEqual([
			1, 1, 0,
		]);
	});

	test('the end of one call leaves the others', () => {
		const other = {...started, callId: 'c2'};
		const end: GatewayEventBody = {...call, type: 'tool.finished', ms: 1, outcome: 'ok'};
		expect(snapshotOf([started, other, end]).calls.map(({callId}) => callId)).toEqual(['c2']);
	});
});

describe('rows that change', () => {
	test('progress belongs to its call', () => {
		const rows = snapshotOf([
			started,
			{...started, callId: 'c2'},
			{type: 'tool.progress', callId: 'c2', progress: 3, total: 9, message: 'reading'},
		]).calls;
		expect(rows.map(({progress, total, message}) => [progress, total, message])).toEqual([
			[undefined, undefined, undefined],
			[3, 9, 'reading'],
		]);
	});

	test('a new login of a server takes the place of the former one', () => {
		const rows = snapshotOf([login, {...login, state: 'failed', reason: 'denied'}]).logins;
		expect(rows).toMatchObject([{state: 'failed', reason: 'denied'}]);
	});

	test('a login of the same server in another profile is another login', () => {
		const [first, second] = stamp([login, login]);
		expect(reduceAll(emptySnapshot, [first!, {...second!, profile: 'work'}]).logins).toHaveLength(2);
	});
});

describe('runs', () => {
	test('text is added up, and its end is kept when it grows long', () => {
		const rows = snapshotOf([
			run('1'),
			{type: 'run.text', runId: '1', text: 'a'.repeat(19_999)},
			{type: 'run.text', runId: '1', text: 'bcd'},
		]).runs;
		expect([rows[0]?.text.length, rows[0]?.text.slice(-4)]).toEqual([20_000, 'abcd']);
	});

	test('a step is shown as it stands now', () => {
		const step = {id: 's1', tool: 'mcp__files__write', arguments: '{}', state: 'waiting'} as const;
		const rows = snapshotOf([
			run('1'),
			{type: 'run.step', runId: '1', step},
			{type: 'run.step', runId: '1', step: {...step, state: 'done', outcome: 'denied'}},
		]).runs;
		expect(rows[0]?.steps).toEqual([{...step, state: 'done', outcome: 'denied'}]);
	});

	test('text of a run nobody knows is dropped', () => {
		expect(snapshotOf([{type: 'run.text', runId: 'x', text: 'a'}]).runs).toEqual([]);
	});

	test('the delivery of an answer is under way from its start to its end, whatever the state of its run', () => {
		const at = {runId: '1', delivery: 'd', target: 'telegram'} as const;
		const begun = [run('1'), {type: 'delivery.started', ...at}] as const;
		const delivering = {target: 'telegram', since: expect.any(Number)};
		const settled = {type: 'delivery.settled', ...at, outcome: 'delivered'} as const;
		const rowAfter = (...events: readonly GatewayEventBody[]) => snapshotOf([...begun, ...events]).runs[0];
		expect(rowAfter()).toMatchObject({delivering});
		expect(rowAfter(run('1', {state: 'inbox'}))).toMatchObject({state: 'inbox', delivering});
		expect(rowAfter(settled)?.delivering).toBeUndefined();
		const second = {...at, type: 'delivery.started', target: 'slack'} as const;
		expect(rowAfter(second)).toMatchObject({delivering: {...delivering, target: 'telegram,slack'}});
		expect(rowAfter(second, settled)).toMatchObject({delivering: {...delivering, target: 'slack'}});
		expect(snapshotOf([...begun, settled]).events).toMatchObject([{type: 'delivery.settled'}]);
		expect(snapshotOf([{type: 'delivery.started', ...at}]).runs).toEqual([]);
	});

	test('what a run waits for ends with its next state', () => {
		const rows = snapshotOf([run('1', {state: 'running', waitingFor: 'approval'}), run('1', {state: 'running'})]).runs;
		expect(rows[0]?.waitingFor).toBe('nothing');
	});
});

describe('answers to a window', () => {
	const page: GatewayEventBody = {
		type: 'view.page',
		subject: {kind: 'event', eventId: 'e1'},
		title: 'Event e1',
		sections: [{title: 'Body', text: '{}'}],
	};

	test('the newest page replaces the one before', () => {
		expect(snapshotOf([page, {...page, title: 'Event e2'}]).page?.title).toBe('Event e2');
	});
});

describe('as lines', () => {
	test.each([
		[question, 'q1 files asks: Which one?'],
		[login, 'files device login awaiting-device'],
		[proposal, 'p1 wants to install files'],
		[started, 'files/write started, from dashboard console:1'],
		[uncertain, 'c1 files/write may have taken effect: lost'],
		[job, 'daily scheduled'],
		[route, 'push served'],
	] as const)('%o says what happened', (body, words) => {
		const [event] = stamp([body]);
		expect(eventLine(event!)).toContain(words);
	});

	test('our own names are in snake case at any depth, those of servers are not', () => {
		const [asked, lost] = stamp([question, uncertain]).map(event => JSON.parse(eventJson(event)) as unknown);
		expect([asked, lost]).toMatchObject([{fields: [{minimum_length: 1}]}, {arguments: {pathName: '/x'}}]);
	});
});

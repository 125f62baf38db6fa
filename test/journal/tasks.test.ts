import {describe, expect, test, vi} from 'vitest';
import {type NewTask, type TaskName} from '../../source/journal/rows/task-rows.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines, newPostgresPlace} from '../helpers/journal-engines.ts';
import {openNode} from '../helpers/journal-nodes.ts';
import {sampleCall} from '../helpers/journal-records.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';

const hour = 3_600_000;
const name: TaskName = {id: 'a'.repeat(32), profile: 'default', client: {kind: 'token', name: 'laptop'}};
const {id} = name;
const call = {name: 'mcp__files__write', server: 'files', arguments: {path: 'a'}, program: 'codex', subject: 'hash'};
const task: NewTask = {...name, call, left: {milliseconds: hour, time: 'running'}};
const own = {profile: 'default', known: []};

describe.each(journalEngines)('on $engine', ({open, newPlace, leftOf}) => {
	test('a task is there for its client alone, with its result, until its time is over', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		const createdAt = await journal.createTask(task);
		expect(await journal.findTask(name)).toMatchObject({...name, call, state: 'waiting', createdAt});
		for (const other of [
			{profile: 'work'},
			{client: {kind: 'token', name: 'other'}},
			{client: {kind: 'claim', name: 'laptop'}},
		] as const) {
			expect(await journal.findTask({...name, ...other})).toBe(undefined);
			expect(await journal.cancelTask({...name, ...other})).toBe(false);
		}

		const outcome = {content: [{type: 'text', text: 'done'}]};
		journal.endTask(id, {state: 'completed', outcome});
		// The first end stays.
		journal.endTask(id, {state: 'cancelled'});
		expect(await journal.findTask(name)).toMatchObject({state: 'completed', outcome});
		expect(await journal.takeTasks(own)).toEqual([]);
	});

	test('the call of a task begins once, and not after the client has ended the task', async () => {
		const journal = await open({clock: createFakeClock()});
		await journal.createTask(task);
		expect(await journal.beginTask(id, 'one')).toBe(true);
		expect(await journal.beginTask(id, 'one')).toBe(true);
		expect(await journal.beginTask(id, 'other')).toBe(false);
		journal.releaseTask(id);
		expect(await journal.beginTask(id, 'other')).toBe(true);
		expect(await journal.cancelTask(name)).toBe(true);
		// Its gateway ends it.
		expect(await journal.findTask(name)).toMatchObject({state: 'begun'});
		expect(await journal.listCancelledTasks('default')).toMatchObject([{id, state: 'begun'}]);

		const second = {...task, id: 'b'.repeat(32)};
		await journal.createTask(second);
		expect(await journal.cancelTask({...name, id: second.id})).toBe(true);
		expect(await journal.beginTask(second.id, 'one')).toBe(false);
		expect(await journal.findTask({...name, id: second.id})).toMatchObject({state: 'cancelled'});
	});

	test('a task that was never handed out is removed, and one that is known is not taken twice', async () => {
		const journal = await open({clock: createFakeClock()});
		await journal.createTask(task);
		expect(await journal.takeTasks({...own, known: [id]})).toEqual([]);
		expect(await journal.takeTasks(own)).toMatchObject([{id}]);
		journal.removeTask(id);
		expect(await journal.findTask(name)).toBe(undefined);
	});

	test('after a kill the next gateway takes it, with its approval, and knows whether its call may have been sent', async () => {
		const place = await newPlace();
		const one = await openNode(place, 'web-1', 100);
		const approval = {id: 'approval', requestedAt: 5};
		await one.journal.createTask({...task, approval});
		const sent = {...task, id: 'c'.repeat(32)};
		const unsent = {...task, id: 'd'.repeat(32)};
		await one.journal.createTask(sent);
		await one.journal.createTask(unsent);
		one.journal.changeTask(id, {subject: 'other', approval: {...approval, by: 'cli'}});
		await one.journal.beginTask(sent.id, 'sent');
		await one.journal.startCall(sampleCall({id: 'sent'}));
		await one.journal.beginTask(unsent.id, 'unsent');
		const two = await openNode(leftOf(place), 'web-2');
		const taken = await vi.waitFor(async () => {
			await two.journal.expireNodes();
			const tasks = await two.journal.takeTasks(own);
			expect(tasks).toHaveLength(3);
			return tasks;
		});
		expect(taken).toEqual(
			expect.arrayContaining([
				expect.objectContaining({
					id,
					state: 'waiting',
					call: {...call, subject: 'other'},
					approval: {...approval, by: 'cli'},
				}),
				expect.objectContaining({id: sent.id, state: 'begun', callId: 'sent', isCallKnown: true}),
				expect.objectContaining({id: unsent.id, state: 'begun', callId: 'unsent', isCallKnown: false}),
			]),
		);
		expect(taken[0]?.left.milliseconds).toBeGreaterThan(hour - 60_000);
	});

	test('a task whose time stands still is over only so long after it runs again', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		await journal.createTask({...task, left: {milliseconds: 1, time: 'suspended'}});
		await journal.createTask({...task, id: 'running', left: {milliseconds: 1, time: 'running'}});
		await new Promise(resolve => setTimeout(resolve, 5));
		await clock.advance(10);
		const suspended = {expiresAt: null, left: {milliseconds: 1, time: 'suspended'}};
		expect([await journal.findTask(name), await journal.findTask({...name, id: 'running'})]).toMatchObject([
			suspended,
			undefined,
		]);
		expect(await journal.takeTasks(own)).toMatchObject([{id, ...suspended}]);
		await journal.setTaskTime(id, {milliseconds: hour, time: 'running'});
		const running = await journal.findTask(name);
		expect([running?.left.time, (running?.left.milliseconds ?? 0) > hour - 60_000]).toEqual(['running', true]);
		await journal.setTaskTime(id, {milliseconds: 70, time: 'suspended'});
		journal.endTask(id, {state: 'completed', outcome: {}});
		// A result is kept as long as the time that was left, and no hold prolongs that.
		expect(await journal.findTask(name)).toMatchObject({state: 'completed', left: {time: 'running'}});
		await journal.setTaskTime(id, {milliseconds: 70, time: 'suspended'});
		expect(await journal.findTask(name)).toMatchObject({left: {time: 'running'}});
	});

	test('rows whose time is over are found by nobody, and removed', async () => {
		const clock = createFakeClock();
		const journal = await open({clock});
		await journal.createTask({...task, left: {milliseconds: 1, time: 'running'}});
		await journal.createTask({...task, id: 'kept'});
		await new Promise(resolve => setTimeout(resolve, 5));
		await clock.advance(10);
		expect(await journal.findTask(name)).toBe(undefined);
		expect(await journal.beginTask(id, 'call')).toBe(false);
		expect(await journal.takeTasks(own)).toMatchObject([{id: 'kept'}]);
		expect(await journal.cancelTask(name)).toBe(false);
	});
});

describe.skipIf(!hasPostgres)('several gateways', () => {
	const request = {
		id: 'approval',
		kind: 'tool-call',
		server: 'files',
		tool: 'write',
		registeredName: 'mcp__files__write',
		trust: 'untrusted',
		transport: 'stdio',
		address: '',
		hints: {},
		description: '',
		arguments: {},
		argumentsHash: 'h',
		sentBytes: 2,
		cutBytes: 0,
		maskedValues: 0,
		markedCharacters: 0,
		origin: {kind: 'endpoint', client: 'codex', name: 'laptop', task: id},
		requestedAt: 0,
		expiresAt: hour,
	} as const;
	const written = (requestId: string) =>
		({
			kind: 'approval',
			request: {...request, id: requestId},
			node: 'web-1',
			profile: 'default',
			argumentsHash: 'h',
		}) as const;
	const allowed = (requestId: string) =>
		({id: requestId, argumentsHash: 'h', end: {kind: 'approved', scope: 'once', by: 'cli'}}) as const;

	test('a task of a gateway that has left is taken by one other, and its request still waits, for that one', async () => {
		const place = await newPostgresPlace();
		const one = await openNode(place, 'web-1');
		const two = await openNode(place, 'web-2');
		await one.journal.askRequest(written('approval'));
		await one.journal.askRequest(written('lost'));
		await one.journal.createTask({...task, approval: {id: 'approval', requestedAt: 0}});
		expect(await two.journal.takeTasks(own)).toEqual([]);
		await one.journal.close();
		await two.journal.cancelAbandonedRequests();
		const known = {known: ['approval', 'lost'], profile: 'default', node: 'web-2'};
		expect(await two.journal.listRequests(known)).toMatchObject([
			{id: 'approval'},
			{id: 'lost', end: {kind: 'cancelled'}},
		]);
		expect(await two.journal.takeTasks(own)).toMatchObject([{id}]);
		expect(await two.journal.answerRequest(allowed('approval'))).toEqual({kind: 'resolved'});
		const claim = {callId: 'call', documents: [], request: {id: 'approval', argumentsHash: 'h'}};
		expect(await two.journal.claimCall(claim)).toBe('claimed');
		expect(await two.journal.listRequests(known)).toMatchObject([{node: 'web-2'}, {node: 'web-1'}]);
	});

	test('one that goes on after it was declared dead begins no call of a task', async () => {
		const place = await newPostgresPlace();
		const one = await openNode(place, 'web-1', 100);
		const two = await openNode(place, 'web-2');
		await one.journal.createTask(task);
		await expect.poll(() => two.journal.expireNodes()).toEqual(['web-1']);
		expect(await two.journal.takeTasks(own)).toMatchObject([{id}]);
		expect(await one.journal.beginTask(id, 'one')).toBe(false);
		one.journal.endTask(id, {state: 'cancelled'});
		expect(await two.journal.beginTask(id, 'two')).toBe(true);
	});
});

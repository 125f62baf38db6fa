import {writeFileSync} from 'node:fs';
import {describe, expect, test, vi} from 'vitest';
import {createCron} from '../../source/runs/cron.ts';
import {openCronTimer} from '../../source/runs/cron-timer.ts';
import {changeJob} from '../../source/runs/manage-jobs.ts';
import {sampleEvent, takeRun} from '../helpers/journal-records.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {advance, minute, openJobs, start} from './open-jobs.ts';
import {to} from '../helpers/destinations.ts';

const webhook = {
	kind: 'webhook',
	eventId: 'e1',
	route: 'github',
	event: 'push',
	deliveryId: 'd1',
	signature: 'X-Gitlab-Token',
} as const;

describe('at its time', () => {
	test('a job is queued with its own prompt, delivery and skills', async () => {
		const {clock, cron, add, journal, woken, runIds} = openJobs();
		await add({deliver: 'slack', deliverExtra: {chat_id: 'C1'}, skills: ['writing'], toolsets: ['github']});
		await cron.start();
		openCronTimer(cron, {clock, report: () => undefined});
		await advance(clock, 10);
		expect(await journal.findRun(runIds()[0] ?? '')).toMatchObject({
			job: 'Report',
			prompt: 'Write it',
			deliver: to('slack', {chat_id: 'C1'}),
			skills: ['writing'],
			toolsets: ['github'],
			state: 'queued',
		});
		expect(woken()).toBe(1);
	});

	test('a list in the file, with keys of each target, is delivered so', async () => {
		const {clock, cron, add, store, journal, runIds} = openJobs();
		const job = await add({onFailure: {deliver: 'email', extra: {chat_id: 'a@b.c'}}});
		const deliver = [...to('slack', {chat_id: 'C1'}), ...to('slack', {chat_id: 'C2'})];
		await store.change(job.id, current => ({...current, deliver}));
		await cron.start();
		openCronTimer(cron, {clock, report: () => undefined});
		await advance(clock, 10);
		const onFailure = to('email', {chat_id: 'a@b.c'});
		expect(await journal.findRun(runIds()[0] ?? '')).toMatchObject({deliver, onFailure});
	});

	test('the next time is in the file before the run is queued', async () => {
		const {clock, cron, add, store, jobStatus, journal} = openJobs();
		const job = await add();
		await cron.start();
		await clock.advance(10 * minute);
		let nextAtClaim: number | undefined;
		const watching = createCron({
			store,
			journal: {
				...journal,
				claimJob(...claim) {
					nextAtClaim = store.list()[0]?.nextRunAt;
					return journal.claimJob(...claim);
				},
			},
			clock,
			publish: () => undefined,
			profile: 'default',
			jobStatus,
			wakeRuns: () => undefined,
		});
		await watching.fireDue();
		expect(nextAtClaim).toBe((job.nextRunAt ?? 0) + 10 * minute);
	});

	test('it runs again when the run before has ended, and is dropped while it has not', async () => {
		const {clock, cron, add, end, runIds, ofType} = openJobs();
		await add();
		await cron.start();
		openCronTimer(cron, {clock, report: () => undefined});
		await advance(clock, 20);
		expect([runIds().length, ofType('cron.dropped').length]).toEqual([1, 1]);
		end(runIds()[0] ?? '');
		await advance(clock, 10);
		expect(runIds()).toHaveLength(2);
	});

	test('a job of one date is finished afterwards', async () => {
		const {clock, cron, add, runIds, ofType, end} = openJobs();
		await add({schedule: '2026-11-20T10:05Z'});
		await cron.start();
		openCronTimer(cron, {clock, report: () => undefined});
		await advance(clock, 60);
		end(runIds()[0] ?? '');
		await advance(clock, 600);
		expect(runIds()).toHaveLength(1);
		expect(ofType('cron.job').at(-1)).toMatchObject({
			state: 'finished',
			lastStatus: 'finished',
			nextActions: [{kind: 'run-job'}],
		});
	});
});

describe('after a downtime', () => {
	test('what was missed runs once, and then at its next time', async () => {
		const directory = temporaryDirectory();
		const before = openJobs(directory);
		await before.add();
		await before.journal.close();
		const after = openJobs(directory);
		await after.clock.advance(95 * minute);
		await after.cron.start();
		expect(after.runIds()).toHaveLength(1);
		expect(after.cron.nextAt()).toBe(start + 105 * minute);
	});

	test('a job whose run was lost with the process is free again, and says so', async () => {
		const directory = temporaryDirectory();
		const before = openJobs(directory);
		await before.add();
		await before.cron.fire('Report', {kind: 'command'});
		await takeRun(before.journal);
		await before.journal.interruptBegunRuns();
		await before.journal.close();
		const after = openJobs(directory);
		await after.clock.advance(1);
		await after.cron.start();
		expect(after.ofType('cron.job').at(-1)).toMatchObject({
			state: 'scheduled',
			lastStatus: 'interrupted',
			nextActions: [{kind: 'run-job'}],
		});
		expect(await after.cron.fire('Report', {kind: 'command'})).toMatchObject({kind: 'fired'});
	});

	test('a job whose run still waits in the queue is running', async () => {
		const directory = temporaryDirectory();
		const before = openJobs(directory);
		await before.add();
		await before.cron.fire('Report', {kind: 'command'});
		await before.journal.close();
		const after = openJobs(directory);
		await after.clock.advance(1);
		await after.cron.start();
		expect(await after.cron.fire('Report', {kind: 'command'})).toMatchObject({kind: 'dropped'});
	});
});

describe('a firing', () => {
	test('by a webhook puts a line about route and event before the prompt', async () => {
		const {cron, add, journal, runIds} = openJobs();
		await add();
		await cron.fire('report', webhook);
		const run = await journal.findRun(runIds()[0] ?? '');
		expect(run?.prompt).toBe('[This job was fired by the webhook route github, event push.]\nWrite it');
		expect(run).toMatchObject({route: 'github', event: 'push', deliveryId: 'd1', signature: 'X-Gitlab-Token'});
	});

	test('by a webhook leads to a run that is found by its event', async () => {
		const {cron, add, journal, runIds} = openJobs();
		await add();
		await journal.acceptEvent({event: sampleEvent({id: 'e1'})});
		await cron.fire('Report', webhook);
		expect(await journal.listEventRuns('e1')).toMatchObject([{id: runIds()[0], job: 'Report'}]);
	});

	test.each([{kind: 'clock', slot: start}, {kind: 'command'}, {kind: 'dashboard'}] as const)(
		'by $kind leads to a run of no event',
		async by => {
			const {cron, add, journal, runIds} = openJobs();
			await add();
			await cron.fire('Report', by);
			expect((await journal.findRun(runIds()[0] ?? ''))?.eventId).toBe('');
		},
	);

	test.each([
		['pause', 'the job is paused'],
		['remove', 'No job has the id or name "Report"'],
	] as const)('of a job after %s is logged and dropped', async (change, reason) => {
		const {cron, add, store, clock, ofType, runIds} = openJobs();
		await add();
		await changeJob(store, 'Report', {change, now: clock.now()});
		expect(await cron.fire('Report', webhook)).toEqual({kind: 'dropped', reason});
		expect(runIds()).toEqual([]);
		expect(ofType('cron.dropped')).toMatchObject([
			{job: 'Report', reason, by: 'the route github, claimed event "push"'},
		]);
	});

	test('for an event whose delivery id another gateway has released says so, and leaves the job free', async () => {
		const {cron, add, journal, jobStatus} = openJobs();
		await add();
		vi.spyOn(journal, 'claimJob').mockResolvedValueOnce('released');
		const reason = 'another gateway has released the delivery id of the event';
		expect(await cron.fire('Report', webhook)).toEqual({kind: 'released', reason});
		expect(jobStatus.runIds()).toEqual([]);
		expect(await cron.fire('Report', webhook)).toMatchObject({kind: 'fired'});
	});

	test('of a disabled job is dropped', async () => {
		const {cron, add, store} = openJobs();
		const {id} = await add();
		await store.change(id, job => ({...job, enabled: false}));
		expect(await cron.fire(id, webhook)).toEqual({kind: 'dropped', reason: 'the job is disabled'});
	});

	test('does not move the schedule', async () => {
		const {cron, add} = openJobs();
		const job = await add();
		await cron.fire(job.id, {kind: 'command'});
		expect(cron.nextAt()).toBe(job.nextRunAt);
	});

	test('of a file that cannot be read is dropped with its reason', async () => {
		const {cron, add, path} = openJobs();
		await add();
		writeFileSync(path, '{"jobs": 7}');
		expect(await cron.fire('Report', webhook)).toMatchObject({
			kind: 'dropped',
			reason: expect.stringContaining('jobs.json'),
		});
	});
});

describe('a reference', () => {
	test('is an id before it is a name', async () => {
		const {cron, add, store, runIds, journal} = openJobs();
		const first = await add({name: 'One'});
		const second = await add({name: 'Two'});
		await store.change(second.id, job => ({...job, name: first.id}));
		await cron.fire(first.id, {kind: 'command'});
		expect((await journal.findRun(runIds()[0] ?? ''))?.job).toBe('One');
	});

	test('that means two jobs is refused', async () => {
		const {cron, add, store} = openJobs();
		const {id} = await add({name: 'Two'});
		await add({name: 'Three'});
		await store.change(id, job => ({...job, name: 'THREE'}));
		expect(await cron.fire('three', webhook)).toMatchObject({
			kind: 'dropped',
			reason: expect.stringContaining('Several'),
		});
	});
});

describe('jobs that cannot be made', () => {
	test.each([
		[{schedule: '2020-01-01T00:00Z'}, 'future'],
		[{schedule: '0 0 30 2 *'}, 'future'],
		[{timeZone: 'Nowhere'}, 'time zone'],
		[{prompt: ' '}, 'prompt'],
		[{name: ''}, 'name'],
	])('%o', async (change, words) => {
		const {add} = openJobs();
		await expect(add(change)).rejects.toThrow(words);
	});

	test('a name that is taken, in any case', async () => {
		const {add} = openJobs();
		await add();
		await expect(add({name: 'REPORT'})).rejects.toThrow('already');
	});
});

test('a job that is resumed does not make up for what it missed', async () => {
	const {cron, clock, add, store, runIds} = openJobs();
	await add();
	await changeJob(store, 'Report', {change: 'pause', now: clock.now()});
	await cron.start();
	openCronTimer(cron, {clock, report: () => undefined});
	await clock.advance(95 * minute);
	await changeJob(store, 'Report', {change: 'resume', now: clock.now()});
	await clock.advance(minute);
	expect(runIds()).toEqual([]);
	expect(cron.nextAt()).toBe(start + 105 * minute);
});

test('a job that somebody takes out of the file leaves the list', async () => {
	const {cron, add, store, jobStatus, ofType} = openJobs();
	const {id} = await add();
	await cron.start();
	await store.remove(id);
	jobStatus.show();
	expect(ofType('cron.removed')).toMatchObject([{id}]);
});

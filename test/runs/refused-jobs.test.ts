import {describe, expect, test} from 'vitest';
import {createCron, type Cron} from '../../source/runs/cron.ts';
import {openCronTimer} from '../../source/runs/cron-timer.ts';
import {Problem} from '../../source/util/problem.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {advance, minute, openJobs} from './open-jobs.ts';

describe('when something of a job cannot be written', () => {
	test('a run that could not be stored is not fired, neither by the schedule nor by a request, and the job is free for the next time', async () => {
		const {clock, cron, add, journal, store, jobStatus, ofType, woken} = openJobs();
		await add();
		const {publish} = recordEvents();
		const refused = new Problem('storage_unavailable');
		const failing = createCron({
			store,
			journal: {...journal, claimJob: async () => Promise.reject(refused)},
			clock,
			publish,
			profile: 'default',
			jobStatus,
			wakeRuns: () => undefined,
		});
		expect(await failing.fire('report', {kind: 'command'})).toEqual({kind: 'unavailable', reason: refused.message});
		expect([woken(), ofType('cron.fired')]).toEqual([0, []]);
		await clock.advance(1);
		expect(await cron.fire('report', {kind: 'command'})).toMatchObject({kind: 'fired'});
		expect(woken()).toBe(1);
	});

	test('a run that is queued is fired, also when the file of the jobs cannot be written behind it', async () => {
		const {clock, add, journal, store, jobStatus, woken} = openJobs();
		await add();
		const {publish, ofType} = recordEvents();
		let isWoken = false;
		const cron = createCron({
			store: {...store, change: async () => Promise.reject(new Error('No space left'))},
			journal,
			clock,
			publish,
			profile: 'default',
			jobStatus,
			wakeRuns: () => void (isWoken = true),
		});
		const fired = await cron.fire('report', {kind: 'command'});
		expect([fired.kind, isWoken, woken()]).toEqual(['fired', true, 0]);
		expect(ofType('log')).toMatchObject([
			{level: 'error', area: 'cron', text: expect.stringContaining('No space left')},
		]);
		expect(await journal.listRuns({limit: 5})).toMatchObject([{state: 'queued'}]);
	});

	test.each(['journal', 'file'] as const)(
		'a time that comes while the %s cannot be written stays due, is said once, and is fired once afterwards',
		async what => {
			const {clock, add, journal, store, jobStatus} = openJobs();
			await add();
			const {publish, ofType} = recordEvents();
			let tries = 0;
			let isAway = true;
			const refuse = async () => (tries++, Promise.reject(new Problem('storage_unavailable')));
			const cron = createCron({
				store: {...store, change: (...job) => (isAway && what === 'file' ? refuse() : store.change(...job))},
				journal: {
					...journal,
					claimJob: (...job) => (isAway && what === 'journal' ? refuse() : journal.claimJob(...job)),
				},
				clock,
				publish,
				profile: 'default',
				jobStatus,
				wakeRuns: () => undefined,
			});
			openCronTimer(cron, {clock, report: () => undefined});
			await advance(clock, 11);
			const due = store.list()[0]?.nextRunAt ?? 0;
			expect(due).toBeLessThan(clock.now());
			expect(tries).toBeGreaterThan(2);
			expect(tries).toBeLessThan(30);
			expect([ofType('cron.dropped'), ofType('cron.fired')]).toEqual([[], []]);
			expect(ofType('log')).toMatchObject([
				{level: 'warning', text: expect.stringMatching(/^Report is due but cannot run now/u)},
			]);
			isAway = false;
			await advance(clock, 1);
			expect([ofType('cron.dropped').length, ofType('cron.fired').length]).toEqual([0, 1]);
			expect(store.list()[0]?.nextRunAt).toBeGreaterThan(clock.now());
		},
	);

	test('a time stays due whose claim was refused when its next time was stored already, and that cannot be undone either', async () => {
		const {clock, add, journal, store, jobStatus} = openJobs();
		await add();
		const {publish, ofType} = recordEvents();
		let journalIs: 'there' | 'going' | 'away' = 'going';
		const whileThere = async <Value>(act: () => Promise<Value>): Promise<Value> =>
			journalIs === 'away' ? Promise.reject(new Problem('storage_unavailable')) : act();
		const cron = createCron({
			store: {...store, change: (...job) => whileThere(() => store.change(...job))},
			journal: {
				...journal,
				claimJob(...claim) {
					journalIs = journalIs === 'going' ? 'away' : journalIs;
					return whileThere(() => journal.claimJob(...claim));
				},
			},
			clock,
			publish,
			profile: 'default',
			jobStatus,
			wakeRuns: () => undefined,
		});
		openCronTimer(cron, {clock, report: () => undefined});
		await advance(clock, 11);
		expect(ofType('log')).toMatchObject([
			{level: 'warning', text: expect.stringContaining('It runs as soon as it can')},
		]);
		expect(ofType('cron.fired')).toEqual([]);
		journalIs = 'there';
		await advance(clock, 1);
		expect([ofType('cron.dropped').length, ofType('cron.fired').length]).toEqual([0, 1]);
		await advance(clock, 5);
		expect(ofType('cron.fired')).toHaveLength(1);
	});

	test('a time that was refused is skipped, too, when its job is paused and resumed meanwhile', async () => {
		const {clock, add, journal, store, jobStatus} = openJobs();
		const {id} = await add();
		const {publish, ofType} = recordEvents();
		let journalIs: 'going' | 'away' | 'there' = 'going';
		const cron = createCron({
			store: {
				...store,
				change: async (...job) =>
					journalIs === 'away' ? Promise.reject(new Problem('storage_unavailable')) : store.change(...job),
			},
			journal: {
				...journal,
				claimJob: async (...claim) => {
					journalIs = journalIs === 'going' ? 'away' : journalIs;
					return journalIs === 'away' ? Promise.reject(new Problem('storage_unavailable')) : journal.claimJob(...claim);
				},
			},
			clock,
			publish,
			profile: 'default',
			jobStatus,
			wakeRuns: () => undefined,
		});
		await clock.advance(10 * minute);
		expect(await cron.fireDue()).toBe('postponed');
		await store.change(id, job => ({...job, paused: true}));
		expect(await cron.fireDue()).toBe('done');
		await store.change(id, job => ({...job, paused: false}));
		journalIs = 'there';
		await cron.fireDue();
		expect(ofType('cron.fired')).toEqual([]);
		await clock.advance(10 * minute);
		await cron.fireDue();
		expect(ofType('cron.fired')).toHaveLength(1);
	});

	test('a run that is over before its begin is stored leaves no job that looks as if it ran', async () => {
		const {clock, add, journal, store, jobStatus, ofType} = openJobs();
		const {id} = await add();
		const {publish} = recordEvents();
		const cron: Cron = createCron({
			store,
			journal: {
				...journal,
				async claimJob(claim, run) {
					const outcome = await journal.claimJob(claim, run);
					cron.note({
						seq: 1,
						time: 1,
						profile: 'default',
						type: 'run.state',
						runId: run.id,
						state: 'inbox',
						job: 'Report',
					});
					await cron.whenNoted();
					return outcome;
				},
			},
			clock,
			publish,
			profile: 'default',
			jobStatus,
			wakeRuns: () => undefined,
		});
		expect(await cron.fire(id, {kind: 'command'})).toMatchObject({kind: 'fired'});
		expect(store.list()).toMatchObject([{lastRunAt: clock.now(), lastStatus: 'waits in the inbox'}]);
		expect(ofType('cron.job').at(-1)).toMatchObject({state: 'scheduled', lastStatus: 'waits in the inbox'});
	});
});

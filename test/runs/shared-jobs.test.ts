import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {openConfirmedJournal} from '../../source/journal/confirmed-journal.ts';
import {delegateJournal} from '../../source/journal/delegate-journal.ts';
import {createRetriedWrites} from '../../source/journal/retried-writes.ts';
import {createCron} from '../../source/runs/cron.ts';
import {journalLimits, takeRun} from '../helpers/journal-records.ts';
import {minute, openJobs} from './open-jobs.ts';

describe('a job that two gateways have', () => {
	test('runs once at its time, and again when its run has ended at the gateway that had not claimed it', async () => {
		const first = openJobs();
		const second = openJobs(first.directory);
		const {id, nextRunAt: slot = 0} = await first.add();
		await first.clock.advance(10 * minute);
		await first.cron.fireDue();
		const late = {kind: 'dropped', reason: 'it has already run for this time'};
		expect(await second.cron.fire(id, {kind: 'clock', slot})).toEqual(late);
		// Nothing was left out, so that nothing is said.
		expect(second.ofType('cron.dropped')).toEqual([]);
		const running = {kind: 'dropped', reason: 'it is already running'};
		expect(await second.cron.fire(id, {kind: 'clock', slot: slot + minute})).toEqual(running);
		expect(second.ofType('cron.dropped')).toMatchObject([{reason: running.reason}]);
		const [runId = ''] = first.runIds();
		second.cron.note({...second.ended(runId), job: 'Report'});
		await second.cron.whenNoted();
		await expect.poll(() => first.journal.listJobClaims()).toEqual([]);
		expect(second.store.list()).toMatchObject([{lastStatus: 'finished'}]);
		expect(await second.cron.fire(id, {kind: 'clock', slot})).toEqual(late);
	});

	test('has ended by the journal when its run ended at one before the other noted it as running', async () => {
		const {add, cron, end, journal, jobStatus, ofType} = openJobs();
		const {id} = await add();
		const fired = await cron.fire(id, {kind: 'command'});
		const runId = fired.kind === 'fired' ? fired.runId : '';
		await cron.follow();
		expect(ofType('cron.job').at(-1)).toMatchObject({state: 'running', lastStatus: 'running'});
		await takeRun(journal);
		await journal.finishRun(runId, {state: 'finished', result: {}});
		journal.releaseJob({jobId: id, runId});
		await cron.follow();
		expect(ofType('cron.job').at(-1)).toMatchObject({state: 'scheduled', lastStatus: 'finished'});
		expect(jobStatus.runIds()).toEqual([]);
		end(runId);
		await cron.whenNoted();
	});

	test('stays claimed while its run is under way, though the journal is lost while that is looked for', async () => {
		const {add, clock, cron, directory, jobStatus, journal: other, store} = openJobs();
		const jobs = [await add({name: 'One'}), await add({name: 'Two'})];
		const fired = await Promise.all(jobs.map(({id}) => cron.fire(id, {kind: 'command'})));
		const runIds = fired.map(result => (result.kind === 'fired' ? result.runId : ''));
		const path = join(directory, 'journal.db');
		const stored = await openConfirmedJournal({path, clock, limits: journalLimits({}), onLost: () => undefined});
		onTestFinished(() => stored.close());
		let isOpen = true;
		const current = () => (isOpen ? stored : undefined);
		const retried = createRetriedWrites({clock, current, failed: () => undefined, onState: undefined});
		const access = {current, refusal: () => undefined, failed: () => undefined, retried};
		const journal = delegateJournal(access, stored.close);
		const following = createCron({
			store,
			journal: {
				...journal,
				async findRun(id) {
					const run = await journal.findRun(id);
					isOpen = false;
					return run;
				},
			},
			clock,
			publish: () => undefined,
			profile: 'default',
			jobStatus,
			wakeRuns: () => undefined,
		});
		await expect(following.follow()).rejects.toMatchObject({code: 'storage_unavailable'});
		isOpen = true;
		await clock.advance(minute);
		expect((await other.listJobClaims()).map(({runId}) => runId).sort()).toEqual(runIds.sort());
		expect(jobStatus.runIds()).toHaveLength(2);
	});
});

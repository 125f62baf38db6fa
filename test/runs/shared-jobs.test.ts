import {describe, expect, test} from 'vitest';
import {takeRun} from '../helpers/journal-records.ts';
import {minute, openJobs} from './open-jobs.ts';

describe('a job that two gateways have', () => {
	test('runs once at its time, and again when its run has ended at the gateway that had not claimed it', async () => {
		const first = openJobs();
		const second = openJobs(first.directory);
		const {id, nextRunAt: slot = 0} = await first.add();
		await first.clock.advance(10 * minute);
		await first.cron.fireDue();
		expect(await second.cron.fire(id, {kind: 'clock', slot})).toEqual({
			kind: 'dropped',
			reason: 'it is already running',
		});
		const [runId = ''] = first.runIds();
		second.cron.note({...second.ended(runId), job: 'Report'});
		await second.cron.whenNoted();
		await expect.poll(() => first.journal.listJobClaims()).toEqual([]);
		expect(second.store.list()).toMatchObject([{lastStatus: 'finished'}]);
		expect(await second.cron.fire(id, {kind: 'clock', slot})).toMatchObject({
			reason: 'it has already run for this time',
		});
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
});

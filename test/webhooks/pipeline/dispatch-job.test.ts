import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {systemClock} from '../../../source/util/clock.ts';
import {type FireJob} from '../../../source/webhooks/pipeline/dispatch.ts';
import {crashImage, openTestJournal, sampleRun} from '../../helpers/journal-records.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {createMemoryJournal} from '../memory-journal.ts';
import {openAdapter} from '../open-adapter.ts';
import {webhookConfig} from '../webhook-config.ts';

const config = webhookConfig({routes: [{name: 'nightly', cronJob: 'backup'}]});
const post = async (url: string, id = 'one') => {
	const headers = {'x-request-id': id};
	const response = await fetch(`${url}/webhooks/nightly`, {method: 'POST', body: '{"type":"push"}', headers});
	return {status: response.status, body: await response.json()};
};
const answer = {status: 'accepted', route: 'nightly', cron_job: 'backup', event: 'push', delivery_id: 'one'};

describe('a route of a scheduled job', () => {
	test('fires it once, says so, and starts no run of its own', async () => {
		const fired: unknown[] = [];
		const fireJob: FireJob = async (...asked) => {
			fired.push(asked);
			return {kind: 'fired', runId: 'r'};
		};
		const {url, journal} = await openAdapter({config, fireJob});
		expect(await post(url)).toEqual({status: 202, body: answer});
		expect(await post(url)).toMatchObject({body: {status: 'duplicate'}});
		const event = {eventId: journal.rows[0]?.id, route: 'nightly', event: 'push', deliveryId: 'one'};
		const by = {...event, signature: 'none asked for', profile: undefined};
		expect(fired).toEqual([['backup', by]]);
		expect([journal.runs, journal.rows[0]]).toMatchObject([[], {outcome: 'accepted', status: 202, reason: undefined}]);
	});

	test('answers 202 all the same when the job may not run, with the reason in the row', async () => {
		const fireJob: FireJob = async () => ({kind: 'dropped', reason: 'the job is paused'});
		const {url, journal, ofType} = await openAdapter({config, fireJob});
		expect(await post(url)).toEqual({status: 202, body: answer});
		expect(journal.rows).toMatchObject([{outcome: 'accepted', reason: 'the job is paused'}]);
		expect(ofType('webhook.settled')).toMatchObject([{outcome: 'accepted', reason: 'the job is paused'}]);
	});

	test('asks for a retry when another gateway has released the id meanwhile, and leaves the row as that one wrote it', async () => {
		const journal = createMemoryJournal();
		const reason = 'the gateway stopped before its job was asked';
		const fireJob: FireJob = async (_job, {eventId}) => {
			journal.settleEvent(eventId, {status: 503, outcome: 'unavailable', reason, ms: 1});
			journal.claimed.clear();
			return {kind: 'released', reason: 'another gateway has released the delivery id of the event'};
		};
		const {url, ofType} = await openAdapter({config, fireJob, journal});
		expect(await post(url)).toEqual({status: 503, body: {error: 'Storage unavailable'}});
		expect(journal.rows).toMatchObject([{status: 503, outcome: 'unavailable', reason}]);
		expect(ofType('webhook.settled')).toMatchObject([{status: 503, outcome: 'unavailable'}]);
	});

	test('asks for a retry when the run of the job could not be stored, and the retry fires it', async () => {
		const journal = openTestJournal({path: join(temporaryDirectory(), 'journal.db'), clock: systemClock});
		const reason = 'The journal cannot be used';
		const results = [{kind: 'unavailable', reason} as const, {kind: 'fired', runId: 'r'} as const];
		const fireJob: FireJob = async () => results.shift() ?? {kind: 'dropped', reason: 'asked once too often'};
		const {url, ofType} = await openAdapter({config, fireJob, journal});
		expect(await post(url)).toEqual({status: 503, body: {error: 'Storage unavailable'}});
		expect(ofType('webhook.settled')).toMatchObject([{status: 503, outcome: 'unavailable', reason}]);
		expect(await post(url)).toEqual({status: 202, body: answer});
		expect((await post(url)).body).toMatchObject({status: 'duplicate'});
		expect(await journal.listEvents({limit: 10})).toMatchObject([
			{outcome: 'duplicate'},
			{outcome: 'accepted', status: 202, reason: undefined},
			{outcome: 'unavailable', status: 503, reason},
		]);
	});

	test('asked when the process was killed may be asked again, and one that was fired may not', async () => {
		const path = join(temporaryDirectory(), 'journal.db');
		const asked = Promise.withResolvers<void>();
		const fireJob: FireJob = async (_job, {deliveryId}) => {
			if (deliveryId === 'cut off') {
				asked.resolve();
				return new Promise<never>(() => {});
			}

			return {kind: 'fired', runId: 'r'};
		};
		const journal = openTestJournal({path, clock: systemClock});
		const before = await openAdapter({config, fireJob, journal, limits: {drainMilliseconds: 10}});
		expect((await post(before.url, 'done')).status).toBe(202);
		void post(before.url, 'cut off').catch(() => undefined);
		await asked.promise;

		const left = openTestJournal({path: crashImage(path), clock: systemClock});
		const after = await openAdapter({config, fireJob: async () => ({kind: 'fired', runId: 'r'}), journal: left});
		expect((await post(after.url, 'done')).body).toMatchObject({status: 'duplicate'});
		expect((await post(after.url, 'cut off')).body).toMatchObject({status: 'accepted'});
		const reasons = (await left.listEvents({limit: 10})).map(({reason}) => reason);
		expect(reasons).toContain('the gateway stopped before its job was asked');
	});

	test('whose run was queued when the process was killed is not fired again, though no row says so', async () => {
		const path = join(temporaryDirectory(), 'journal.db');
		const journal = openTestJournal({path, clock: systemClock});
		const queued = Promise.withResolvers<void>();
		const fireJob: FireJob = async (_job, {eventId}) => {
			const run = sampleRun({eventId});
			await journal.claimJob({jobId: 'backup', slot: 1, runId: run.id}, run);
			queued.resolve();
			return new Promise<never>(() => {});
		};
		const before = await openAdapter({config, fireJob, journal, limits: {drainMilliseconds: 10}});
		void post(before.url).catch(() => undefined);
		await queued.promise;

		const left = openTestJournal({path: crashImage(path), clock: systemClock});
		const asked: string[] = [];
		const after = await openAdapter({
			config,
			journal: left,
			async fireJob(_job, {deliveryId}) {
				asked.push(deliveryId);
				return {kind: 'fired', runId: 'r'};
			},
		});
		expect((await post(after.url)).body).toMatchObject({status: 'duplicate'});
		expect((await post(after.url, 'another')).body).toMatchObject({status: 'accepted'});
		expect([asked, await left.listRuns({limit: 10})]).toMatchObject([['another'], [{state: 'queued'}]]);
		expect((await left.listEvents({limit: 10})).at(-1)).toMatchObject({
			status: 202,
			outcome: 'accepted',
			reason: undefined,
		});
	});
});

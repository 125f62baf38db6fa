import {join} from 'node:path';
import {expect, vi} from 'vitest';
import {createCron} from '../../source/runs/cron.ts';
import {fileDocuments} from '../../source/config/values/document-files.ts';
import {createCronStore} from '../../source/runs/cron-store.ts';
import {createJobStatus} from '../../source/runs/job-status.ts';
import {addJob, type NewJob} from '../../source/runs/manage-jobs.ts';
import {type RunStatus} from '../../source/state/work-event.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

export const minute = 60_000;
/** A full hour, so that schedules are easy to read. */
export const start = Date.parse('2026-11-20T10:00:00Z');

function newJob(change: Partial<NewJob> = {}): NewJob {
	return {
		name: 'Report',
		prompt: 'Write it',
		schedule: 'every 10m',
		timeZone: 'UTC',
		deliver: 'log',
		deliverExtra: {},
		skills: [],
		...change,
	};
}

/** Jobs with a real journal and a real file. */
export function openJobs(directory = temporaryDirectory()) {
	const clock = createFakeClock(start);
	const {publish, ofType, events} = recordEvents();
	const path = join(directory, 'cron', 'jobs.json');
	const store = createCronStore(fileDocuments({profile: 'default', directory}), clock);
	const journal = openTestJournal({clock, path: join(directory, 'journal.db')});
	let woken = 0;
	const jobStatus = createJobStatus(store, publish);
	const cron = createCron({
		store,
		journal,
		clock,
		publish,
		profile: 'default',
		jobStatus,
		wakeRuns: () => void woken++,
	});
	const add = (change: Partial<NewJob> = {}) => addJob(store, newJob(change), clock.now());
	const ended = (runId: string, state: RunStatus = 'finished') =>
		({seq: 1, time: clock.now(), profile: 'default', type: 'run.state', runId, state}) as const;
	const end = (runId: string, state?: RunStatus) => cron.note(ended(runId, state));
	const runIds = () => ofType('cron.fired').flatMap(({runId}) => runId ?? []);
	return {
		clock,
		store,
		journal,
		jobStatus,
		cron,
		add,
		end,
		ended,
		ofType,
		events,
		runIds,
		path,
		directory,
		woken: () => woken,
	};
}

/** Moves time on by no more than a wait of the timer, which waits for the disk before it sets the next one. */
export async function advance(clock: FakeClock, minutes: number): Promise<void> {
	for (let half = 0; half < minutes * 2; half++) {
		await clock.advance(minute / 2);
		await vi.waitFor(() => expect(clock.open()).toBeGreaterThan(0), {interval: 1});
	}
}

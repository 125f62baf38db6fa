import {type Journal, type RunRecord} from '../journal/journal.ts';
import {type GatewayEvent, type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {errorText, Problem, toProblem} from '../util/problem.ts';
import {randomId} from '../util/random-id.ts';
import {safeText} from '../util/safe-text.ts';
import {nextRunAt} from './cron-clock.ts';
import {dropReason, type FiredBy, firedByText, promptOf} from './cron-decision.ts';
import {type CronJob} from './cron-job.ts';
import {jobRow} from './cron-row.ts';
import {type CronStore} from './cron-store.ts';
import {findJob} from './find-job.ts';

/** What became of a firing. */
export type FireResult =
	| {readonly kind: 'fired'; readonly runId: string}
	| {readonly kind: 'dropped'; readonly reason: string};

/** The jobs of a profile while a process looks after them. */
export type Cron = {
	/** Shows the jobs and runs what came due while nobody looked, each at most once. */
	readonly start: () => Promise<void>;
	/** Runs a job now. Everything that keeps it from running is logged and told as the reason; it never rejects for that. */
	readonly fire: (reference: string, by: FiredBy) => Promise<FireResult>;
	/** Runs every job that has come due. The clock calls it. */
	readonly fireDue: () => Promise<void>;
	/** When the next job comes due; undefined: none does. */
	readonly nextAt: () => number | undefined;
	/** Shows the jobs as the file has them now. */
	readonly show: () => void;
	/** Told of every event: the end of a run gives its job free. */
	readonly note: (event: GatewayEvent) => void;
};

/** What the jobs need from other rooms. */
export type CronOptions = {
	readonly store: CronStore;
	readonly journal: Pick<Journal, 'claimJob' | 'releaseJob' | 'listJobClaims' | 'findRun'>;
	readonly clock: Clock;
	readonly publish: Publish;
	readonly profile: string;
	/** Told that a run was queued. */
	readonly wakeRuns: () => void;
};

/** Opens the jobs; nothing runs before `start`. */
export function createCron(options: CronOptions): Cron {
	const {store, journal, clock, publish, profile, wakeRuns} = options;
	/** The runs under way, by the number of their run. */
	const running = new Map<string, string>();
	const shown = new Set<string>();
	const isRunning = (jobId: string) => [...running.values()].includes(jobId);
	const showJob = (job: CronJob) => {
		shown.add(job.id);
		publish(jobRow(job, isRunning(job.id)));
	};

	const tellFault = (caught: unknown) =>
		publish({type: 'log', level: 'error', area: 'cron', text: safeText(errorText(caught))});

	const show = () => {
		const jobs = store.list();
		for (const id of [...shown].filter(known => !jobs.some(job => job.id === known))) {
			shown.delete(id);
			publish({type: 'cron.removed', id});
		}

		jobs.forEach(showJob);
	};

	const drop = (job: string, by: FiredBy, reason: string): FireResult => {
		const name = safeText(job, {maximumCharacters: 200});
		publish({type: 'cron.dropped', job: name, by: safeText(firedByText(by)), reason: safeText(reason)});
		return {kind: 'dropped', reason};
	};

	/** The claim and the next time are written before the run can start (spec/decisions.md, D9). */
	const run = async (job: CronJob, by: FiredBy): Promise<FireResult> => {
		const now = clock.now();
		const record = runOf(job, by, {profile, now});
		const slot = by.kind === 'clock' ? by.slot : now;
		if (by.kind === 'clock') {
			store.change(job.id, current => ({...current, nextRunAt: nextRunAt(current.schedule, now)}));
		}

		// Noted before: the run may be over before the claim is answered here.
		running.set(record.id, job.id);
		const outcome = await journal.claimJob({jobId: job.id, slot, runId: record.id}, record).catch((caught: unknown) => {
			running.delete(record.id);
			throw caught;
		});
		if (outcome !== 'claimed') {
			running.delete(record.id);
			return drop(job.name, by, outcome === 'running' ? 'it is running already' : 'it was run for this time already');
		}

		publish({
			type: 'cron.fired',
			job: safeText(job.name, {maximumCharacters: 200}),
			by: safeText(firedByText(by)),
			runId: record.id,
		});
		const changed = store.change(job.id, current => ({...current, lastRunAt: now, lastStatus: 'running'}));
		if (changed) {
			showJob(changed);
		}

		wakeRuns();
		return {kind: 'fired', runId: record.id};
	};

	const fireJob = async (job: CronJob, by: FiredBy): Promise<FireResult> => {
		const reason = dropReason(job);
		if (reason !== undefined) {
			return drop(job.name, by, reason);
		}

		return run(job, by);
	};

	const settle = (runId: string, status: string) => {
		const jobId = running.get(runId);
		if (jobId === undefined) {
			return;
		}

		running.delete(runId);
		journal.releaseJob({jobId, runId});
		try {
			const changed = store.change(jobId, job => ({...job, lastStatus: status}));
			if (changed) {
				showJob(changed);
			}
		} catch (caught) {
			tellFault(caught);
		}
	};

	const fireDue = async () => {
		const now = clock.now();
		for (const job of store.list()) {
			const slot = job.nextRunAt;
			if (slot !== undefined && slot <= now && dropReason(job) === undefined) {
				await run(job, {kind: 'clock', slot}).catch(tellFault);
			}
		}
	};

	return {
		async start() {
			for (const {jobId, runId} of journal.listJobClaims()) {
				running.set(runId, jobId);
				const state = journal.findRun(runId)?.state ?? 'interrupted';
				if (state !== 'queued' && state !== 'running') {
					settle(runId, state);
				}
			}

			show();
			await fireDue();
		},
		async fire(reference, by) {
			try {
				const job = findJob(store.list(), reference);
				return job instanceof Problem ? drop(reference, by, job.message) : await fireJob(job, by);
			} catch (caught) {
				return drop(reference, by, toProblem(caught).message);
			}
		},
		fireDue,
		nextAt() {
			const times = store.list().flatMap(job => (dropReason(job) === undefined ? (job.nextRunAt ?? []) : []));
			return times.length === 0 ? undefined : Math.min(...times);
		},
		show,
		note(event) {
			if (event.type === 'run.state' && event.state !== 'queued' && event.state !== 'running') {
				settle(event.runId, event.state === 'inbox' ? 'waits in the inbox' : event.state);
			}
		},
	};
}

function runOf(job: CronJob, by: FiredBy, {profile, now}: {readonly profile: string; readonly now: number}): RunRecord {
	return {
		id: randomId(),
		eventId: '',
		profile,
		route: by.kind === 'webhook' ? by.route : '',
		event: by.kind === 'webhook' ? by.event : '',
		deliveryId: by.kind === 'webhook' ? by.deliveryId : '',
		job: job.name,
		prompt: promptOf(job, by),
		deliver: job.deliver,
		deliverExtra: job.deliverExtra,
		skills: job.skills,
		toolsets: job.toolsets,
		createdAt: now,
	};
}

import {type Journal} from '../journal/journal.ts';
import {type GatewayEvent, type Publish} from '../state/event.ts';
import {type RunStatus} from '../state/work-event.ts';
import {createInFlight} from '../util/in-flight.ts';
import {errorText, Problem, toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {
	claimJob,
	type ClaimOptions,
	type ClaimResult,
	type FiredBy,
	firedByText,
	type FireResult,
} from './claim-job.ts';
import {dropReason} from './cron-job.ts';
import {type CronStore, findJob} from './cron-store.ts';
import {createDueTimes, type DueTimes} from './due-times.ts';

/** Runs the scheduled jobs of a profile. */
export type Cron = {
	/** Publishes the jobs and runs those that came due while no gateway ran, each at most once. */
	readonly start: () => Promise<void>;
	/** Publishes the jobs, and which of them run here or at another gateway, by the journal: how those ended that do no more is stored. */
	readonly follow: () => Promise<void>;
	/** Runs a job now, by id or name. A reason not to run is published and returned; it never rejects. */
	readonly fire: (reference: string, by: FiredBy) => Promise<FireResult>;
	/** Runs every due job. Called by the timer. `postponed`: some are due still, because what has to be on disk before could not be written. */
	readonly fireDue: () => Promise<'done' | 'postponed'>;
	/** When the next job is due; undefined: none is. */
	readonly nextAt: () => number | undefined;
	/** Called with every event: the end of a run releases its job. */
	readonly note: (event: GatewayEvent) => void;
	/** Resolves when the ends that were noted are in the file. Never rejects. */
	readonly whenNoted: () => Promise<void>;
};

export type CronOptions = Omit<ClaimOptions, 'store' | 'journal' | 'dueTimes'> & {
	readonly store: CronStore;
	readonly journal: Pick<Journal, 'claimJob' | 'releaseJob' | 'listJobClaims' | 'findRun'>;
	readonly publish: Publish;
	/** Called after a run was queued. */
	readonly wakeRuns: () => void;
};

/** Creates the jobs; nothing runs before `start`. */
export function createCron(options: CronOptions): Cron {
	const {store, clock, jobStatus} = options;
	const dueTimes = createDueTimes(store);
	const fire = createFire({...options, dueTimes});
	const settle = createSettle(options);
	const follow = createFollow(options, settle);
	const notes = createInFlight();
	const fireDue = async () => {
		const now = clock.now();
		const results: FireResult[] = [];
		for (const job of store.list()) {
			const slot = dueTimes.of(job);
			if (slot !== undefined && slot <= now) {
				results.push(await fire(job.id, {kind: 'clock', slot}));
			}
		}

		return results.some(({kind}) => kind === 'unavailable') ? 'postponed' : 'done';
	};

	return {
		async start() {
			await follow();
			jobStatus.show();
			await fireDue();
		},
		follow: () => notes.track(follow()),
		fire,
		fireDue,
		nextAt() {
			const times = store.list().flatMap(job => dueTimes.of(job) ?? []);
			return times.length === 0 ? undefined : Math.min(...times);
		},
		note(event) {
			if (event.type === 'run.state' && isOver(event.state)) {
				void notes.track(settle(event.runId, event.state, event.job === undefined ? 'no job' : 'job'));
			}
		},
		whenNoted: notes.whenSettled,
	};
}

function createFire(options: CronOptions & {readonly dueTimes: DueTimes}): Cron['fire'] {
	const {store, publish, wakeRuns, clock, jobStatus, dueTimes} = options;
	const report = reportTo(publish);
	/** The run is queued by now, whether or not this can be stored, and may be over, too. */
	const noteBegin = async (jobId: string, runId: string) => {
		const lastStatus = () => (jobStatus.runIds().includes(runId) ? {lastStatus: 'running'} : {});
		const changed = await store.change(jobId, job => ({...job, lastRunAt: clock.now(), ...lastStatus()}));
		if (changed) {
			jobStatus.showJob(changed);
		}
	};

	const attempt = async (reference: string, by: FiredBy): Promise<ClaimResult & {readonly job: string}> => {
		const job = findJob(store.list(), reference);
		if (job instanceof Problem) {
			return {kind: 'dropped', reason: job.message, job: reference};
		}

		const reason = dropReason(job);
		if (reason !== undefined) {
			return {kind: 'dropped', reason, job: job.name};
		}

		const result = await claimJob(job, by, options).catch((caught: unknown) => failed(caught, by));
		if (result.kind === 'fired') {
			await noteBegin(job.id, result.runId).catch(report);
		}

		return {...result, job: job.name};
	};

	const postponed = new Set<string>();
	/** It is tried again every few seconds, and shown once. */
	const showPostponed = (job: string, reason: string, reference: string) => {
		if (!postponed.has(reference)) {
			const text = safeText(`${job} is due but cannot run now: ${reason}. It runs as soon as it can`);
			publish({type: 'log', level: 'warning', area: 'cron', text});
		}

		postponed.add(reference);
	};

	const show = (result: ClaimResult & {readonly job: string}, reference: string, by: FiredBy) => {
		const shown = {job: safeText(result.job, {maximumCharacters: 200}), by: safeText(firedByText(by))};
		if (by.kind === 'clock' && result.kind === 'unavailable') {
			showPostponed(shown.job, result.reason, reference);
			return;
		}

		postponed.delete(reference);
		if (result.kind === 'fired') {
			publish({type: 'cron.fired', ...shown, runId: result.runId});
		} else if (result.kind !== 'late') {
			publish({type: 'cron.dropped', ...shown, reason: safeText(result.reason)});
		}
	};

	return async (reference, by) => {
		const {job, ...result} = await attempt(reference, by).catch((caught: unknown) => ({
			...failed(caught, by),
			job: reference,
		}));
		show({job, ...result}, reference, by);
		if (by.kind === 'clock' && result.kind !== 'unavailable') {
			dueTimes.forget(reference);
		}

		if (result.kind === 'fired') {
			wakeRuns();
		}

		return result.kind === 'late' ? {kind: 'dropped', reason: result.reason} : result;
	};
}

/** The schedule goes on with the same time whatever it is that could not be read or written. */
function failed(caught: unknown, by: FiredBy): FireResult {
	const {code, message: reason} = toProblem(caught);
	const isUnavailable = by.kind === 'clock' || code === 'storage_unavailable';
	return {kind: isUnavailable ? 'unavailable' : 'dropped', reason};
}

/** True for the state of a run that leaves its job free. */
function isOver(state: RunStatus): boolean {
	return state !== 'queued' && state !== 'running';
}

/** Reads which jobs of this profile run, shows those that were not known to, and ends those whose run has ended, at whichever gateway. */
function createFollow({store, journal, jobStatus}: CronOptions, settle: ReturnType<typeof createSettle>) {
	return async (): Promise<void> => {
		const own = new Set(store.list().map(({id}) => id));
		const claims = (await journal.listJobClaims()).filter(({jobId}) => own.has(jobId));
		const known = new Set(jobStatus.runIds());
		const begun = new Set(claims.flatMap(({jobId, runId}) => (known.has(runId) ? [] : [jobId])));
		claims.forEach(({jobId, runId}) => jobStatus.begin(runId, jobId));
		const claimed = new Set(claims.map(({runId}) => runId));
		for (const runId of jobStatus.runIds()) {
			// One without claim and row is only about to begin.
			const state = (await journal.findRun(runId))?.state ?? (claimed.has(runId) ? 'interrupted' : 'queued');
			if (isOver(state)) {
				await settle(runId, state, 'job');
			}
		}

		store
			.list()
			.filter(({id}) => begun.has(id))
			.forEach(jobStatus.showJob);
	};
}

/** Releases the job of a run and stores the outcome of the run. */
function createSettle({store, journal, publish, jobStatus}: CronOptions) {
	const report = reportTo(publish);
	/** Another gateway may have claimed the job whose run ended here. */
	const claimedElsewhere = async (runId: string) =>
		(await journal.listJobClaims()).find(claim => claim.runId === runId)?.jobId;

	return async (runId: string, state: RunStatus, kind: 'job' | 'no job'): Promise<void> => {
		try {
			const jobId = jobStatus.end(runId) ?? (kind === 'job' ? await claimedElsewhere(runId) : undefined);
			if (jobId === undefined) {
				return;
			}

			journal.releaseJob({jobId, runId});
			const lastStatus = state === 'inbox' ? 'waits in the inbox' : state;
			const changed = await store.change(jobId, job => ({...job, lastStatus}));
			if (changed) {
				jobStatus.showJob(changed);
			}
		} catch (caught) {
			report(caught);
		}
	};
}

function reportTo(publish: Publish) {
	return (caught: unknown) => publish({type: 'log', level: 'error', area: 'cron', text: safeText(errorText(caught))});
}

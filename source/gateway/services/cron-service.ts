import {type Journal} from '../../journal/journal.ts';
import {type Clock} from '../../util/clock.ts';
import {createCron, type Cron} from '../../runs/cron.ts';
import {type CronJob} from '../../runs/cron-job.ts';
import {createCronStore} from '../../runs/cron-store.ts';
import {type CronTimer, openCronTimer} from '../../runs/cron-timer.ts';
import {createJobStatus, jobRow} from '../../runs/job-status.ts';
import {addJob, changeJob, editJob, type JobChange, type JobEdit, type NewJob} from '../../runs/manage-jobs.ts';
import {type CronJobState} from '../../state/work-event.ts';
import {errorText} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type OpenProfile} from '../documents/open-profile.ts';

/** The cron jobs of a profile, looked after. */
export type CronService = {
	readonly fire: Cron['fire'];
	/** The jobs as they are stored. Throws a Problem when they cannot be read. */
	readonly jobs: () => readonly CronJob[];
	readonly rows: () => Promise<readonly CronJobState[]>;
	/** Rejects with `cron_invalid`. */
	readonly add: (job: NewJob) => Promise<CronJobState>;
	/** Rejects with `cron_invalid` or `unknown_job`. */
	readonly edit: (reference: string, edit: JobEdit) => Promise<CronJobState>;
	/** Rejects with `unknown_job`. */
	readonly change: (reference: string, change: JobChange) => Promise<CronJobState>;
	/** Shows the jobs, runs what was missed once, and from then on each at its time. */
	readonly start: () => Promise<void>;
	/** Shows and runs what a journal knows that could not be read at the start. */
	readonly recover: () => Promise<void>;
	/** Takes over jobs that were changed elsewhere, as a file by hand; what cannot be read is logged. */
	readonly refresh: () => void;
	/** Fires nothing more. Runs that still end are noted until `close`. */
	readonly stop: () => Promise<void>;
	/** Resolves when what was noted is in the file. */
	readonly close: () => Promise<void>;
};

/** Builds the jobs of a profile; nothing runs before `start`. */
export function openCronService(
	context: OpenProfile,
	options: {
		readonly journal: Journal;
		readonly wakeRuns: () => void;
		/** Milliseconds that the clock of a shared journal is ahead; jobs follow that clock. Default: not shared. */
		readonly clockAhead?: () => number;
	},
): CronService {
	const {publish, paths, eventBus} = context;
	const {journal, wakeRuns, clockAhead = () => 0} = options;
	const clock: Clock = {...context.clock, now: () => context.clock.now() + clockAhead()};
	const store = createCronStore(context.documents, clock);
	const status = createJobStatus(store, publish);
	const cron = createCron({store, journal, clock, publish, profile: paths.profile, jobStatus: status, wakeRuns});
	let reported: string | undefined;
	/** A failure that repeats with every poll is logged once, until the jobs can be read again. */
	const report = (caught: unknown) => {
		const text = safeText(errorText(caught));
		if (text !== reported) {
			publish({type: 'log', level: 'error', area: 'cron', text});
		}

		reported = text;
	};

	let timer: CronTimer | undefined;
	/** Reads which jobs run; the answer makes the row of a job. */
	const readRunning = async () => {
		const running = new Set((await journal.listJobClaims()).map(({jobId}) => jobId));
		return (job: CronJob) => jobRow(job, running.has(job.id));
	};

	const changed = async (job: CronJob) => {
		status.show();
		timer?.reset();
		return (await readRunning())(job);
	};

	const showJobs = async () => {
		status.show();
		reported = undefined;
		// Jobs that another gateway changes may run there, or have ended there.
		await cron.follow();
	};

	const refresh = () => {
		timer?.reset();
		showJobs().catch(report);
	};

	const endNotes = eventBus.listen(cron.note);
	const endFollowing = context.documents.onChange('cron/jobs', refresh);
	return {
		fire: cron.fire,
		jobs: store.list,
		rows: async () => store.list().map(await readRunning()),
		add: async job => changed(await addJob(store, job, clock.now())),
		edit: async (reference, edit) => changed(await editJob(store, reference, {edit, now: clock.now()})),
		change: async (reference, change) => changed(await changeJob(store, reference, {change, now: clock.now()})),
		async start() {
			await cron.start().catch(report);
			timer = openCronTimer(cron, {clock, report});
		},
		async recover() {
			reported = undefined;
			await cron.start().catch(report);
			timer?.reset();
		},
		refresh,
		async stop() {
			endFollowing();
			await timer?.close();
		},
		close() {
			endNotes();
			return cron.whenNoted();
		},
	};
}

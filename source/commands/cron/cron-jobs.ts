import {type CronJobJson, type JobEditJson, type NewJobJson} from '../../state/json/cron.ts';
import {jobTable} from '../../state/entities/job.ts';
import {destinationsOf} from '../../util/destinations.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type CommandFlags, type ExitCode} from '../cli/command.ts';
import {withApi} from '../cli/connect-gateway.ts';
import {ownApi} from '../cli/in-process.ts';
import {jsonDocument, printRows, timeText} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {runShow} from '../cli/show-row.ts';
import {type Session} from '../cli/session.ts';
import {listOf, onlyWord} from '../cli/words.ts';

/** `sluice cron list`: when each job comes due and how it ended last. */
export function runCronList(context: CommandContext, session: Session): Promise<ExitCode> {
	return runCommand(context, async () => {
		await printRows(context, await withApi(context, ownApi(session), ({call}) => call('cron.list', {})), {
			...jobTable,
			none: 'There are no scheduled jobs. Create one with `sluice cron create NAME --schedule … --prompt …`.',
		});
		return 0;
	});
}

/** `sluice cron show JOB`: one job. */
export function runCronShow(context: CommandContext, session: Session): Promise<ExitCode> {
	return runShow(context, {
		noun: 'job',
		usage: 'sluice cron show JOB [--json]',
		rows: () => withApi(context, ownApi(session), ({call}) => call('cron.list', {})),
	});
}

/** `sluice cron create NAME --schedule TEXT --prompt TEXT`. */
export function runCronCreate(context: CommandContext, session: Session): Promise<ExitCode> {
	return runCommand(context, async () => {
		const name = onlyWord(context, 'sluice cron create NAME --schedule TEXT --prompt TEXT');
		const asked = newJob(name, context.flags);
		const job = await withApi(context, ownApi(session), ({call}) => call('cron.create', asked));
		reportJob(context, job);
		await warnOfNames(context, session, {...asked, job});
		return 0;
	});
}

/** `sluice cron edit JOB [flags]`: changes what the flags name, and answers as `cron create` does. */
export function runCronEdit(context: CommandContext, session: Session): Promise<ExitCode> {
	return runCommand(context, async () => {
		const reference = onlyWord(context, 'sluice cron edit JOB [flags], see --help');
		const edit = jobEdit(context.flags);
		if (Object.values(edit).every(value => value === undefined)) {
			throw new Problem('bad_usage', {message: 'No setting to change was given'});
		}

		const job = await withApi(context, ownApi(session), ({call}) => call('cron.edit', {reference, edit}));
		reportJob(context, job);
		await warnOfNames(context, session, {...edit, job});
		return 0;
	});
}

function reportJob(context: CommandContext, job: CronJobJson): void {
	context.stdout(
		context.flags.json
			? jsonDocument(job)
			: `ID        ${job.id}\nName      ${safeText(job.name)}\nSchedule  ${safeText(scheduleLine(job))}\nDeliver   ${safeText(job.deliver)}\n`,
	);
}

/** Says what runs of the job would not find of what the flags name. It is stored all the same: a skill or a platform may come later. */
async function warnOfNames(
	context: CommandContext,
	session: Session,
	{
		job,
		deliver = 'log',
		deliver_extra: extra,
		skills = [],
		toolsets = [],
		on_failure: failure,
	}: Omit<JobEditJson, 'name'> & {readonly job: CronJobJson},
): Promise<void> {
	const {openCheckedProfile} = await import('../doctor/checked-profile.ts');
	const {jobTroubles} = await import('../doctor/doctor-jobs.ts');
	const profile = await openCheckedProfile(session, session.paths.profile, context.signal);
	// The chat that a job had before is not known here; a template is not known either.
	const onFailure = failure && destinationsOf(failure.deliver, failure.extra);
	const named = {deliver: destinationsOf(deliver, extra ?? {chat_id: '{chat}'}), onFailure, skills, toolsets};
	const place = (key: string) => `\`${key}\` of the job ${job.id}`;
	try {
		for (const {message, remedy} of await jobTroubles(profile, named, {check: job.name, place})) {
			context.stderr(`sluice: ${message}\n        ${remedy ?? ''}\n`);
		}
	} finally {
		profile.close();
	}
}

/** The kind of a schedule, with its time: an interval is easily typed where a single run was meant. */
function scheduleLine({kind, schedule, state, next_run_at: next}: CronJobJson): string {
	const paused = state === 'paused' ? ' (paused)' : '';
	switch (kind) {
		case 'once':
			return next === null ? `once, ${schedule}: over` : `once, at ${timeText(next)}${paused}`;
		case 'interval':
		case 'cron':
			return `${schedule}, next at ${timeText(next)}${paused}`;
	}
}

/** `sluice cron pause|resume|remove JOB`: by id or name. */
export function runCronChange(
	context: CommandContext,
	change: 'pause' | 'resume' | 'remove',
	session: Session,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		const reference = onlyWord(context, `sluice cron ${change} JOB`);
		const job = await withApi(context, ownApi(session), ({call}) => call('cron.change', {reference, change}));
		if (context.flags.json) {
			context.stdout(jsonDocument(job));
		} else {
			context.stderr(`${job.name} (${job.id}) ${doneText(change, job)}\n`);
		}

		return 0;
	});
}

/** The job that the flags ask for. Throws `bad_usage` without a schedule or a prompt; the store of the jobs checks their values. */
function newJob(name: string, flags: CommandFlags): NewJobJson {
	const {schedule, prompt, deliverChatId, skills, toolsets} = flags;
	if (schedule === undefined || prompt === undefined) {
		throw new Problem('bad_usage', {message: 'A job needs --schedule and --prompt'});
	}

	return {
		name,
		prompt,
		schedule,
		time_zone: flags.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
		deliver: flags.deliver || 'log',
		deliver_extra: deliverChatId === undefined ? {} : {chat_id: deliverChatId},
		on_failure: onFailureOf(flags),
		skills: listOf(skills ?? ''),
		toolsets: toolsets === undefined ? undefined : listOf(toolsets),
	};
}

/** The changes that the flags make; an empty text restores the default of a setting that has one. */
function jobEdit(flags: CommandFlags): JobEditJson {
	const {name, prompt, schedule, timeZone, deliver, deliverChatId, skills, toolsets} = flags;
	return {
		name,
		prompt,
		schedule,
		time_zone: timeZone,
		deliver: deliver === '' ? 'log' : deliver,
		deliver_extra: deliverChatId === undefined ? undefined : deliverChatId === '' ? {} : {chat_id: deliverChatId},
		on_failure: onFailureOf(flags),
		skills: skills === undefined ? undefined : listOf(skills),
		toolsets: toolsets === undefined ? undefined : listOf(toolsets),
	};
}

function onFailureOf({onFailure}: CommandFlags): NewJobJson['on_failure'] {
	return onFailure === undefined ? undefined : {deliver: onFailure, extra: {}};
}

function doneText(change: 'pause' | 'resume' | 'remove', job: CronJobJson): string {
	switch (change) {
		case 'pause':
			return 'is paused.';
		case 'resume':
			return `runs again: ${timeText(job.next_run_at)}.`;
		case 'remove':
			return 'is removed.';
	}
}

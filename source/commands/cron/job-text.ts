import {isDeepStrictEqual} from 'node:util';
import {z} from 'zod';
import {yamlText} from '../../config/edit/written-value.ts';
import {parseConfigText} from '../../config/read/file.ts';
import {createProblemList} from '../../config/values/problem-list.ts';
import {readStrictly} from '../../config/values/read-section.ts';
import {loadOpenProfile} from '../../gateway/documents/open-profile.ts';
import {type CronJob} from '../../runs/cron-job.ts';
import {type CronSchedule, scheduleText} from '../../runs/cron-schedule.ts';
import {createCronStore, type CronStore, findJob} from '../../runs/cron-store.ts';
import {editJob} from '../../runs/manage-jobs.ts';
import {type CallGateway} from '../../state/api.ts';
import {type JobEditJson} from '../../state/json/cron.ts';
import {targetNames} from '../../util/destinations.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {createRuntime, type Session} from '../cli/session.ts';
import {openTextEdit, type TextEdit} from '../config/text-edit.ts';

const fileName = 'job.yaml';

/** The text of a job: what `cron edit` can change, with its words. */
const jobText = () =>
	z.strictObject({
		name: z.string(),
		schedule: z.string(),
		time_zone: z.string().optional(),
		prompt: z.string(),
		deliver: z.string(),
		deliver_extra: z.custom<JsonObject>(isJsonObject).optional(),
		skills: z.array(z.string()),
		toolsets: z.array(z.string()).optional(),
	});

type JobText = z.infer<ReturnType<typeof jobText>>;

/** Copies a job for an editor, as YAML. The gateway stores it, so that it takes the new schedule at once. Rejects with `unknown_job` where it is gone. */
export async function copyJobText(
	session: Session,
	{id, call, signal}: {readonly id: string; readonly call: CallGateway; readonly signal: AbortSignal},
): Promise<TextEdit> {
	const store = await openStore(session);
	const before = textOf(jobOf(store, id));
	return openTextEdit({
		session,
		name: fileName,
		text: yamlText(before),
		line: undefined,
		directory: '',
		signal,
		check: async text => ({
			errors: await problemsOf(text, {before, store, id, now: session.clock.now()}),
			notes: [],
		}),
		async write(text) {
			if (!isDeepStrictEqual(textOf(jobOf(await openStore(session), id)), before)) {
				throw new Problem('config_changed', {message: 'The job has changed since it was read; nothing was written'});
			}

			const read = readText(text);
			const edit = read.kind === 'read' ? editOf(before, read.value) : {};
			await call('cron.edit', {reference: id, edit}, {profile: session.paths.profile});
		},
	});
}

async function openStore(session: Session): Promise<CronStore> {
	const {documents} = await loadOpenProfile(createRuntime(session));
	return createCronStore(documents, session.clock);
}

function jobOf(store: Pick<CronStore, 'list'>, id: string): CronJob {
	const job = findJob(store.list(), id);
	if (job instanceof Problem) {
		throw job;
	}

	return job;
}

/** The settings of a job as they are typed. Keys of targets are there where all have the same; other ones stay as they are. */
function textOf({name, schedule, prompt, deliver, skills, toolsets}: CronJob): JobText {
	const [first] = deliver;
	const isShared = deliver.every(({extra}) => isDeepStrictEqual(extra, first?.extra));
	return {
		name,
		...scheduleOf(schedule),
		prompt,
		deliver: targetNames(deliver),
		...(isShared && first && Object.keys(first.extra).length > 0 && {deliver_extra: first.extra}),
		skills: [...skills],
		...(toolsets && {toolsets: [...toolsets]}),
	};
}

function scheduleOf(schedule: CronSchedule): Pick<JobText, 'schedule' | 'time_zone'> {
	switch (schedule.kind) {
		case 'cron':
			return {schedule: schedule.expression, time_zone: schedule.timeZone};
		case 'interval':
			return {schedule: scheduleText(schedule)};
		case 'once':
			return {schedule: new Date(schedule.at).toISOString()};
	}
}

/** The settings that differ; without its list, a job has the usual toolsets again. */
function editOf(before: JobText, after: JobText): JobEditJson {
	const changed = Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(before, name)));
	return {
		...(Object.fromEntries(changed) as JobEditJson),
		...(before.toolsets && !after.toolsets && {toolsets: []}),
		...(before.deliver_extra && !after.deliver_extra && {deliver_extra: {}}),
	};
}

type ReadJob =
	| {readonly kind: 'read'; readonly value: JobText}
	| {readonly kind: 'broken'; readonly problems: readonly Problem[]};

function readText(text: string): ReadJob {
	const parsed = parseConfigText(fileName, text);
	if (parsed.kind !== 'read') {
		return {kind: 'broken', problems: parsed.kind === 'unusable' ? parsed.problems : []};
	}

	const problems = createProblemList({file: fileName, locate: parsed.locate});
	const reading = readStrictly(jobText(), parsed.value, {problems, path: []});
	return reading.kind === 'read' ? reading : {kind: 'broken', problems: problems.all()};
}

/** The mistakes of a text: its keys, with their lines, else the reason for which the store of the jobs would refuse it. */
async function problemsOf(
	text: string,
	{
		before,
		store,
		id,
		now,
	}: {readonly before: JobText; readonly store: CronStore; readonly id: string; readonly now: number},
): Promise<readonly Problem[]> {
	const read = readText(text);
	if (read.kind === 'broken') {
		return read.problems;
	}

	const {time_zone: timeZone, deliver_extra: deliverExtra, on_failure: _, ...edit} = editOf(before, read.value);
	// A store in which nothing changes.
	const trial: CronStore = {...store, change: async (_id, change) => change(jobOf(store, id))};
	try {
		await editJob(trial, id, {edit: {...edit, timeZone, deliverExtra}, now});
		return [];
	} catch (error) {
		return [toProblem(error, 'cron_invalid')];
	}
}

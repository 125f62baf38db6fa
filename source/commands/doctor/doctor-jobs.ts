import {type CronJob} from '../../runs/cron-job.ts';
import {createCronStore} from '../../runs/cron-store.ts';
import {type Clock} from '../../util/clock.ts';
import {targetNames} from '../../util/destinations.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, fine} from './finding.ts';
import {deliveryTroubles, type KeyPlace, runTroubles} from './run-parts.ts';

type NamedParts = Pick<CronJob, 'deliver' | 'onFailure' | 'skills' | 'toolsets'>;

/** The scheduled jobs of a profile: whether their runs find what they name. Rejects with the problem of what cannot be read. */
export async function checkJobs(profile: CheckedProfile, clock: Clock): Promise<readonly Finding[]> {
	const store = createCronStore(profile.documents, clock);
	return (await Promise.all(store.list().map(job => jobFindings(profile, job, store.place)))).flat();
}

async function jobFindings(profile: CheckedProfile, job: CronJob, file: string): Promise<readonly Finding[]> {
	const check = profile.checkName(`job ${job.name}`);
	const place = (key: string) => `\`${key}\` of the job ${job.id} in ${file}`;
	const troubles = await jobTroubles(profile, job, {check, place});
	return troubles.length > 0
		? troubles
		: [fine(check, job.paused ? 'It is paused' : `It delivers to ${targetNames(job.deliver)}`)];
}

/** The names of a job that its runs would not find. */
export async function jobTroubles(
	profile: Omit<CheckedProfile, 'documents'>,
	{deliver, onFailure, skills, toolsets = []}: NamedParts,
	{check, place}: {readonly check: string; readonly place: KeyPlace},
): Promise<readonly Finding[]> {
	return [
		...(await deliveryTroubles(profile, {check, place, deliver, onFailure})),
		...(await runTroubles(profile, {check, place, skills, toolsets})),
	];
}

import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CronJob} from './cron-job.ts';

/** The job a reference means: an exact id before a name, names in any case (docs/agents.md, Scheduled jobs). The Problem `unknown_job` when none or several are meant. */
export function findJob(jobs: readonly CronJob[], reference: string): CronJob | Problem {
	const byId = jobs.find(job => job.id === reference);
	const named = jobs.filter(job => job.name.toLowerCase() === reference.toLowerCase());
	const [first, ...others] = byId ? [byId] : named;
	const shown = JSON.stringify(safeText(reference, {maximumCharacters: 100}));
	if (!first) {
		return new Problem('unknown_job', {message: `No job has the id or name ${shown}`});
	}

	return others.length === 0
		? first
		: new Problem('unknown_job', {
				message: `Several jobs have the name ${shown}: ${named.map(({id}) => id).join(', ')}`,
			});
}

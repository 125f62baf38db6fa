import {openJournal} from '../../journal/journal.ts';
import {cronMethods} from './cron-methods.ts';
import {openCronService} from '../cron-service.ts';
import {type RuntimeContext, loadProfile} from '../profiles/profile-context.ts';

/** Opens the jobs of a profile in this process, for one command; nothing runs. */
export async function openCronAccess(runtime: RuntimeContext) {
	const context = await loadProfile(runtime);
	const {paths, clock, current} = context;
	const journal = openJournal({path: paths.journal, clock, limits: () => current().config.journal});
	const cron = openCronService(context, {journal, wakeRuns: () => undefined});
	const {list, create, change} = cronMethods(cron);
	return {
		list: async () => list(),
		create: async (job: Parameters<typeof create>[0]) => create(job),
		change: async (jobChange: Parameters<typeof change>[0]) => change(jobChange),
		async close() {
			cron.close();
			await journal.close();
		},
	};
}

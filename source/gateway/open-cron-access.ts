import {openJournal} from '../journal/journal.ts';
import {cronMethods} from './cron-methods.ts';
import {openCronWing} from './cron-wing.ts';
import {type Ground, layFoundation} from './foundation.ts';

/** Opens the jobs of a profile in this process, for one command; nothing runs. */
export async function openCronAccess(ground: Ground) {
	const foundation = await layFoundation(ground);
	const {paths, clock, current} = foundation;
	const journal = openJournal({path: paths.journal, clock, limits: () => current().config.journal});
	const cron = openCronWing(foundation, {journal, wakeRuns: () => undefined});
	const {list, create, change} = cronMethods(cron);
	return {
		list: async () => list(),
		create: async (job: Parameters<typeof create>[0]) => create(job),
		change: async (wish: Parameters<typeof change>[0]) => change(wish),
		async close() {
			cron.close();
			await journal.close();
		},
	};
}

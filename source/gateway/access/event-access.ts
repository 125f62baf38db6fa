import {failedDeliveryToJson} from '../../control/to-wire.ts';
import {openJournal} from '../../journal/open-journal.ts';
import {listFailedDeliveries} from '../failed-deliveries.ts';
import {storedEvents} from '../stored-events.ts';
import {loadProfile, type RuntimeContext} from '../profiles/profile-context.ts';

/** Opens the journal of the state directory in this process, for one command. The list has the events of `profile` alone; without one, those of all. */
export async function openEventAccess(runtime: RuntimeContext, profile?: string) {
	const context = await loadProfile(runtime);
	const {paths, clock, current, redactor} = context;
	const journal = openJournal({path: paths.journal, clock, limits: () => current().config.journal});
	return {
		...storedEvents({journal, redactor, profile}),
		failedDeliveries: async () => (await listFailedDeliveries(journal, paths.profile)).map(failedDeliveryToJson),
		close: journal.close,
	};
}

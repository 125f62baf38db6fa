import {failedDeliveryToJson} from '../../control/to-wire.ts';
import {openConfiguredJournal} from '../journal/configured-journal.ts';
import {listFailedDeliveries} from '../failed-deliveries.ts';
import {storedEvents} from '../stored-events.ts';
import {loadProfile, type RuntimeContext} from '../profiles/profile-context.ts';

/** Opens the journal of the state directory in this process, for one command. The list has the events of `profile` alone; without one, those of all. */
export async function openEventAccess(runtime: RuntimeContext, profile?: string) {
	const context = await loadProfile(runtime);
	const {paths, clock, redactor} = context;
	const journal = await openConfiguredJournal(context);
	return {
		...storedEvents({journal, clock, redactor, profile}),
		failedDeliveries: async () => (await listFailedDeliveries(journal, paths.profile)).map(failedDeliveryToJson),
		close: journal.close,
	};
}

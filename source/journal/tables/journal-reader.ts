import {type Dialect} from './dialect.ts';
import {type EventTable} from './events.ts';
import {type FailedDeliveryTable} from './failed-deliveries.ts';
import {type Query} from './query.ts';
import {createTables, type Tables} from './transactions.ts';

/** A journal that nothing is written to. */
export type JournalReader = {
	readonly findEvent: EventTable['find'];
	readonly listEvents: EventTable['list'];
	readonly listFailedDeliveries: FailedDeliveryTable['list'];
	readonly findIdentity: Tables['readIdentity'];
	readonly close: () => Promise<void>;
};

/** Reads the tables behind a query. */
export function createJournalReader(query: Query, dialect: Dialect, close: () => Promise<void>): JournalReader {
	const owner = {instanceId: null, clockAhead: 0};
	const {events, failedDeliveries, readIdentity} = createTables({query, dialect, owner});
	return {
		findEvent: events.find,
		listEvents: events.list,
		listFailedDeliveries: failedDeliveries.list,
		findIdentity: readIdentity,
		close,
	};
}

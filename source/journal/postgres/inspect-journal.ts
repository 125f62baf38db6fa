import {type JournalReader} from '../journal.ts';
import {type DocumentRow} from '../rows/document-rows.ts';
import {databaseProblem, type JournalDatabase, openConnection, unusable} from './connection.ts';
import {createDocumentTable} from './documents.ts';
import {type DatabaseState, inspectDatabase} from './prepare-database.ts';
import {postgresDialect} from '../tables/dialect.ts';
import {createTables} from '../tables/transactions.ts';

/** What is read of a journal in a database, which has the documents of its profiles too. */
type DatabaseReader = JournalReader & {readonly listDocuments: () => Promise<readonly DocumentRow[]>};

/**
Opens the journal of a database for reading alone; nothing is created. The reader is undefined when there is no journal yet. Rejects with
`storage_unavailable` for a database that a gateway could not use.
*/
export async function openDatabaseReader(
	database: JournalDatabase,
	signal: AbortSignal,
): Promise<DatabaseState & {readonly reader: DatabaseReader | undefined}> {
	try {
		const {query, close} = await openConnection(database, {onLost: () => undefined, signal});
		const state = await inspectDatabase(query, database).catch(async (caught: unknown) => {
			await close();
			throw caught;
		});
		if (state.journal === 'not yet') {
			await close();
			return {...state, reader: undefined};
		}

		const owner = {instanceId: null, clockAhead: 0};
		const {events, failedDeliveries, readIdentity} = createTables({query, dialect: postgresDialect, owner});
		const documents = createDocumentTable(query);
		return {
			...state,
			reader: {
				findEvent: id => events.find(id),
				listEvents: listed => events.list(listed),
				listFailedDeliveries: listed => failedDeliveries.list(listed),
				findIdentity: () => readIdentity(),
				listDocuments: () => documents.list([]),
				close,
			},
		};
	} catch (caught) {
		throw databaseProblem(caught, database, unusable(database));
	}
}

import {type DocumentRow} from '../rows/document-rows.ts';
import {databaseProblem, type JournalDatabase, openConnection, unusable} from './connection.ts';
import {createDocumentTable} from './documents.ts';
import {type DatabaseState, inspectDatabase} from './prepare-database.ts';
import {postgresDialect} from '../tables/dialect.ts';
import {createJournalReader, type JournalReader} from '../tables/journal-reader.ts';

/** A reader of a journal in a database, which has the documents of its profiles too. */
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

		const documents = createDocumentTable(query);
		const reader = createJournalReader(query, postgresDialect, close);
		return {...state, reader: {...reader, listDocuments: () => documents.list([])}};
	} catch (caught) {
		throw databaseProblem(caught, database, unusable(database));
	}
}

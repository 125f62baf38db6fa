import {DatabaseSync} from 'node:sqlite';
import {schemaText as databaseText} from '../../source/journal/postgres/schema.ts';
import {schemaText as fileText} from '../../source/journal/sqlite/schema.ts';
import {to} from './destinations.ts';
import {administer} from './postgres-server.ts';

/** A run that waits in a journal of the first version. */
export const olderRun = {
	id: 'run-of-before',
	eventId: 'event-of-before',
	profile: 'default',
	route: 'github',
	event: 'push',
	deliveryId: 'd-1',
	prompt: 'Look at main',
	deliver: to('telegram', {chat_id: '7'}),
	skills: [],
	createdAt: 1_700_000_000_000,
};

/** The same as that version wrote it. */
const writtenRun = JSON.stringify({...olderRun, deliver: 'telegram', deliverExtra: {chat_id: '7'}});

const rows = (record: string) => `
	INSERT INTO deliveries (route, delivery_id, expires_at) VALUES ('github', 'd-1', 4102444800000);
	INSERT INTO runs (id, event_id, profile, state, changed_at, record)
		VALUES ('${olderRun.id}', '${olderRun.eventId}', 'default', 'queued', 1700000000000, '${record}');
`;

/** Writes a file as the first version did, with a run that waits and a delivery id. It stays open where `use` says so. */
export function writeOlderFile(path: string): DatabaseSync {
	const database = new DatabaseSync(path);
	database.exec(`PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; ${fileText}`);
	database.exec(`${rows(writtenRun)} PRAGMA user_version = 20`);
	return database;
}

/** The same in a schema of a database. */
export async function writeOlderDatabase({
	url,
	schema,
}: {
	readonly url: string;
	readonly schema: string;
}): Promise<void> {
	await administer(
		url,
		`CREATE SCHEMA ${schema}`,
		`SET search_path = ${schema}; ${databaseText} INSERT INTO journal_version VALUES (5); ${rows(writtenRun)}`,
	);
}

import {fileDocuments} from '../../config/values/document-files.ts';
import {type DocumentsOf} from '../../config/values/stored-document.ts';
import {createDatabaseDocuments} from '../../gateway/documents/database-documents.ts';
import {type JournalDatabase} from '../../journal/postgres/connection.ts';
import {type DocumentRow} from '../../journal/rows/document-rows.ts';
import {Problem} from '../../util/problem.ts';
import {type CheckedProfile} from './checked-profile.ts';

/**
Rules, hold, subscriptions and jobs of the profiles of a gateway, as they are stored where its journal is: in files, or in its database, where they are
read once. Those of a database that is not connected to, or cannot be read, throw `storage_unavailable` when they are read (`isUnread`).
*/
export async function readStoredDocuments(
	{loaded, scope}: Pick<CheckedProfile, 'loaded' | 'scope'>,
	{reach, signal}: {readonly reach: 'network' | 'files'; readonly signal: AbortSignal},
): Promise<DocumentsOf> {
	const {database} = loaded.config.journal;
	if (!database) {
		return fileDocuments;
	}

	const rows =
		reach === 'files'
			? undefined
			: await readRows({...database, url: scope.expand(database.url)}, signal).catch(() => undefined);
	const unchanged = async () => {
		throw new Problem('internal', {message: 'A look changes nothing'});
	};
	const documents = createDatabaseDocuments({
		withJournal: work => work({listDocuments: async () => rows ?? [], replaceDocument: unchanged, announce: unchanged}),
		by: () => '',
		onWritten: () => undefined,
	});
	await (rows && documents.refresh());
	return ({profile}) => documents.of(profile);
}

/** True for the problem of a document whose database was not read: nothing is known of it, and the check of the journal says why. */
export function isUnread(caught: unknown): boolean {
	return caught instanceof Problem && caught.code === 'storage_unavailable';
}

async function readRows(database: JournalDatabase, signal: AbortSignal): Promise<readonly DocumentRow[]> {
	const {openDatabaseReader} = await import('../../journal/postgres/inspect-journal.ts');
	const {reader} = await openDatabaseReader(database, signal);
	try {
		return (await reader?.listDocuments()) ?? [];
	} finally {
		await reader?.close();
	}
}

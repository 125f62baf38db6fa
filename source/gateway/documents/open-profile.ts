import {hostname} from 'node:os';
import {fileDocuments} from '../../config/values/document-files.ts';
import {type Documents, type DocumentsOf} from '../../config/values/stored-document.ts';
import {followOthers} from '../../journal/follow-others.ts';
import {type Journal} from '../../journal/journal.ts';
import {findDatabase, openConfiguredJournal} from '../journal/configured-journal.ts';
import {createDatabaseDocuments, type DatabaseAccess} from './database-documents.ts';
import {loadProfile, type ProfileContext, type RuntimeContext} from '../profiles/profile-context.ts';

/** A profile with what it has stored beside its configuration. */
export type OpenProfile = ProfileContext & {readonly documents: Documents};

/** Reads a profile in this process, for one command. Rejects with `config_unreadable` when the state directory cannot be used, or with `storage_unavailable`. */
export async function loadOpenProfile(runtime: RuntimeContext): Promise<OpenProfile> {
	const context = await loadProfile(runtime);
	const documentsOf = await readDocuments(context);
	return {...context, documents: documentsOf(context.paths)};
}

/** The documents of a state directory as they are now, for one command: what it changes is written at once. Rejects with `storage_unavailable`. */
export async function readDocuments(context: ProfileContext): Promise<DocumentsOf> {
	if (!(await findDatabase(context))) {
		return fileDocuments;
	}

	const withJournal: DatabaseAccess['withJournal'] = async work => {
		const journal = await openConfiguredJournal(context);
		try {
			return await work(journal);
		} finally {
			await journal.close();
		}
	};

	const documents = createDatabaseDocuments({withJournal, ...writtenByCommand});
	await documents.refresh();
	return ({profile}) => documents.of(profile);
}

/** The documents of a profile for a command that stays, with its journal: what others change is taken over. Rejects with `storage_unavailable`. */
export async function openDocuments(
	context: ProfileContext,
	journal: Journal,
): Promise<{readonly documents: Documents; readonly close: () => void}> {
	if (!(await findDatabase(context))) {
		return {documents: fileDocuments(context.paths), close: () => undefined};
	}

	const documents = createDatabaseDocuments({withJournal: work => work(journal), ...writtenByCommand});
	await documents.refresh();
	const {close} = followOthers(context.clock, documents.refresh);
	return {documents: documents.of(context.paths.profile), close};
}

const writtenByCommand: Pick<DatabaseAccess, 'by' | 'onWritten'> = {
	by: () => `a command on ${hostname()}`,
	// Gateways that hear nothing of it poll within a second.
	onWritten: journal => journal.announce('documents').catch(() => undefined),
};

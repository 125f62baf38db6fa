import {hostname} from 'node:os';
import {defaultProfile, statePaths} from '../../config/read/state-paths.ts';
import {readDocumentFiles} from '../../config/values/document-files.ts';
import {acquireLock} from '../../control/lock.ts';
import {countMovedRows, moveJournal, type MoveProgress} from '../../journal/move-journal.ts';
import {type MovedRow} from '../../journal/tables/moved-rows.ts';
import {hostOf, type JournalDatabase} from '../../journal/postgres/connection.ts';
import {Problem} from '../../util/problem.ts';
import {configuredDatabase} from './configured-journal.ts';
import {createKnownJournals} from './known-journals.ts';
import {otherProfileNames, profileDirectories} from '../profiles/other-profiles.ts';
import {loadProfile, type ProfileContext, refuseUnusable, type RuntimeContext} from '../profiles/profile-context.ts';

/**
Opens the journal of a profile and the database that its configuration names, in this process, for one command. No gateway can start meanwhile.
Rejects with `gateway_running` while one runs, and with `journal_not_moved` where there is nothing to move to.
*/
export async function openJournalMove(runtime: RuntimeContext) {
	const context = await loadProfile(runtime);
	const database = namedDatabase(context);
	const {journal: path, lock} = context.paths;
	const {release} = await acquireLock(lock);
	return {
		path,
		host: hostOf(database),
		schema: database.schema,
		async count(signal: AbortSignal) {
			return countMovedRows({path, database, signal, documents: await readDocuments(context)});
		},
		async move(signal: AbortSignal, onProgress: (progress: MoveProgress) => void) {
			const documents = await readDocuments(context);
			const digests = await moveJournal({path, database, signal, onProgress, documents});
			// The next start takes it as it is, also where another one was known there.
			await createKnownJournals(path).remember(database, undefined);
			return digests;
		},
		close: release,
	};
}

/** The first versions of the documents of every profile that the gateway serves, as their files are. Rejects with `config_unreadable`. */
async function readDocuments({paths, clock, current}: ProfileContext): Promise<readonly MovedRow[]> {
	const {node = hostname()} = current().config.journal;
	const profiles = [paths.profile, ...(await otherProfiles({paths, current}))];
	const documents = await Promise.all(
		profiles.map(async profile => {
			const files = await readDocumentFiles(statePaths({root: paths.root, profile}).directory);
			return files.map(({name, content}) => ({profile, name, content}));
		}),
	);
	return documents.flat().map(document => ({...document, version: 1, changed_at: clock.now(), changed_by: node}));
}

async function otherProfiles({paths, current}: Pick<ProfileContext, 'paths' | 'current'>): Promise<readonly string[]> {
	return paths.profile === defaultProfile
		? otherProfileNames(current().config.gateway.profiles, await profileDirectories(paths.root))
		: [];
}

function namedDatabase(context: ProfileContext): JournalDatabase {
	refuseUnusable(context);
	const database = configuredDatabase(context);
	if (!database) {
		throw new Problem('journal_not_moved', {
			message: 'config.yaml names no database for the journal',
			remedy: 'Set journal.url in config.yaml to postgres://USER:PASSWORD@HOST:PORT/DATABASE',
		});
	}

	return database;
}

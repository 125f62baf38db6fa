import {readFileSync} from 'node:fs';
import {type StatePaths} from '../config/read/state-paths.ts';
import {type Journal} from '../journal/journal.ts';
import {type JournalDatabase} from '../journal/postgres/connection.ts';
import {Problem} from '../util/problem.ts';
import {type ProfileContext} from './profiles/profile-context.ts';

/** Opens the journal of a profile in this process, wherever its configuration says it is: for one command. Rejects with `storage_unavailable`. */
export async function openConfiguredJournal(context: ProfileContext): Promise<Journal> {
	const {paths, clock, current} = context;
	// A gateway needs only what is below, and leaves the file to a thread.
	const {openJournalAnywhere} = await import('../journal/open-journal.ts');
	return openJournalAnywhere({
		path: paths.journal,
		database: configuredDatabase(context),
		clock,
		limits: () => current().config.journal,
	});
}

/**
The database of the journal with its address as it is now; undefined when the journal is a file. Throws `storage_unavailable` for a configuration that
cannot be read and may name one: what is written to a file then would be missing in the database.
*/
export function configuredDatabase({
	paths,
	current,
	expand,
}: Pick<ProfileContext, 'paths' | 'current' | 'expand'>): JournalDatabase | undefined {
	const {file, config} = current();
	if (file === 'unusable' && mayNameDatabase(paths)) {
		throw new Problem('storage_unavailable', {
			message: 'config.yaml cannot be read, which says where the journal is',
			remedy: 'Correct config.yaml: `sluice doctor` says where the mistake is',
		});
	}

	const {database} = config.journal;
	return database && {...database, url: expand(database.url)};
}

/** A quick look: both words may stand there for something else, but `journal.url` has both. */
export function mayNameDatabase({config}: Pick<StatePaths, 'config'>): boolean {
	try {
		const text = readFileSync(config, 'utf8');
		return text.includes('journal') && text.includes('url');
	} catch {
		return false;
	}
}

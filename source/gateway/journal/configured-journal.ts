import {readFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {defaultProfile, type StatePaths, statePaths} from '../../config/read/state-paths.ts';
import {type Journal} from '../../journal/journal.ts';
import {requireIdentity} from '../../journal/journal-identity.ts';
import {type JournalDatabase} from '../../journal/postgres/connection.ts';
import {Problem} from '../../util/problem.ts';
import {createKnownJournals} from './known-journals.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';

/** Opens the journal of a profile in this process, wherever its configuration says it is: for one command. Rejects with `storage_unavailable`. */
export async function openConfiguredJournal(context: ProfileContext): Promise<Journal> {
	const {paths, clock, current} = context;
	// A gateway needs only what is below, and leaves the file to a thread.
	const {openJournalAnywhere} = await import('../../journal/open-journal.ts');
	const database = await findDatabase(context);
	const known = createKnownJournals(paths.journal);
	const whenEmpty = known.whenEmpty(database);
	const limits = () => current().config.journal;
	const place = {path: paths.journal, database};
	const opened = await openJournalAnywhere({...place, whenEmpty, clock, limits});
	const journal = await requireIdentity(opened, known.identity(database), place);
	await known.remember(database, await journal.findIdentity());
	return journal;
}

/**
The database that a command of a profile works with: that of the gateway that serves it beside the default profile, else its own; undefined when the
journal is a file. Rejects as `configuredDatabase` does.
*/
export async function findDatabase(context: ProfileContext): Promise<JournalDatabase | undefined> {
	const {environment} = context;
	const {root, profile} = context.paths;
	const paths = statePaths({root, profile: defaultProfile});
	if (profile === defaultProfile || !mayNameDatabase(paths)) {
		return configuredDatabase(context);
	}

	// A gateway gets along without what only such a command needs.
	const {loadConfig} = await import('../../config/read/load-config.ts');
	const {createExpand} = await import('../../config/secrets/variables.ts');
	const {otherProfileNames, profileDirectories} = await import('../profiles/other-profiles.ts');
	const loaded = await loadConfig({paths, environment});
	const served = otherProfileNames(loaded.config.gateway.profiles, await profileDirectories(root));
	const isServed = loaded.file === 'unusable' || served.includes(profile);
	const expand = createExpand(loaded.secrets, environment);
	return (isServed && configuredDatabase({paths, current: () => loaded, expand})) || configuredDatabase(context);
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
			message: 'config.yaml, which names the journal, cannot be read',
			remedy: 'Correct config.yaml: `sluice doctor` says where the mistake is',
		});
	}

	const {database} = config.journal;
	return database && {...database, url: expand(database.url)};
}

/** The name of this gateway in its journal: `journal.node`, or the host name. */
export function nodeName({journal}: Pick<GatewayConfig, 'journal'>): string {
	return journal.node ?? hostname();
}

/** The name of a gateway with this configuration among those that share its journal; undefined when that is a file. */
export function sharedName(config: Pick<GatewayConfig, 'journal'>): string | undefined {
	return config.journal.database && nodeName(config);
}

/** A quick check: both words may be there for another reason, but `journal.url` has both. */
export function mayNameDatabase({config}: Pick<StatePaths, 'config'>): boolean {
	try {
		const text = readFileSync(config, 'utf8');
		return text.includes('journal') && text.includes('url');
	} catch {
		return false;
	}
}

import {refuseLost} from '../../gateway/journal/known-journals.ts';
import {type JournalDatabase} from '../../journal/postgres/connection.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {fine, trouble} from './finding.ts';

/** The journal in a database, open for reading where there is one. Rejects with the reason that it could not be used. */
export async function checkDatabase({keyPlace, paths}: CheckedProfile, database: JournalDatabase, signal: AbortSignal) {
	const {openDatabaseReader} = await import('../../journal/postgres/inspect-journal.ts');
	const {reader, journal, copies, cleanUp} = await openDatabaseReader(database, signal);
	const place = {path: paths.journal, database};
	try {
		const identity = journal === 'there' ? await reader?.findIdentity() : undefined;
		refuseLost(journal === 'not yet' ? 'empty' : {identity}, place);
	} catch (caught) {
		await reader?.close();
		throw caught;
	}

	const schema = `schema ${database.schema} of ${keyPlace('journal', 'url')}`;
	const state = {
		there: `The journal in ${schema} can be used`,
		older: `The journal in ${schema} has an older version; the next start updates it`,
		'not yet': `A journal can be created in ${schema}`,
	}[journal];
	const lost = {
		message:
			'The standbys of the journal database may lag behind it: when one takes over, rows that were confirmed may be lost',
		remedy: 'Set synchronous_standby_names in postgresql.conf to the standbys that may take over',
	};
	const left = {
		message: `Views or functions that \`journal grant-console\` made are still in schema ${database.schema}: the role of journal.url may not drop them`,
		remedy: `Have their owner run ${cleanUp.map(statement => `\`${statement}\``).join(' and ')}`,
	};
	return {
		journal: reader,
		findings: [
			fine('journal', state),
			...(copies === 'asynchronous' ? [trouble('journal', 'warning', lost)] : []),
			...(cleanUp.length > 0 ? [trouble('journal', 'warning', left)] : []),
		],
	};
}

import {z} from 'zod';
import {Problem} from '../../util/problem.ts';
import {schemaRefusal} from '../tables/schema-refusal.ts';
import {databaseVersions} from '../tables/schema-steps.ts';
import {type Query, readRows} from '../tables/query.ts';

const versionRow = z.object({version: z.number()});

/** The version of the journal's tables. Rejects for one that this program cannot work with, as `schemaRefusal` says. */
export async function readVersion(query: Query): Promise<number> {
	const [found] = await readRows(versionRow, query('SELECT version FROM journal_version'));
	const refused = schemaRefusal(found?.version, databaseVersions);
	if (refused || !found) {
		throw refused ?? new Problem('storage_unavailable');
	}

	return found.version;
}

import {z} from 'zod';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {databaseVersions} from '../tables/schema-steps.ts';
import {databaseTime, lockOf} from './node-names.ts';
import {type Query, readRows} from '../tables/query.ts';

const nameRow = z.object({name: z.string()});

/**
Rejects with `storage_unavailable` while a gateway has the tables of this version open and would not notice that they change, with its name: every
gateway of a later version than the first does.
*/
export async function refuseUnaware(query: Query, version: number): Promise<void> {
	if (version > databaseVersions.first) {
		return;
	}

	// One without a heartbeat for long may only be frozen: it goes on with the connection that it has, and that holds its name.
	const text = `
		SELECT DISTINCT name FROM nodes WHERE state = 'alive' AND seen_at + lease >= ${databaseTime} OR EXISTS (
			SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = ${lockOf('name')}
				AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		) ORDER BY name`;
	const alive = (await readRows(nameRow, query(text))).map(({name}) => safeText(name, {maximumCharacters: 100}));
	if (alive.length > 0) {
		const [those, them] = alive.length === 1 ? ['gateway', 'that gateway'] : ['gateways', 'those gateways'];
		throw new Problem('storage_unavailable', {
			message: `The ${those} ${alive.join(', ')} of an older version cannot follow the change of the journal from schema ${version} to ${databaseVersions.current}`,
			remedy: `Stop ${them} first: this one then starts by itself, and the older version can no longer use this journal`,
		});
	}
}

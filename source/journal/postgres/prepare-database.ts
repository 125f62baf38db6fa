import {z} from 'zod';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type JournalDatabase} from './connection.ts';
import {type Query, readRows} from './query.ts';
import {schemaText, schemaVersion} from './schema.ts';

/** The oldest version that the PostgreSQL project still mends. */
const oldestServer = 140_000;

const serverRow = z.object({
	version: z.number(),
	fsync: z.string(),
	fullPageWrites: z.string(),
	encoding: z.string(),
	isReadOnly: z.boolean(),
});
const schemaRow = z.object({
	isThere: z.boolean(),
	relations: z.number(),
	hasVersion: z.boolean(),
	mayUse: z.boolean().nullable(),
	mayCreate: z.boolean().nullable(),
	role: z.string(),
	database: z.string(),
});
const versionRow = z.object({version: z.number()});
const rightsRow = z.object({missing: z.string().nullable()});

/**
Makes sure that the database keeps what it confirms, that the schema holds this version of the journal; creates the tables of a new
one. Rejects with `storage_unavailable`, and leaves a schema that is not ours as it was.
*/
export async function prepareDatabase(query: Query, {schema}: JournalDatabase): Promise<void> {
	await checkServer(query);
	await query('BEGIN');
	try {
		// Of two that create the tables at once, the second finds them.
		await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sluice tables ${schema}`]);
		await applySchema(query, schema);
		await query('COMMIT');
	} catch (caught) {
		await query('ROLLBACK').catch(() => undefined);
		throw caught;
	}

	await checkRights(query, schema);
}

/** What a look at a database finds; nothing is changed. Rejects with `storage_unavailable` for one that could not be used. */
export type DatabaseState = {
	readonly journal: 'there' | 'not yet';
	/** `asynchronous`: a copy that takes over may lack what was confirmed. */
	readonly copies: 'none' | 'synchronous' | 'asynchronous';
};

const copiesRow = z.object({names: z.string(), count: z.number()});

/** Looks at a database that a journal is or will be in. */
export async function inspectDatabase(query: Query, {schema}: JournalDatabase): Promise<DatabaseState> {
	await checkServer(query);
	const isThere = (await checkSchema(query, schema)) === 'journal';
	if (isThere) {
		await checkRights(query, schema);
	}

	const text = `SELECT current_setting('synchronous_standby_names') AS names, count(*) AS count FROM pg_stat_replication`;
	const [copies] = await readRows(copiesRow, query(text));
	const isCopied = copies !== undefined && copies.count > 0;
	return {
		journal: isThere ? 'there' : 'not yet',
		copies: isCopied ? (copies.names === '' ? 'asynchronous' : 'synchronous') : 'none',
	};
}

async function checkServer(query: Query): Promise<void> {
	const [server] = await readRows(
		serverRow,
		query(`
			SELECT current_setting('server_version_num')::integer AS version, current_setting('fsync') AS fsync,
				current_setting('full_page_writes') AS "fullPageWrites", current_setting('server_encoding') AS encoding,
				pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly"`),
	);
	if (!server) {
		return;
	}

	const {version, fsync, fullPageWrites, encoding, isReadOnly} = server;
	if (version < oldestServer) {
		throw refusal('The database of the journal is older than PostgreSQL 14', 'Upgrade it to a version that is mended');
	}

	for (const [name, value] of Object.entries({fsync, full_page_writes: fullPageWrites})) {
		if (value !== 'on') {
			throw refusal(
				`The database of the journal may lose what it confirmed: ${name} is off`,
				`Set ${name} = on in postgresql.conf, and restart the server`,
			);
		}
	}

	if (encoding !== 'UTF8') {
		throw refusal(
			`The database of the journal stores texts as ${encoding}, which has no place for some of them`,
			'Create a database with ENCODING UTF8 TEMPLATE template0 and name it in journal.url',
		);
	}

	if (isReadOnly) {
		throw refusal(
			'The database of the journal can only be read: it is a copy of another one',
			'Name the server that the copies are made of in journal.url',
		);
	}
}

async function applySchema(query: Query, schema: string): Promise<void> {
	const state = await checkSchema(query, schema);
	if (state === 'journal') {
		return;
	}

	// As one statement: several at once would have several results.
	const text = `${state === 'empty' ? '' : `CREATE SCHEMA "${schema}";`} ${schemaText}`;
	await query(`DO $sluice$ BEGIN ${text} END $sluice$`);
}

/** What a schema holds. Rejects with `storage_unavailable` for one that is not ours, or of another version. */
async function checkSchema(query: Query, schema: string): Promise<'journal' | 'empty' | 'missing'> {
	const [found] = await readRows(
		schemaRow,
		query(
			`SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1) AS "isThere",
				count(*) FILTER (WHERE relname = 'journal_version') > 0 AS "hasVersion", count(*) AS relations,
				(SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = $1) AS "mayUse",
				CASE WHEN EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)
					THEN (SELECT has_schema_privilege(oid, 'USAGE') AND has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = $1)
					ELSE has_database_privilege(current_database(), 'CREATE') END AS "mayCreate",
				current_user::text AS role, current_database()::text AS database
			FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1`,
			[schema],
		),
	);
	if (found?.hasVersion) {
		if (found.mayUse !== true) {
			throw refusal(
				`The role of journal.url may not use the schema ${schema}`,
				`Let the role own the schema, or GRANT USAGE ON SCHEMA ${schema} to it, and then the rights on its tables`,
			);
		}

		await checkVersion(query);
		return 'journal';
	}

	if (found && found.relations > 0) {
		throw refusal(
			`The schema ${schema} has tables that are not a journal of Sluice`,
			'Set journal.schema to the name of a schema that is empty or not there yet',
		);
	}

	if (found) {
		checkCreation(found, schema);
	}

	return found?.isThere ? 'empty' : 'missing';
}

/** Throws unless the role may create the tables, in a schema that it would create before where there is none. */
function checkCreation({isThere, mayCreate, database, role}: z.output<typeof schemaRow>, schema: string): void {
	if (mayCreate !== true) {
		const where = isThere ? `tables in the schema ${schema}` : 'a schema in that database';
		const owner = `CREATE SCHEMA ${schema} AUTHORIZATION ${JSON.stringify(role)}`;
		throw refusal(
			`The role of journal.url may not create ${where}`,
			isThere
				? `Let the role own the schema, or GRANT USAGE, CREATE ON SCHEMA ${schema} to it`
				: `Let an owner of the database ${safeText(database)} say ${safeText(owner)}`,
		);
	}
}

async function checkVersion(query: Query): Promise<void> {
	const [found] = await readRows(versionRow, query('SELECT version FROM journal_version'));
	if (found?.version !== schemaVersion) {
		throw new Problem('storage_unavailable', {
			message: 'The journal was written by another version of Sluice',
			detail: `schema ${found?.version ?? 'unknown'}, expected ${schemaVersion}`,
			remedy: 'Start that version of Sluice, or set journal.schema to another name',
		});
	}
}

const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** What to do for a role that may not use the tables. */
export function rightsRemedy({schema}: Pick<JournalDatabase, 'schema'>): string {
	return `Let the role own the schema, or GRANT ${rights.join(', ')} ON ALL TABLES IN SCHEMA ${schema} to it`;
}

/** Said at the start, not by the first webhook. */
async function checkRights(query: Query, schema: string): Promise<void> {
	const text = `
		SELECT min(relname) AS missing FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
		WHERE nspname = $1 AND relkind = 'r' AND NOT (${rights.map(right => `has_table_privilege(pg_class.oid, '${right}')`).join(' AND ')})`;
	const [{missing} = {missing: null}] = await readRows(rightsRow, query(text, [schema]));
	if (missing !== null) {
		throw refusal(
			`The role of journal.url may not read and write the table ${missing} of schema ${schema}`,
			rightsRemedy({schema}),
		);
	}
}

function refusal(message: string, remedy: string): Problem {
	return new Problem('storage_unavailable', {message, remedy});
}

import {z} from 'zod';
import {Problem} from '../../util/problem.ts';
import {emptyJournalRemedy} from '../../util/file-remedies.ts';
import {safeText} from '../../util/safe-text.ts';
import {hostOf, type JournalDatabase} from './connection.ts';
import {type Query, readRows} from '../tables/query.ts';
import {type RefusingTable, type WhenEmpty} from '../operations/operation-values.ts';
import {databaseVersions, missingSteps, roleObjects, tablesOf, versionState} from '../tables/schema-steps.ts';
import {refuseUnaware} from './live-nodes.ts';
import {schemaText} from './schema.ts';
import {readVersion} from './schema-version.ts';

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
const refusingRow = z.object({table: z.string(), isMissing: z.boolean(), schema: z.string().nullable()});

/**
Makes sure that the database keeps what it confirms, that the schema holds this version of the journal; creates the tables of a new
one, and brings those of an older version up to date. Rejects with `storage_unavailable` or `schema_newer`, and leaves a schema that is not ours as
it was.
*/
export async function prepareDatabase(
	query: Query,
	database: JournalDatabase,
	whenEmpty: WhenEmpty = 'create',
): Promise<void> {
	const {schema} = database;
	await checkServer(query);
	await query('BEGIN');
	try {
		// Of two that create the tables at once, the second finds them.
		await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sluice tables ${schema}`]);
		await applySchema(query, database, whenEmpty);
		await query('COMMIT');
	} catch (caught) {
		await query('ROLLBACK').catch(() => undefined);
		throw caught;
	}

	await checkTables(query, schema);
}

/** The state of a database as it is found; nothing is changed. Rejects with `storage_unavailable` for one that could not be used. */
export type DatabaseState = {
	readonly journal: 'there' | 'older' | 'not yet';
	/** `asynchronous`: a copy that takes over may lack what was confirmed. */
	readonly copies: 'none' | 'synchronous' | 'asynchronous';
	/** Statements of an owner that remove what earlier versions made, and a schema step had to leave. */
	readonly cleanUp: readonly string[];
};

const copiesRow = z.object({names: z.string(), count: z.number()});

/** Inspects a database that a journal is or will be in. */
export async function inspectDatabase(query: Query, {schema}: JournalDatabase): Promise<DatabaseState> {
	await checkServer(query);
	const found = await checkSchema(query, schema);
	const isThere = typeof found === 'object';
	// An older one lacks what its next start makes.
	if (isThere && !isOlder(found.version)) {
		await checkTables(query, schema);
	}

	const text = `SELECT current_setting('synchronous_standby_names') AS names, count(*) AS count FROM pg_stat_replication`;
	const [copies] = await readRows(copiesRow, query(text));
	const isCopied = copies !== undefined && copies.count > 0;
	return {
		cleanUp: isThere && !isOlder(found.version) ? await findLeftObjects(query, schema) : [],
		journal: isThere ? (isOlder(found.version) ? 'older' : 'there') : 'not yet',
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
		throw refusal(
			'The database of the journal is older than PostgreSQL 14',
			'Upgrade it to a version that is supported',
		);
	}

	for (const [name, value] of Object.entries({fsync, full_page_writes: fullPageWrites})) {
		if (value !== 'on') {
			throw refusal(
				`The database of the journal may lose rows that it confirmed: ${name} is off`,
				`Set ${name} = on in postgresql.conf, and restart the server`,
			);
		}
	}

	if (encoding !== 'UTF8') {
		throw refusal(
			`The database of the journal stores texts as ${encoding}, which lacks some characters`,
			'Create a database with ENCODING UTF8 TEMPLATE template0 and name it in journal.url',
		);
	}

	if (isReadOnly) {
		throw refusal(
			'The database of the journal can only be read: it is a standby of another server',
			'Set journal.url to the primary server',
		);
	}
}

async function applySchema(query: Query, database: JournalDatabase, whenEmpty: WhenEmpty): Promise<void> {
	const {schema} = database;
	const state = await checkSchema(query, schema);
	const isThere = typeof state === 'object';
	if (isThere && !isOlder(state.version)) {
		return;
	}

	if (isThere) {
		await refuseUnaware(query, state.version);
		await carryOut(query, ...stepsFrom(state.version));
		return;
	}

	if (whenEmpty === 'refuse') {
		const place = `the schema ${schema} of the database on ${hostOf(database)}`;
		throw refusal(
			`The journal that this state directory had is gone: there are no tables in ${place}`,
			emptyJournalRemedy(place),
		);
	}

	const {first} = databaseVersions;
	const creation = state === 'empty' ? '' : `CREATE SCHEMA "${schema}";`;
	await carryOut(query, creation, schemaText, `INSERT INTO journal_version VALUES (${first});`, ...stepsFrom(first));
}

function isOlder(version: number): boolean {
	return versionState(version, databaseVersions) === 'older';
}

/** Gateways that have it open learn at their next heartbeat that the tables changed, and check the version before they go on. */
function stepsFrom(version: number): readonly string[] {
	return [
		...missingSteps(version, databaseVersions).map(({text}) => text),
		`UPDATE journal_version SET version = ${databaseVersions.current};`,
		`UPDATE nodes SET state = 'dead' WHERE state = 'alive';`,
	];
}

/** As one statement: several at once would have several results. */
async function carryOut(query: Query, ...texts: readonly string[]): Promise<void> {
	await query(`DO $sluice$ BEGIN ${texts.join(' ')} END $sluice$`);
}

/** The content of a schema. Rejects with `storage_unavailable` for one that is not ours, or too old, and with `schema_newer`. */
async function checkSchema(query: Query, schema: string): Promise<{readonly version: number} | 'empty' | 'missing'> {
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

		return {version: await readVersion(query)};
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
				: `Have an owner of the database ${safeText(database)} run ${safeText(owner)}`,
		);
	}
}

const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** The remedy for a role that may not use the tables. */
export function rightsRemedy({schema}: Pick<JournalDatabase, 'schema'>): string {
	return `Let the role own the schema, or GRANT ${rights.join(', ')} ON ALL TABLES IN SCHEMA ${schema} to it`;
}

const ownTables = tablesOf(schemaText, databaseVersions);

/** The tables of the schema on the search path that are missing, or that the role may not use. */
export async function findRefusingTables(query: Query): Promise<readonly RefusingTable[]> {
	const mayUse = rights.map(right => `has_table_privilege(found.oid, '${right}')`).join(' AND ');
	const text = `
		SELECT name AS "table", found.oid IS NULL AS "isMissing", current_schema() AS schema
		FROM unnest($1::text[]) AS name LEFT JOIN pg_class AS found
			ON relname = name AND relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
		WHERE found.oid IS NULL OR NOT (${mayUse}) ORDER BY 1`;
	const rows = await readRows(refusingRow, query(text, [ownTables]));
	return rows.map(({table, isMissing, schema}) => ({
		table,
		why: isMissing ? 'missing' : 'rights',
		remedy: isMissing
			? `Restore the tables of ${schema === null ? 'the journal' : `schema ${schema}`} from a backup`
			: rightsRemedy({schema: schema ?? ''}),
	}));
}

const keptRow = z.object({object: z.string()});

/** The statements that drop views and functions of earlier versions which the schema step had to leave, because they have another owner or somebody uses them. */
async function findLeftObjects(query: Query, schema: string): Promise<readonly string[]> {
	const text = `
		SELECT object FROM unnest($1::text[]) WITH ORDINALITY AS listed (object, place)
		WHERE EXISTS (
			SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace($2) AND relkind = 'v' AND object = 'VIEW ' || relname
			UNION ALL
			SELECT 1 FROM pg_proc WHERE pronamespace = to_regnamespace($2) AND object = format('FUNCTION %s(%s)', proname, oidvectortypes(proargtypes))
		) ORDER BY place`;
	const rows = await readRows(keptRow, query(text, [roleObjects, schema]));
	return rows.map(({object}) => `DROP ${object.replace(' ', ` ${schema}.`)};`);
}

/** Said at the start, not by the first webhook. */
async function checkTables(query: Query, schema: string): Promise<void> {
	const [first] = await findRefusingTables(query);
	if (first) {
		const {table, why, remedy = ''} = first;
		const message =
			why === 'missing'
				? `The table ${table} of schema ${schema} is missing`
				: `The role of journal.url may not read and write the table ${table} of schema ${schema}`;
		throw refusal(message, remedy);
	}
}

function refusal(message: string, remedy: string): Problem {
	return new Problem('storage_unavailable', {message, remedy});
}

import {z} from 'zod';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type MovedRow, movedTables, type MovedTable, type MovedValue, toMovedValue} from '../tables/moved-rows.ts';
import {type JournalDatabase, openConnection} from './connection.ts';
import {databaseTime} from './node-names.ts';
import {inspectDatabase, prepareDatabase} from './prepare-database.ts';
import {type Query, readRows} from '../tables/query.ts';

/** A journal in a database that gets its first rows, in one transaction: nobody sees any of them before all are there, and an end before that leaves none. */
export type RowTarget = {
	/** The values of a row in the order of the table's columns. */
	readonly valuesOf: (table: MovedTable, row: MovedRow) => readonly MovedValue[];
	/** Writes rows under the numbers and ids that they have. */
	readonly write: (table: MovedTable, rows: ReadonlyArray<readonly MovedValue[]>) => Promise<void>;
	/** Reads all rows of a table from the database again, in slices of these numbers of rows. */
	readonly read: (table: MovedTable, slices: readonly number[]) => AsyncIterable<ReadonlyArray<readonly MovedValue[]>>;
	/** Has the next rows numbered behind those that were written, and makes all of it last. */
	readonly commit: () => Promise<void>;
	/** Ends the connection, whatever it is doing; what is not committed by then is gone. */
	readonly close: () => Promise<void>;
};

/**
Opens a journal for its first rows, and creates its tables where they are missing. No gateway and no command can write to it until it is closed.
Rejects with `journal_not_moved` when it has rows, and for any other reason with what keeps a gateway from opening it, too.
*/
export async function openRowTarget(database: JournalDatabase, signal: AbortSignal): Promise<RowTarget> {
	const {query, ...connection} = await openConnection(database, {onLost: () => undefined, signal});
	const abort = () => void connection.close();
	signal.addEventListener('abort', abort);
	const close = () => {
		signal.removeEventListener('abort', abort);
		return connection.close();
	};

	try {
		await prepareDatabase(query, database);
		await query('BEGIN');
		await query(`SET LOCAL lock_timeout = ${lockMilliseconds}`);
		await query(`LOCK TABLE ${movedTables.join(', ')} IN EXCLUSIVE MODE`);
		await refuseGateways(query, database);
		await refuseRows(query, database);
		await checkSequences(query, database);
		const columnsOf = await readColumns(query);
		return {
			...createTables(query, columnsOf),
			async commit() {
				await setSequences(query, columnsOf);
				// From here on an end would leave open whether it came about.
				signal.removeEventListener('abort', abort);
				await query('COMMIT');
			},
			close,
		};
	} catch (caught) {
		await close();
		throw caught;
	}
}

/** Checks that a journal could get its first rows there. Nothing is changed. Rejects as `openRowTarget` does. */
export async function inspectRowTarget(database: JournalDatabase, signal: AbortSignal): Promise<void> {
	const {query, close} = await openConnection(database, {onLost: () => undefined, signal});
	try {
		const {journal} = await inspectDatabase(query, database);
		if (journal !== 'not yet') {
			await refuseRows(query, database);
		}
	} finally {
		await close();
	}
}

/** A write under way is done by then. */
const lockMilliseconds = 10_000;

const tableRow = z.object({table: z.string()});

async function refuseRows(query: Query, {schema}: JournalDatabase): Promise<void> {
	const texts = movedTables.map(table => `SELECT '${table}' AS table WHERE EXISTS (SELECT 1 FROM ${table})`);
	const [found] = await readRows(tableRow, query(texts.join(' UNION ALL ')));
	if (found) {
		throw new Problem('journal_not_moved', {
			message: `The journal in schema ${schema} of the database already has rows, in the table ${found.table}`,
			remedy: 'Set journal.schema in config.yaml to the name of a schema that is empty or not there yet',
		});
	}
}

const nameRow = z.object({name: z.string()});

async function refuseGateways(query: Query, {schema}: JournalDatabase): Promise<void> {
	const text = `SELECT name FROM nodes WHERE state = 'alive' AND seen_at + lease >= ${databaseTime} LIMIT 1`;
	const [alive] = await readRows(nameRow, query(text));
	if (alive) {
		throw new Problem('journal_not_moved', {
			message: `The gateway ${safeText(alive.name)} uses the journal in schema ${schema} of the database`,
			remedy: 'Stop that gateway, or set journal.schema in config.yaml to the name of a schema that is not there yet',
		});
	}
}

/** Said before the first row, not after the last one. */
async function checkSequences(query: Query, {schema}: JournalDatabase): Promise<void> {
	const text = `
		SELECT relname AS table FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
		WHERE nspname = $1 AND CASE relkind WHEN 'S' THEN NOT has_sequence_privilege(pg_class.oid, 'UPDATE') ELSE false END`;
	const [missing] = await readRows(tableRow, query(text, [schema]));
	if (missing) {
		throw new Problem('journal_not_moved', {
			message: `The role of journal.url may not set the sequence ${missing.table} of schema ${schema}`,
			remedy: `Let the role own the schema, or GRANT UPDATE ON ALL SEQUENCES IN SCHEMA ${schema} to it`,
		});
	}
}

/** A column that can be written, and its type. */
type Column = {readonly name: string; readonly type: string};

const columnRow = z.object({table: z.string(), name: z.string(), type: z.string()});

type ColumnsOf = (table: MovedTable) => readonly Column[];

async function readColumns(query: Query): Promise<ColumnsOf> {
	const text = `
		SELECT relname AS table, attname AS name, format_type(atttypid, NULL) AS type
		FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
		WHERE attrelid = ANY($1::regclass[]) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`;
	const columns = Map.groupBy(await readRows(columnRow, query(text, [movedTables])), ({table}) => table);
	return table => columns.get(table) ?? [];
}

function createTables(query: Query, columnsOf: ColumnsOf): Pick<RowTarget, 'valuesOf' | 'write' | 'read'> {
	return {
		valuesOf(table, row) {
			const names = columnsOf(table).map(({name}) => name);
			const other = [
				...names.filter(name => !(name in row)),
				...Object.keys(row).filter(name => !names.includes(name)),
			];
			if (other.length > 0) {
				throw new Problem('internal', {message: `The column ${other[0]} of the table ${table} has no counterpart`});
			}

			return names.map(name => row[name] ?? null);
		},
		async write(table, rows) {
			const columns = columnsOf(table);
			const lists = columns.map((_, column) => rows.map(row => row[column]));
			const types = columns.map(({type}, index) => `$${index + 1}::${type}[]`);
			await query(
				`INSERT INTO ${table} (${columns.map(({name}) => name).join(', ')}) OVERRIDING SYSTEM VALUE
				SELECT * FROM unnest(${types.join(', ')})`,
				lists,
			);
		},
		async *read(table, slices) {
			const names = columnsOf(table).map(({name}) => name);
			await query(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${names.join(', ')} FROM ${table}`);
			for (let slice = 0; ; slice++) {
				const rows = (await query(`FETCH FORWARD ${slices[slice] ?? 1} FROM moved`)) as ReadonlyArray<
					Readonly<Record<string, unknown>>
				>;
				if (rows.length === 0) {
					break;
				}

				yield rows.map(row => names.map(name => toMovedValue(row[name])));
			}

			await query('CLOSE moved');
		},
	};
}

async function setSequences(query: Query, columnsOf: ColumnsOf): Promise<void> {
	const isNumbered = (table: MovedTable) => columnsOf(table).some(({name}) => name === 'sequence');
	for (const table of movedTables.filter(isNumbered)) {
		await query(
			`SELECT setval(pg_get_serial_sequence('${table}', 'sequence'), max(sequence)) FROM ${table} HAVING count(*) > 0`,
		);
	}
}

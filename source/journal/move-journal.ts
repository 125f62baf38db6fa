import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {createTableDigest, type MovedRow, type MovedTable, movedTables, type TableDigest} from './tables/moved-rows.ts';
import {databaseFault, databaseProblem, hostOf, type JournalDatabase} from './postgres/connection.ts';
import {inspectRowTarget, openRowTarget, type RowTarget} from './postgres/row-target.ts';
import {openRowSource, type RowSource} from './sqlite/row-source.ts';
import {openUpgraded} from './sqlite/upgrade-file.ts';

/** Progress of a move: rows of a table that were written, or read again to be compared. */
export type MoveProgress = {
	readonly step: 'copying' | 'comparing';
	readonly table: MovedTable;
	readonly rows: number;
	readonly total: number;
};

type MoveOptions = {
	/** The file that the journal is in. */
	readonly path: string;
	/** The rows of the table of documents: what is in files beside it. */
	readonly documents: readonly MovedRow[];
	readonly database: JournalDatabase;
	readonly signal: AbortSignal;
	readonly onProgress: (progress: MoveProgress) => void;
};

/**
Copies the journal of a file into a database whose journal has no rows yet (docs/postgresql.md, Moving a journal), and resolves with what both have.
Nobody may write to either meanwhile. Rejects with `journal_not_moved`, `storage_unavailable` or `cancelled`; then the database has nothing of it.
*/
export async function moveJournal(options: MoveOptions): Promise<readonly TableDigest[]> {
	return withSource(options, async file => {
		const source = withDocuments(file, options.documents);
		const {database, signal} = options;
		const target = await openRowTarget(database, signal);
		try {
			const digests = await copyAll(source, target, options);
			if (file.wasChanged()) {
				throw new Problem('journal_not_moved', {
					message: 'Another process wrote to journal.db while it was copied',
					remedy: 'End it (it may be a `sluice mcp serve` of an agent), then repeat this command',
				});
			}

			signal.throwIfAborted();
			await commit(target, database);
			return digests;
		} finally {
			await target.close();
		}
	});
}

/** The number of rows of each table, once it is clear that the journal could be moved. Nothing is changed. Rejects as `moveJournal` does. */
export async function countMovedRows(
	options: Omit<MoveOptions, 'onProgress'>,
): Promise<ReadonlyArray<Pick<TableDigest, 'table' | 'rows'>>> {
	return withSource(options, async file => {
		const source = withDocuments(file, options.documents);
		await inspectRowTarget(options.database, options.signal);
		return movedTables.map(table => ({table, rows: source.count(table)}));
	});
}

async function withSource<Result>(
	{path, database, signal}: Pick<MoveOptions, 'path' | 'database' | 'signal'>,
	use: (source: RowSource) => Promise<Result>,
): Promise<Result> {
	const source = await openUpgraded(path, () => openRowSource(path));
	if (!source) {
		throw new Problem('journal_not_moved', {
			message: `There is no journal to move: ${safeText(path)}`,
			remedy: 'Start the gateway with `sluice`: it makes a new journal in the database',
		});
	}

	try {
		return await use(source);
	} catch (caught) {
		throw toFailure(caught, database, signal);
	} finally {
		source.close();
	}
}

/** All that is moved, from wherever it is. */
type MovedSource = {
	readonly count: (table: MovedTable) => number;
	readonly rows: (table: MovedTable) => Iterable<MovedRow>;
};

function withDocuments(file: RowSource, documents: readonly MovedRow[]): MovedSource {
	return {
		count: table => (table === 'documents' ? documents.length : file.count(table)),
		rows: table => (table === 'documents' ? documents : file.rows(table)),
	};
}

function toFailure(caught: unknown, database: JournalDatabase, signal: AbortSignal): Problem {
	if (signal.aborted) {
		return new Problem('cancelled', {message: 'Nothing was moved'});
	}

	if (caught instanceof Problem) {
		return caught;
	}

	const {detail = ''} = databaseProblem(caught, database);
	return new Problem('journal_not_moved', {
		message: `The database on ${hostOf(database)} did not accept the journal, and nothing of it was written (${safeText(detail)})`,
		remedy:
			'Correct that, or read the log of PostgreSQL, then repeat this command; `sluice doctor` tries the connection',
	});
}

/** Writes and reads again table by table, so that a table that does not fit ends it early. */
async function copyAll(source: MovedSource, target: RowTarget, options: MoveOptions): Promise<readonly TableDigest[]> {
	const digests: TableDigest[] = [];
	for (const table of movedTables) {
		const counted = source.count(table);
		const {written, slices} = await copyTable({source, target, table, total: counted}, options);
		const read = await readAgain({target, table, slices, total: counted}, options);
		if (read.rows !== counted || written.rows !== counted || read.sha256 !== written.sha256) {
			throw new Problem('journal_not_moved', {
				message: `The table ${table} differs in the database from the file: ${read.rows} of ${counted} rows, SHA-256 ${read.sha256}, not ${written.sha256}`,
				remedy: 'Report this message; journal.db is not changed, and the database has nothing of it',
			});
		}

		digests.push(read);
	}

	return digests;
}

type TableStep = {readonly target: RowTarget; readonly table: MovedTable; readonly total: number};

/** Copies the rows in slices of a bounded size, and returns their numbers of rows. */
async function copyTable(
	{source, target, table, total}: TableStep & {readonly source: MovedSource},
	{signal, onProgress}: MoveOptions,
): Promise<{readonly written: TableDigest; readonly slices: readonly number[]}> {
	const digest = createTableDigest(table);
	const slices: number[] = [];
	for (const slice of slicesOf(source.rows(table))) {
		signal.throwIfAborted();
		const rows = slice.map(row => target.valuesOf(table, row));
		rows.forEach(digest.add);
		await target.write(table, rows);
		slices.push(rows.length);
		onProgress({step: 'copying', table, rows: digest.result().rows, total});
	}

	return {written: digest.result(), slices};
}

async function readAgain(
	{target, table, total, slices}: TableStep & {readonly slices: readonly number[]},
	{signal, onProgress}: MoveOptions,
): Promise<TableDigest> {
	const digest = createTableDigest(table);
	for await (const rows of target.read(table, slices)) {
		signal.throwIfAborted();
		rows.forEach(digest.add);
		onProgress({step: 'comparing', table, rows: digest.result().rows, total});
	}

	return digest.result();
}

const maxRows = 1000;
const maxSize = 1024 * 1024;

/** Rows in slices: as many as fit into the size of one, and at least one. */
function* slicesOf(rows: Iterable<MovedRow>): Iterable<readonly MovedRow[]> {
	let slice: MovedRow[] = [];
	let size = 0;
	for (const row of rows) {
		slice.push(row);
		size += sizeOf(row);
		if (slice.length === maxRows || size >= maxSize) {
			yield slice;
			slice = [];
			size = 0;
		}
	}

	if (slice.length > 0) {
		yield slice;
	}
}

function sizeOf(row: MovedRow): number {
	return Object.values(row).reduce<number>(
		(sum, value) => sum + (typeof value === 'object' || typeof value === 'string' ? (value?.length ?? 0) : 8),
		0,
	);
}

/** Commits. A commit whose reply is lost may have happened. */
async function commit(target: RowTarget, database: JournalDatabase): Promise<void> {
	try {
		await target.commit();
	} catch (caught) {
		if (databaseFault(caught) !== 'lost') {
			throw caught;
		}

		const {detail = ''} = databaseProblem(caught, database);
		throw new Problem('journal_not_moved', {
			message: `The connection to the database on ${hostOf(database)} ended at the last moment (${safeText(detail)}): the database has all of the journal, or nothing`,
			remedy:
				'Repeat this command: it copies the journal, or says that the database already has rows; then it has all of them',
		});
	}
}

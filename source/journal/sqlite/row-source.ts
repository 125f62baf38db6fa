import {statSync} from 'node:fs';
import {type DatabaseSync, type SQLOutputValue} from 'node:sqlite';
import {journalRemedy} from '../../util/file-remedies.ts';
import {errorText, type Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type MovedRow, type FileTable, type MovedValue, toMovedValue} from '../tables/moved-rows.ts';
import {isDamage} from './database-file.ts';
import {openDatabase} from './database.ts';
import {encodingColumn, unpackBytes} from '../tables/packed-bytes.ts';

/** The rows of a journal's file as they were when it was opened. Every function throws `storage_unavailable` for what cannot be read. */
export type RowSource = {
	readonly count: (table: FileTable) => number;
	/** All rows, one after another, in the order in which they were written where the table has one. */
	readonly rows: (table: FileTable) => Iterable<MovedRow>;
	/** Ends the reading; true when another process has written to the file meanwhile. */
	readonly wasChanged: () => boolean;
	readonly close: () => void;
};

/** Opens the file at `path`; undefined when there is none, or an empty one. Throws `storage_unavailable` for one that is no journal of this version. */
export function openRowSource(path: string): RowSource | undefined {
	if (['', '-wal'].every(end => (statSync(path + end, {throwIfNoEntry: false})?.size ?? 0) === 0)) {
		return undefined;
	}

	return openDatabase(path, ({database, close}) => {
		const versionBefore = dataVersion(database);
		// A transaction that reads sees the file as it is now, whatever is written meanwhile.
		database.exec('BEGIN');
		return {
			count(table) {
				try {
					return Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']);
				} catch (caught) {
					throw readProblem(path, caught);
				}
			},
			*rows(table) {
				try {
					for (const row of database.prepare(`SELECT * FROM ${table} ORDER BY ${orders[table]}`).iterate()) {
						yield unpackedRow(table, row);
					}
				} catch (caught) {
					throw readProblem(path, caught);
				}
			},
			wasChanged() {
				database.exec('COMMIT');
				return dataVersion(database) !== versionBefore;
			},
			close() {
				if (database.isTransaction) {
					database.exec('COMMIT');
				}

				close();
			},
		};
	});
}

const orders: Readonly<Record<FileTable, string>> = {
	events: 'sequence',
	event_files: 'event_id, number',
	deliveries: 'route, delivery_id',
	runs: 'sequence',
	model_turns: 'run_id, number',
	run_notes: 'id',
	windows: 'route, key',
	job_claims: 'job_id',
	answers: 'sequence',
	failed_deliveries: 'profile, route, job, target',
	calls: 'sequence',
	decisions: 'sequence',
	spending: 'date, scope, name',
	day_limits: 'date, path',
	tasks: 'id',
	remote_messages: 'id',
};

/** The data version: it differs between two reads when another connection has written in between. */
function dataVersion(database: DatabaseSync): unknown {
	return database.prepare('PRAGMA data_version').get()?.['data_version'];
}

/** The columns that may be compressed: what they are without that. */
const packedColumns: Readonly<Partial<Record<FileTable, {readonly name: string; readonly as: 'bytes' | 'text'}>>> = {
	events: {name: 'body', as: 'bytes'},
	event_files: {name: 'content', as: 'bytes'},
	calls: {name: 'answer', as: 'text'},
};

function unpackedRow(table: FileTable, row: Readonly<Record<string, SQLOutputValue>>): MovedRow {
	const packed = packedColumns[table];
	const values: Record<string, MovedValue> = Object.fromEntries(
		Object.entries(row).map(([name, value]) => [name, toMovedValue(value)]),
	);
	const bytes = packed && values[packed.name];
	if (packed && bytes instanceof Uint8Array) {
		const content = unpackBytes(new Uint8Array(bytes), encodingColumn.parse(row['encoding'])) ?? bytes;
		values[packed.name] = packed.as === 'text' ? Buffer.from(content).toString('utf8') : content;
	}

	if (packed) {
		values['encoding'] = null;
	}

	return values;
}

function readProblem(path: string, caught: unknown): Problem {
	const fault = isDamage(caught) ? 'damaged' : 'unusable';
	const why = fault === 'damaged' ? 'The journal is damaged' : 'The journal cannot be read';
	return toProblem(caught, 'storage_unavailable', {
		message: `${why}: ${safeText(path)}`,
		detail: errorText(caught),
		remedy: journalRemedy(path, fault),
	});
}

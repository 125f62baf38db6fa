import {createHash} from 'node:crypto';

/** The tables of a file whose rows `sluice journal move` takes along. Everything else in a journal is made when it is opened. */
export const fileTables = [
	'events',
	'event_files',
	'deliveries',
	'runs',
	'model_turns',
	'run_notes',
	'windows',
	'job_claims',
	'answers',
	'failed_deliveries',
	'calls',
	'decisions',
	'spending',
	'day_limits',
	'tasks',
	'remote_messages',
] as const;

export type FileTable = (typeof fileTables)[number];

/** The tables that get rows: documents are files beside a journal in a file. */
export const movedTables = [...fileTables, 'documents'] as const;

export type MovedTable = (typeof movedTables)[number];

/** A value of a row, the same whatever stores it: texts and bytes are whole. */
export type MovedValue = string | number | Uint8Array | null;

/** The columns of a row by their names. */
export type MovedRow = Readonly<Record<string, MovedValue>>;

/** A value as either engine reads it. Throws a TypeError for any other: millions come, so no schema looks at each. */
export function toMovedValue(value: unknown): MovedValue {
	if (value === null || typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array) {
		return value;
	}

	throw new TypeError(`A row has a ${typeof value}`);
}

/** Number of rows of a table, and the digest of their content. */
export type TableDigest = {readonly table: MovedTable; readonly rows: number; readonly sha256: string};

const maxDigests = 2n ** 256n;

/**
The digest of a table: the sum of the SHA-256 digests of its rows modulo 2^256, which is the same in whatever order they come. Rows are lists of
values; each has its kind and its length before it, so that none passes for another.
*/
export function createTableDigest(table: MovedTable): {
	readonly add: (values: readonly MovedValue[]) => void;
	readonly result: () => TableDigest;
} {
	let rows = 0;
	let sum = 0n;
	return {
		add(values) {
			const hash = createHash('sha256');
			for (const value of values) {
				if (value instanceof Uint8Array) {
					hash.update(`bytes ${value.length}:`).update(value);
				} else if (typeof value === 'string') {
					// Half a character becomes U+FFFD here, as it does in every database.
					hash.update(`text ${Buffer.byteLength(value)}:${value}`);
				} else {
					hash.update(`${value};`);
				}
			}

			rows++;
			sum = (sum + BigInt(`0x${hash.digest('hex')}`)) % maxDigests;
		},
		result: () => ({table, rows, sha256: sum.toString(16).padStart(64, '0')}),
	};
}

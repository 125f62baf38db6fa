import {type DatabaseSync} from 'node:sqlite';

/** Runs `work` between BEGIN and COMMIT, or rolls back and throws what went wrong. */
export function inTransaction<Value>(database: DatabaseSync, work: () => Value): Value {
	database.exec('BEGIN IMMEDIATE');
	try {
		const value = work();
		database.exec('COMMIT');
		return value;
	} catch (caught) {
		// SQLite ends the transaction itself after some errors (a full disk, for one) and leaves it open after others.
		if (database.isTransaction) {
			database.exec('ROLLBACK');
		}

		throw caught;
	}
}

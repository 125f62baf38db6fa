import {constants, setPriority} from 'node:os';
import {DatabaseSync} from 'node:sqlite';
import {isDamage} from './database-file.ts';
import {type CheckLine} from './check-file.ts';

/*
A separate program: it reads every page of a journal on a connection that only reads, a table at a time, and prints a line of JSON for each. Node.js
cannot break off a statement of SQLite, which in a large table takes minutes: a process can be ended in the middle of one, a thread cannot.
*/

/** Another writer can empty the log between two tables. */
const pauseMilliseconds = 50;
const busyTimeoutMilliseconds = 5000;

function print(line: CheckLine): void {
	process.stdout.write(`${JSON.stringify(line)}\n`);
}

function checkTable(database: DatabaseSync, check: string, table: string): CheckLine {
	try {
		const [row] = database.prepare(`PRAGMA ${check}("${table.replaceAll('"', '""')}")`).all();
		const found = String(Object.values(row ?? {})[0]);
		return found === 'ok' ? {kind: 'intact', table} : {kind: 'damaged', table, detail: found};
	} catch (caught) {
		return problemLine(caught, table);
	}
}

function problemLine(caught: unknown, table: string): CheckLine {
	return {kind: isDamage(caught) ? 'damaged' : 'failed', table, detail: String(caught)};
}

function checkAll(address: string, check: string): void {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(new URL(address), {readOnly: true, timeout: busyTimeoutMilliseconds});
		const rows = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
		for (const {name} of rows) {
			print(checkTable(database, check, String(name)));
			// Nothing else runs here, so blocking the thread is fine.
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMilliseconds);
		}

		print({kind: 'over'});
	} catch (caught) {
		print(problemLine(caught, ''));
	} finally {
		database?.close();
	}
}

const [address = '', check = ''] = process.argv.slice(2);
// It holds up nothing that works.
setPriority(constants.priority.PRIORITY_LOW);
checkAll(address, check);

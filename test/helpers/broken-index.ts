import {DatabaseSync} from 'node:sqlite';

/** Makes an index of a closed journal lack rows of its table; no page is broken. */
export function breakIndex(path: string): void {
	const database = new DatabaseSync(path);
	database.enableDefensive(false);
	database.exec(`PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET sql = replace(sql, 'WHERE', 'WHERE state = ''queued'' OR') WHERE name = 'runs_by_end'`);
	database.close();
}

import {type PackedBytes, packBytes} from './packed-bytes.ts';

/** Differences between the engines that are more than syntax. */
export type Dialect = {
	/** Selects the number of queued runs and open windows as `count`. */
	readonly waitingCount: string;
	/** Selects the name of the gateway that owns a row as `node`. A file belongs to one gateway, so its rows show none. */
	readonly nodeName: string;
	/** Keeps other gateways from counting the slots of routes until the transaction is over. A file belongs to one gateway. */
	readonly slotsLock: string;
	/** True for rows of this gateway, under any of its instances; `$3` is the current one. */
	readonly isOwn: string;
	/** The columns of bytes or a text, and of its encoding, as they are stored. */
	readonly pack: (content: Uint8Array | string) => readonly [content: Uint8Array | string, encoding: string | null];
};

/** Triggers keep the number in a table: to count a long queue takes longer than to write an event. */
export const sqliteDialect: Dialect = {
	waitingCount: 'SELECT count FROM waiting',
	nodeName: 'NULL AS node',
	slotsLock: 'SELECT 1',
	isOwn: 'true',
	pack(content) {
		const {bytes, encoding}: PackedBytes = packBytes(typeof content === 'string' ? Buffer.from(content) : content);
		return [bytes, encoding];
	},
};

/** PostgreSQL compresses large columns itself. */
export const postgresDialect: Dialect = {
	waitingCount: `SELECT (SELECT count(*) FROM runs WHERE state = 'queued') + (SELECT count(*) FROM windows) AS count`,
	nodeName: '(SELECT nodes.name FROM nodes WHERE nodes.incarnation = owner) AS node',
	slotsLock: `SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' slots of routes', 0))`,
	isOwn: `(owner IS NULL OR owner IN (
		SELECT incarnation FROM nodes WHERE name = (SELECT name FROM nodes WHERE incarnation = $3)
	))`,
	pack: content => [content, null],
};

/** PostgreSQL's syntax and SQLite's. Lists are bound as JSON; a file has one writer, so that no row needs a lock. */
const rewrites: ReadonlyArray<readonly [postgres: RegExp, sqlite: string]> = [
	[/::\w+(?:\[\])?/gu, ''],
	[/\s+FOR (?:UPDATE|SHARE)(?: SKIP LOCKED)?/gu, ''],
	[/= ANY\((\$\d+)\)/gu, 'IN (SELECT value FROM json_each($1))'],
	[/<> ALL\((\$\d+)\)/gu, 'NOT IN (SELECT value FROM json_each($1))'],
	[/\bleast\(/gu, 'min('],
	[/\bgreatest\(/gu, 'max('],
	[/\bstrpos\(/gu, 'instr('],
	[/ COLLATE "C"/gu, ''],
	[/\$(\d+)/gu, '?$1'],
];

/** The statement in SQLite's syntax. */
export function toSqliteText(text: string): string {
	return rewrites.reduce((rewritten, [postgres, sqlite]) => rewritten.replaceAll(postgres, sqlite), text);
}

/** A value as SQLite binds it. */
export function toSqliteValue(value: unknown): unknown {
	if (typeof value === 'boolean') {
		return value ? 1 : 0;
	}

	return Array.isArray(value) ? JSON.stringify(value) : value;
}

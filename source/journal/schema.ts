import {type DatabaseSync} from 'node:sqlite';
import {Problem} from '../util/problem.ts';
import {deliveryHash} from './delivery-index.ts';
import {inTransaction} from './transaction.ts';

/** Where a row lies that came before places were named by ids: at an odd place before all others, and an event at its time (row-place.ts). */
const formerPlace = '(sequence * 2 + 1 - 9000000000000000)';
const formerEventPlace = `
	CASE WHEN time BETWEEN unixepoch('2007-01-01') * 1000 AND unixepoch('2073-01-01') * 1000
		THEN (time - unixepoch('2040-01-01') * 1000) * 8192 + sequence % 4096 * 2 + 1
		ELSE ${formerPlace}
	END
`;

/** Each entry leads from the version of its index to the next. Entries are never edited, only added. */
const migrations: readonly string[] = [
	`
	CREATE TABLE events (
		sequence INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		time INTEGER NOT NULL,
		profile TEXT NOT NULL,
		route TEXT NOT NULL,
		event TEXT NOT NULL,
		delivery_id TEXT NOT NULL,
		headers TEXT NOT NULL,
		body BLOB,
		encoding TEXT,
		status INTEGER NOT NULL,
		outcome TEXT NOT NULL,
		reason TEXT,
		ms REAL NOT NULL
	) STRICT;
	CREATE INDEX events_by_time ON events (time);
	CREATE INDEX events_by_route ON events (route, sequence);

	CREATE TABLE deliveries (
		route TEXT NOT NULL,
		delivery_id TEXT NOT NULL,
		expires_at INTEGER NOT NULL,
		PRIMARY KEY (route, delivery_id)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX deliveries_by_expiry ON deliveries (expires_at);

	CREATE TABLE runs (
		sequence INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		event_id TEXT NOT NULL,
		state TEXT NOT NULL,
		reason TEXT,
		changed_at INTEGER NOT NULL,
		record TEXT NOT NULL
	) STRICT;
	CREATE INDEX runs_by_state ON runs (state, sequence);
	CREATE INDEX runs_by_event ON runs (event_id);
	CREATE INDEX runs_by_change ON runs (changed_at);

	CREATE TABLE calls (
		sequence INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		time INTEGER NOT NULL,
		record TEXT NOT NULL,
		outcome TEXT,
		code TEXT,
		ms REAL
	) STRICT;
	CREATE INDEX calls_by_time ON calls (time);

	CREATE TABLE decisions (
		sequence INTEGER PRIMARY KEY,
		id TEXT NOT NULL,
		time INTEGER NOT NULL,
		record TEXT NOT NULL
	) STRICT;
	CREATE INDEX decisions_by_time ON decisions (time);
	`,
	`
	CREATE TABLE windows (
		route TEXT NOT NULL,
		key TEXT NOT NULL,
		event_id TEXT NOT NULL,
		first_at INTEGER NOT NULL,
		last_at INTEGER NOT NULL,
		superseded INTEGER NOT NULL,
		record TEXT NOT NULL,
		PRIMARY KEY (route, key)
	) STRICT;
	CREATE INDEX windows_by_event ON windows (event_id);
	`,
	`
	ALTER TABLE deliveries ADD COLUMN open_event TEXT;
	CREATE INDEX deliveries_by_open_event ON deliveries (open_event) WHERE open_event IS NOT NULL;
	`,
	`
	CREATE TABLE job_claims (job_id TEXT PRIMARY KEY, slot INTEGER NOT NULL, run_id TEXT) STRICT;
	`,
	`
	ALTER TABLE calls ADD COLUMN resolution TEXT;
	CREATE INDEX calls_uncertain ON calls (sequence) WHERE outcome = 'outcome_uncertain';
	`,
	// Counting rows at each event would make a long queue slow, so the count is kept beside them, in the same transactions.
	`
	CREATE TABLE waiting (count INTEGER NOT NULL) STRICT;
	INSERT INTO waiting VALUES (
		(SELECT count(*) FROM runs WHERE state = 'queued') + (SELECT count(*) FROM windows)
	);
	CREATE TRIGGER run_waits AFTER INSERT ON runs WHEN new.state = 'queued'
		BEGIN UPDATE waiting SET count = count + 1; END;
	CREATE TRIGGER run_waits_no_more AFTER UPDATE OF state ON runs WHEN (old.state = 'queued') <> (new.state = 'queued')
		BEGIN UPDATE waiting SET count = count + (new.state = 'queued') - (old.state = 'queued'); END;
	CREATE TRIGGER waiting_run_goes AFTER DELETE ON runs WHEN old.state = 'queued'
		BEGIN UPDATE waiting SET count = count - 1; END;
	CREATE TRIGGER window_waits AFTER INSERT ON windows BEGIN UPDATE waiting SET count = count + 1; END;
	CREATE TRIGGER window_waits_no_more AFTER DELETE ON windows BEGIN UPDATE waiting SET count = count - 1; END;
	`,
	'ALTER TABLE events ADD COLUMN trace TEXT;',
	`
	CREATE TABLE answers (
		sequence INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		event_id TEXT NOT NULL,
		state TEXT NOT NULL,
		detail TEXT,
		changed_at INTEGER NOT NULL,
		record TEXT NOT NULL
	) STRICT;
	CREATE INDEX answers_by_event ON answers (event_id, sequence);
	CREATE INDEX answers_by_state ON answers (state, sequence) WHERE state IN ('pending', 'sending');
	CREATE INDEX answers_by_change ON answers (changed_at);
	`,
	`
	ALTER TABLE runs ADD COLUMN result TEXT;
	ALTER TABLE runs ADD COLUMN conversation TEXT;
	`,
	// What is written at each event touches few pages: claims lie in the order they came, and only runs that are over are sorted by their end.
	`
	CREATE TABLE claims (
		sequence INTEGER PRIMARY KEY,
		hash INTEGER NOT NULL,
		route TEXT NOT NULL,
		delivery_id TEXT NOT NULL,
		expires_at INTEGER NOT NULL,
		open_event TEXT
	) STRICT;
	INSERT INTO claims (hash, route, delivery_id, expires_at, open_event)
		SELECT delivery_hash(route, delivery_id), route, delivery_id, expires_at, open_event FROM deliveries ORDER BY expires_at;
	DROP TABLE deliveries;
	ALTER TABLE claims RENAME TO deliveries;
	CREATE INDEX deliveries_by_open_event ON deliveries (open_event) WHERE open_event IS NOT NULL;

	DROP INDEX runs_by_change;
	CREATE INDEX runs_by_end ON runs (changed_at) WHERE state NOT IN ('queued', 'running', 'inbox');
	`,
	/*
	Events and runs lie in the order of time at places that their ids name (row-place.ts); only other ids, as all were so far, stand in a column.
	The count of what waits is kept in memory.
	*/
	`
	CREATE TABLE placed_events (
		sequence INTEGER PRIMARY KEY,
		id TEXT,
		time INTEGER NOT NULL,
		profile TEXT NOT NULL,
		route TEXT NOT NULL,
		event TEXT NOT NULL,
		delivery_id TEXT NOT NULL,
		headers TEXT NOT NULL,
		body BLOB,
		encoding TEXT,
		status INTEGER NOT NULL,
		outcome TEXT NOT NULL,
		reason TEXT,
		ms REAL NOT NULL,
		trace TEXT
	) STRICT;
	INSERT INTO placed_events
		SELECT ${formerEventPlace}, id, time, profile, route, event, delivery_id, headers, body, encoding, status, outcome, reason, ms, trace
		FROM events ORDER BY sequence;
	CREATE UNIQUE INDEX events_by_id ON placed_events (id) WHERE id IS NOT NULL;

	CREATE TABLE placed_runs (
		sequence INTEGER PRIMARY KEY,
		id TEXT,
		event INTEGER,
		state TEXT NOT NULL,
		reason TEXT,
		changed_at INTEGER NOT NULL,
		record TEXT NOT NULL,
		result TEXT,
		conversation TEXT
	) STRICT;
	INSERT INTO placed_runs
		SELECT ${formerPlace}, id, ifnull((SELECT sequence FROM placed_events WHERE placed_events.id = runs.event_id), 0),
			state, reason, changed_at, record, result, conversation
		FROM runs ORDER BY sequence;

	CREATE TABLE placed_windows (
		route TEXT NOT NULL,
		key TEXT NOT NULL,
		event INTEGER NOT NULL,
		first_at INTEGER NOT NULL,
		last_at INTEGER NOT NULL,
		superseded INTEGER NOT NULL,
		record TEXT NOT NULL,
		PRIMARY KEY (route, key)
	) STRICT;
	INSERT INTO placed_windows
		SELECT route, key, ifnull((SELECT sequence FROM placed_events WHERE placed_events.id = windows.event_id), 0),
			first_at, last_at, superseded, record
		FROM windows;

	DROP TABLE waiting;
	DROP TABLE windows;
	DROP TABLE runs;
	DROP TABLE events;
	ALTER TABLE placed_events RENAME TO events;
	ALTER TABLE placed_runs RENAME TO runs;
	ALTER TABLE placed_windows RENAME TO windows;
	CREATE INDEX events_by_route ON events (route, sequence);
	CREATE UNIQUE INDEX runs_by_id ON runs (id) WHERE id IS NOT NULL;
	CREATE INDEX runs_by_event ON runs (event) WHERE event <> 0;
	CREATE INDEX runs_by_state ON runs (state, sequence);
	CREATE INDEX runs_by_end ON runs (changed_at) WHERE state NOT IN ('queued', 'running', 'inbox');
	CREATE INDEX windows_by_event ON windows (event);
	`,
];

/** Brings a database to the newest schema, or to an earlier one, all steps or none. Throws `storage_unavailable` for a file of a newer Sluice. */
export function migrate(database: DatabaseSync, wanted = migrations.length): void {
	if (versionOf(database) > migrations.length) {
		throw new Problem('storage_unavailable', {
			message: 'The journal was written by a newer Sluice',
			detail: `schema ${versionOf(database)}, known up to ${migrations.length}`,
		});
	}

	if (versionOf(database) < wanted) {
		database.function('delivery_hash', {deterministic: true}, (route, deliveryId) =>
			deliveryHash(String(route), String(deliveryId)),
		);
		inTransaction(database, () => {
			// Asked inside the transaction: another process may have opened the same new file.
			const from = versionOf(database);
			migrations.slice(from, wanted).forEach(statements => database.exec(statements));
			database.exec(`PRAGMA user_version = ${Math.max(from, wanted)}`);
		});
	}
}

function versionOf(database: DatabaseSync): number {
	return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

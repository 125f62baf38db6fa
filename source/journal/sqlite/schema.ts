/**
The tables of the first version; every change since is a step (`schema-steps.ts`), and this text stays as it is.
Rows are in the order in which they were written. Ids of events and runs begin with their time, so that neighbours share pages of an index.
`owner` is the instance of a gateway that has something under way: a run, a message, a call, or an event whose job was not asked yet.
`waiting` counts the queued runs and open windows: each event needs the number, and to count a long queue takes longer than to write the event.
*/
export const schemaText = `
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
		ms REAL NOT NULL,
		trace TEXT
	) STRICT;
	CREATE INDEX events_by_route ON events (route, sequence);
	CREATE INDEX events_by_time ON events (time);
	CREATE INDEX events_refused ON events (time) WHERE outcome = 'rejected';

	CREATE TABLE deliveries (
		route TEXT NOT NULL,
		delivery_id TEXT NOT NULL,
		expires_at INTEGER NOT NULL,
		open_event TEXT,
		owner TEXT,
		PRIMARY KEY (route, delivery_id)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX deliveries_by_expiry ON deliveries (expires_at);
	CREATE INDEX deliveries_by_open_event ON deliveries (open_event) WHERE open_event IS NOT NULL;

	CREATE TABLE runs (
		sequence INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		event_id TEXT,
		profile TEXT NOT NULL,
		job TEXT,
		state TEXT NOT NULL,
		reason TEXT,
		changed_at INTEGER NOT NULL,
		record TEXT NOT NULL,
		result TEXT,
		conversation TEXT,
		owner TEXT
	) STRICT;
	CREATE INDEX runs_by_event ON runs (event_id) WHERE event_id IS NOT NULL;
	CREATE INDEX runs_by_state ON runs (state, sequence);
	CREATE INDEX runs_by_end ON runs (changed_at) WHERE state NOT IN ('queued', 'running', 'inbox');

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

	CREATE TABLE waiting (only INTEGER PRIMARY KEY CHECK (only = 1), count INTEGER NOT NULL) STRICT;
	INSERT INTO waiting VALUES (1, 0);
	CREATE TRIGGER run_inserted AFTER INSERT ON runs WHEN NEW.state = 'queued'
	BEGIN UPDATE waiting SET count = count + 1; END;
	CREATE TRIGGER run_moved AFTER UPDATE OF state ON runs WHEN (OLD.state = 'queued') <> (NEW.state = 'queued')
	BEGIN UPDATE waiting SET count = count + (NEW.state = 'queued') - (OLD.state = 'queued'); END;
	CREATE TRIGGER run_removed AFTER DELETE ON runs WHEN OLD.state = 'queued'
	BEGIN UPDATE waiting SET count = count - 1; END;
	CREATE TRIGGER window_opened AFTER INSERT ON windows BEGIN UPDATE waiting SET count = count + 1; END;
	CREATE TRIGGER window_closed AFTER DELETE ON windows BEGIN UPDATE waiting SET count = count - 1; END;

	CREATE TABLE job_claims (job_id TEXT PRIMARY KEY, slot INTEGER NOT NULL, run_id TEXT) STRICT;

	CREATE TABLE answers (
		sequence INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		event_id TEXT NOT NULL,
		state TEXT NOT NULL,
		detail TEXT,
		changed_at INTEGER NOT NULL,
		record TEXT NOT NULL,
		owner TEXT
	) STRICT;
	CREATE INDEX answers_by_event ON answers (event_id, sequence);
	CREATE INDEX answers_by_state ON answers (state, sequence) WHERE state IN ('pending', 'sending');
	CREATE INDEX answers_by_change ON answers (changed_at);

	CREATE TABLE failed_deliveries (
		id TEXT NOT NULL UNIQUE,
		profile TEXT NOT NULL,
		route TEXT NOT NULL,
		job TEXT NOT NULL,
		target TEXT NOT NULL,
		failures INTEGER NOT NULL,
		first_at INTEGER NOT NULL,
		last_at INTEGER NOT NULL,
		reason TEXT NOT NULL,
		event_id TEXT NOT NULL,
		PRIMARY KEY (profile, route, job, target)
	) STRICT;

	CREATE TABLE calls (
		sequence INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		time INTEGER NOT NULL,
		profile TEXT NOT NULL,
		server TEXT NOT NULL,
		read_only INTEGER NOT NULL,
		record TEXT NOT NULL,
		outcome TEXT,
		code TEXT,
		ms REAL,
		resolution TEXT,
		resolved_by TEXT,
		run TEXT,
		rule TEXT,
		answer BLOB,
		encoding TEXT,
		owner TEXT
	) STRICT;
	CREATE INDEX calls_by_time ON calls (time);
	CREATE INDEX calls_by_run ON calls (run, sequence) WHERE run IS NOT NULL;
	CREATE INDEX calls_by_rule ON calls (rule, time) WHERE rule IS NOT NULL;
	CREATE INDEX calls_uncertain ON calls (sequence) WHERE outcome = 'outcome_uncertain';

	CREATE TABLE decisions (
		sequence INTEGER PRIMARY KEY,
		id TEXT NOT NULL,
		time INTEGER NOT NULL,
		requested_at INTEGER,
		record TEXT NOT NULL,
		call TEXT,
		run TEXT
	) STRICT;
	CREATE INDEX decisions_by_time ON decisions (time);
	CREATE INDEX decisions_by_id ON decisions (id);
	CREATE INDEX decisions_by_call ON decisions (call) WHERE call IS NOT NULL;
	CREATE INDEX decisions_by_run ON decisions (run, sequence) WHERE run IS NOT NULL;

	CREATE TABLE nodes (
		incarnation TEXT PRIMARY KEY,
		name TEXT NOT NULL,
		lease INTEGER NOT NULL,
		started_at INTEGER NOT NULL,
		seen_at INTEGER NOT NULL,
		state TEXT NOT NULL,
		facts TEXT
	) STRICT, WITHOUT ROWID;
`;

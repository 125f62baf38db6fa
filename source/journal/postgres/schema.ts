/**
The tables of the first version; every change since is a step (`schema-steps.ts`), and this text stays as it is.
Rows are in the order in which they were written. Ids sort by their bytes, as they do everywhere else in Sluice.
Records are JSON in a text: `jsonb` refuses some strings that a sender may write, so whatever a statement asks for has a column of its own.
`small_record` is the record without its arguments, where they are large: a trace shows many rows.
`bytes` is the content of a row, for the limit of size: the files of a table do not shrink when rows are removed.
*/
export const schemaText = `
	CREATE TABLE events (
		sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		id text COLLATE "C" NOT NULL UNIQUE,
		time bigint NOT NULL,
		profile text NOT NULL,
		route text NOT NULL,
		event text NOT NULL,
		delivery_id text NOT NULL,
		headers text NOT NULL,
		body bytea,
		status integer NOT NULL,
		outcome text NOT NULL,
		reason text,
		ms double precision NOT NULL,
		trace text,
		owner text,
		bytes integer NOT NULL GENERATED ALWAYS AS (
			octet_length(headers) + coalesce(octet_length(body), 0) + coalesce(octet_length(trace), 0)
		) STORED
	);
	CREATE INDEX events_by_route ON events (route, sequence);
	CREATE INDEX events_by_time ON events (time) INCLUDE (bytes);
	CREATE INDEX events_refused ON events (time) WHERE outcome = 'rejected';

	CREATE TABLE deliveries (
		route text NOT NULL,
		delivery_id text NOT NULL,
		expires_at bigint NOT NULL,
		open_event text,
		owner text,
		PRIMARY KEY (route, delivery_id)
	);
	CREATE INDEX deliveries_by_expiry ON deliveries (expires_at);
	CREATE INDEX deliveries_by_open_event ON deliveries (open_event) WHERE open_event IS NOT NULL;

	CREATE TABLE runs (
		sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		id text COLLATE "C" NOT NULL UNIQUE,
		event_id text,
		profile text NOT NULL,
		job text,
		state text NOT NULL,
		reason text,
		changed_at bigint NOT NULL,
		record text NOT NULL,
		result text,
		conversation text,
		owner text,
		bytes integer NOT NULL GENERATED ALWAYS AS (
			octet_length(record) + coalesce(octet_length(result), 0) + coalesce(octet_length(conversation), 0)
		) STORED
	);
	CREATE INDEX runs_by_event ON runs (event_id) WHERE event_id IS NOT NULL;
	CREATE INDEX runs_by_state ON runs (state, sequence);
	CREATE INDEX runs_by_end ON runs (changed_at) INCLUDE (bytes) WHERE state NOT IN ('queued', 'running', 'inbox');

	CREATE TABLE windows (
		route text NOT NULL,
		key text NOT NULL,
		event_id text NOT NULL,
		first_at bigint NOT NULL,
		last_at bigint NOT NULL,
		due_at bigint NOT NULL,
		superseded integer NOT NULL,
		record text NOT NULL,
		PRIMARY KEY (route, key)
	);
	CREATE INDEX windows_by_event ON windows (event_id);

	CREATE TABLE job_claims (job_id text PRIMARY KEY, slot bigint NOT NULL, run_id text);

	CREATE TABLE answers (
		sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		id text COLLATE "C" NOT NULL UNIQUE,
		event_id text NOT NULL,
		run_id text,
		route text NOT NULL,
		target text NOT NULL,
		state text NOT NULL,
		detail text,
		changed_at bigint NOT NULL,
		record text NOT NULL,
		owner text,
		bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(record)) STORED
	);
	CREATE INDEX answers_by_event ON answers (event_id, sequence);
	CREATE INDEX answers_by_state ON answers (state, sequence) WHERE state IN ('pending', 'sending');
	CREATE INDEX answers_by_change ON answers (changed_at) INCLUDE (bytes);

	CREATE TABLE failed_deliveries (
		id text COLLATE "C" NOT NULL UNIQUE,
		profile text NOT NULL,
		route text NOT NULL,
		job text NOT NULL,
		target text NOT NULL,
		failures integer NOT NULL,
		first_at bigint NOT NULL,
		last_at bigint NOT NULL,
		reason text NOT NULL,
		event_id text NOT NULL,
		PRIMARY KEY (profile, route, job, target)
	);

	CREATE TABLE calls (
		sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		id text COLLATE "C" NOT NULL UNIQUE,
		time bigint NOT NULL,
		run text,
		rule text,
		profile text NOT NULL,
		server text NOT NULL,
		read_only integer NOT NULL,
		record text NOT NULL,
		small_record text,
		outcome text,
		code text,
		ms double precision,
		resolution text,
		resolved_by text,
		answer text,
		owner text,
		bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(record) + coalesce(octet_length(answer), 0)) STORED
	);
	CREATE INDEX calls_by_time ON calls (time) INCLUDE (bytes);
	CREATE INDEX calls_by_run ON calls (run, sequence) WHERE run IS NOT NULL;
	CREATE INDEX calls_by_rule ON calls (rule, time) WHERE rule IS NOT NULL;
	CREATE INDEX calls_uncertain ON calls (sequence) WHERE outcome = 'outcome_uncertain';

	CREATE TABLE decisions (
		sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		id text COLLATE "C" NOT NULL,
		time bigint NOT NULL,
		call text,
		run text,
		requested_at bigint,
		record text NOT NULL,
		small_record text,
		owner text,
		bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(record)) STORED
	);
	CREATE INDEX decisions_by_time ON decisions (time) INCLUDE (bytes);
	CREATE INDEX decisions_by_id ON decisions (id);
	CREATE INDEX decisions_by_call ON decisions (call) WHERE call IS NOT NULL;
	CREATE INDEX decisions_by_run ON decisions (run, sequence) WHERE run IS NOT NULL;

	CREATE TABLE documents (
		profile text NOT NULL,
		name text NOT NULL,
		version bigint NOT NULL,
		content text NOT NULL,
		changed_at bigint NOT NULL,
		changed_by text NOT NULL,
		PRIMARY KEY (profile, name)
	);

	CREATE TABLE requests (
		id text COLLATE "C" PRIMARY KEY,
		kind text NOT NULL,
		owner text,
		node text NOT NULL,
		profile text NOT NULL,
		arguments_hash text NOT NULL,
		request text NOT NULL,
		whole text,
		state text NOT NULL,
		outcome text,
		answer text,
		answered_by text,
		answered_at_node text,
		call text,
		requested_at bigint NOT NULL,
		expires_at bigint NOT NULL,
		settled_at bigint
	);
	CREATE INDEX requests_filled_in ON requests (owner) WHERE kind = 'question' AND outcome = 'answered' AND answer IS NOT NULL;
	CREATE INDEX requests_pending ON requests (profile, requested_at) WHERE state = 'pending';
	CREATE INDEX requests_by_expiry ON requests (expires_at);

	CREATE TABLE nodes (
		incarnation text PRIMARY KEY,
		name text NOT NULL,
		lease integer NOT NULL,
		started_at bigint NOT NULL,
		seen_at bigint NOT NULL,
		state text NOT NULL,
		facts text
	);

	CREATE TABLE quotas (
		route text PRIMARY KEY,
		window_started_at bigint NOT NULL,
		taken bigint NOT NULL,
		granted bigint NOT NULL
	);

	CREATE TABLE journal_version (version integer NOT NULL);
`;

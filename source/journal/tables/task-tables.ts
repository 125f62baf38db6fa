/** The table of tasks, as the step that made it (`schema-steps.ts`) wrote it at each engine. It is never changed. */
export const taskTables = {
	file: `
		CREATE TABLE tasks (
			id TEXT PRIMARY KEY,
			profile TEXT NOT NULL,
			client TEXT NOT NULL,
			state TEXT NOT NULL,
			created_at INTEGER NOT NULL,
			changed_at INTEGER NOT NULL,
			expires_at INTEGER NOT NULL,
			record TEXT NOT NULL,
			approval TEXT,
			approval_id TEXT,
			call_id TEXT,
			outcome TEXT,
			message TEXT,
			is_cancelled INTEGER NOT NULL,
			owner TEXT
		) STRICT;
		CREATE INDEX tasks_by_expiry ON tasks (expires_at);
	`,
	database: `
		CREATE TABLE tasks (
			id text COLLATE "C" PRIMARY KEY,
			profile text NOT NULL,
			client text NOT NULL,
			state text NOT NULL,
			created_at bigint NOT NULL,
			changed_at bigint NOT NULL,
			expires_at bigint NOT NULL,
			record text NOT NULL,
			approval text,
			approval_id text COLLATE "C",
			call_id text,
			outcome text,
			message text,
			is_cancelled integer NOT NULL,
			owner text
		);
		CREATE INDEX tasks_by_expiry ON tasks (expires_at);
		CREATE INDEX tasks_by_approval ON tasks (approval_id) WHERE approval_id IS NOT NULL;
	`,
} as const;

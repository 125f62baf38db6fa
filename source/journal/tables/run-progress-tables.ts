/** The tables of what a run has besides its calls: the requests to its model, and the notes of a person. Rows go with their run. */
export const runProgressTables = {
	file: `
		CREATE TABLE model_turns (
			run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
			number INTEGER NOT NULL,
			at INTEGER NOT NULL,
			model TEXT NOT NULL,
			ms INTEGER,
			input_tokens INTEGER,
			output_tokens INTEGER,
			micro_usd INTEGER,
			PRIMARY KEY (run_id, number)
		) STRICT, WITHOUT ROWID;
		CREATE TABLE run_notes (
			id TEXT PRIMARY KEY,
			run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
			at INTEGER NOT NULL,
			author TEXT NOT NULL,
			text TEXT NOT NULL,
			read_at INTEGER,
			turn INTEGER
		) STRICT, WITHOUT ROWID;
		CREATE INDEX run_notes_by_run ON run_notes (run_id, id);
	`,
	database: `
		CREATE TABLE model_turns (
			run_id text COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
			number integer NOT NULL,
			at bigint NOT NULL,
			model text NOT NULL,
			ms bigint,
			input_tokens bigint,
			output_tokens bigint,
			micro_usd bigint,
			PRIMARY KEY (run_id, number)
		);
		CREATE TABLE run_notes (
			id text COLLATE "C" PRIMARY KEY,
			run_id text COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
			at bigint NOT NULL,
			author text NOT NULL,
			text text NOT NULL,
			read_at bigint,
			turn integer
		);
		CREATE INDEX run_notes_by_run ON run_notes (run_id, id);
	`,
};

/** The tables of messages in chats, as the step that made them (`schema-steps.ts`) wrote them at each engine. They are never changed. */
export const remoteTables = {
	file: `
		CREATE TABLE remote_messages (
			id TEXT PRIMARY KEY,
			profile TEXT NOT NULL,
			channel TEXT NOT NULL,
			state TEXT NOT NULL,
			changed_at INTEGER NOT NULL,
			record TEXT NOT NULL,
			owner TEXT
		) STRICT;
		CREATE INDEX remote_messages_by_channel ON remote_messages (channel) WHERE state <> 'ended';
		CREATE INDEX remote_messages_by_change ON remote_messages (changed_at);
		CREATE TABLE remote_channels (
			channel TEXT PRIMARY KEY,
			owner TEXT,
			claimed_at INTEGER NOT NULL
		) STRICT, WITHOUT ROWID;
	`,
	database: `
		CREATE TABLE remote_messages (
			id text COLLATE "C" PRIMARY KEY,
			profile text NOT NULL,
			channel text NOT NULL,
			state text NOT NULL,
			changed_at bigint NOT NULL,
			record text NOT NULL,
			owner text
		);
		CREATE INDEX remote_messages_by_channel ON remote_messages (channel) WHERE state <> 'ended';
		CREATE INDEX remote_messages_by_change ON remote_messages (changed_at);
		CREATE TABLE remote_channels (
			channel text PRIMARY KEY,
			owner text,
			claimed_at bigint NOT NULL
		);
	`,
} as const;

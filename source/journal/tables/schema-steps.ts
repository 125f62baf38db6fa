import {remoteTables} from './remote-tables.ts';
import {runProgressTables} from './run-progress-tables.ts';
import {askerColumns} from './asker-columns.ts';
import {taskTables} from './task-tables.ts';

/** A change of the tables: what it is for, and its statements in a file and in a database. One engine may have nothing to change. */
type SchemaStep = {readonly what: string; readonly file: string; readonly database: string};

/** Views and a function that earlier versions made for roles of a database. */
export const roleObjects: readonly string[] = [
	'VIEW console_requests',
	'VIEW console_events',
	'VIEW console_runs',
	'VIEW console_calls',
	'VIEW console_failed_deliveries',
	'FUNCTION answer_approval(text, text, text, text)',
];

/**
Every change since the first versions that are brought up to date, oldest first. A new journal gets the text of the first version and all of them.
Each entry raises the version of both by one; one that was released is never changed.
*/
const schemaSteps: readonly SchemaStep[] = [
	{
		what: 'runs that are set aside because their row cannot be read are kept, however old they are',
		file: `
			DROP INDEX runs_by_end;
			CREATE INDEX runs_by_end ON runs (changed_at) WHERE state NOT IN ('queued', 'running', 'inbox', 'unreadable');
		`,
		database: `
			DROP INDEX runs_by_end;
			CREATE INDEX runs_by_end ON runs (changed_at) INCLUDE (bytes)
				WHERE state NOT IN ('queued', 'running', 'inbox', 'unreadable');
		`,
	},
	{
		what: 'gateways on one database reserve places in the queue; a file is of one gateway',
		file: '',
		database: 'CREATE TABLE queue_reservations (owner text PRIMARY KEY, places bigint NOT NULL);',
	},
	{
		what: 'a journal is told from another one that is in its place later',
		file: `
			CREATE TABLE journal_identity (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
			INSERT INTO journal_identity VALUES (lower(hex(randomblob(16))));
		`,
		database: `
			CREATE TABLE journal_identity (id text PRIMARY KEY);
			INSERT INTO journal_identity VALUES (gen_random_uuid()::text);
		`,
	},
	{
		what: 'a file and a database have the same columns, so that one statement reads and writes both',
		file: `
			ALTER TABLE events ADD COLUMN owner TEXT;
			ALTER TABLE decisions ADD COLUMN owner TEXT;
			ALTER TABLE decisions ADD COLUMN small_record TEXT;
			ALTER TABLE calls ADD COLUMN small_record TEXT;
			ALTER TABLE windows ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
			ALTER TABLE answers ADD COLUMN run_id TEXT;
			ALTER TABLE answers ADD COLUMN route TEXT NOT NULL DEFAULT '';
			ALTER TABLE answers ADD COLUMN target TEXT NOT NULL DEFAULT '';
			UPDATE windows SET due_at = last_at;
			UPDATE answers SET run_id = record ->> '$.runId', route = coalesce(record ->> '$.route', ''),
				target = coalesce(record ->> '$.target', '') WHERE json_valid(record);
			UPDATE calls SET small_record = json_set(record, '$.arguments', json('{}'))
				WHERE length(record) > 10000 AND json_valid(record);
			UPDATE decisions SET small_record = json_set(record, '$.arguments', json('{}'))
				WHERE length(record) > 10000 AND json_valid(record);
		`,
		database: 'ALTER TABLE events ADD COLUMN encoding text; ALTER TABLE calls ADD COLUMN encoding text;',
	},
	{
		what: 'the views and the function of database roles that answered approvals go, with all rights on them; those of another owner stay',
		file: '',
		database: roleObjects
			.map(
				object => `
			BEGIN
				DROP ${object.replace(' ', ' IF EXISTS ')};
			EXCEPTION WHEN insufficient_privilege OR dependent_objects_still_exist OR wrong_object_type THEN
				NULL;
			END;`,
			)
			.join(''),
	},
	{
		what: 'a message that certainly did not arrive is sent again',
		file: `
			ALTER TABLE answers ADD COLUMN next_at INTEGER;
			ALTER TABLE answers ADD COLUMN progress TEXT;
			DROP INDEX answers_by_state;
			CREATE INDEX answers_by_state ON answers (state, sequence) WHERE state IN ('pending', 'sending', 'retrying');
		`,
		database: `
			ALTER TABLE answers ADD COLUMN next_at bigint, ADD COLUMN progress text;
			DROP INDEX answers_by_state;
			CREATE INDEX answers_by_state ON answers (state, sequence) WHERE state IN ('pending', 'sending', 'retrying');
		`,
	},
	{
		what: 'a delivery that its sender repeats is sent only to where it failed',
		file: `
			ALTER TABLE answers ADD COLUMN delivery_id TEXT;
			CREATE INDEX answers_by_delivery ON answers (delivery_id) WHERE delivery_id IS NOT NULL;
		`,
		database: `
			ALTER TABLE answers ADD COLUMN delivery_id text;
			CREATE INDEX answers_by_delivery ON answers (delivery_id) WHERE delivery_id IS NOT NULL;
		`,
	},
	{
		what: 'routes and jobs take turns in the queue, and a run that waits for a person gives its slot back; runs that ended have no origin',
		file: `
			ALTER TABLE runs ADD COLUMN origin TEXT NOT NULL DEFAULT '';
			ALTER TABLE runs ADD COLUMN slot TEXT;
			UPDATE runs SET origin = json_array(
				profile, CASE WHEN json_valid(record) THEN coalesce(record ->> '$.route', '') ELSE '' END, coalesce(job, '')
			) WHERE state IN ('queued', 'running');
			CREATE INDEX runs_by_origin ON runs (state, origin) WHERE state = 'queued';
		`,
		database: `
			ALTER TABLE runs ADD COLUMN origin text COLLATE "C" NOT NULL DEFAULT '', ADD COLUMN slot text;
			UPDATE runs SET origin = format('[%s,%s,%s]', to_json(profile),
				to_json(coalesce(substring(record from '"route":"([^"\\\\]*)"'), '')), to_json(coalesce(job, ''))
			) WHERE state IN ('queued', 'running');
			CREATE INDEX runs_by_origin ON runs (origin, sequence) WHERE state = 'queued';
		`,
	},
	{
		what: 'a message about a failure is left out while there was one for the same reason lately',
		file: `
			CREATE TABLE failure_notices (
				key TEXT PRIMARY KEY, message_id TEXT NOT NULL, noticed_at INTEGER NOT NULL, left_out INTEGER NOT NULL
			) STRICT, WITHOUT ROWID;
		`,
		database: `
			CREATE TABLE failure_notices (
				key text COLLATE "C" PRIMARY KEY, message_id text NOT NULL, noticed_at bigint NOT NULL, left_out integer NOT NULL
			);
		`,
	},
	{
		what: 'amounts that were spent are counted a day, and the limits that were reached',
		file: `
			CREATE TABLE spending (
				date INTEGER NOT NULL,
				scope TEXT NOT NULL,
				name TEXT NOT NULL,
				input_tokens INTEGER NOT NULL,
				output_tokens INTEGER NOT NULL,
				micro_usd INTEGER NOT NULL,
				runs INTEGER NOT NULL,
				calls INTEGER NOT NULL,
				PRIMARY KEY (date, scope, name)
			) STRICT, WITHOUT ROWID;
			CREATE TABLE day_limits (
				date INTEGER NOT NULL,
				path TEXT NOT NULL,
				bound INTEGER NOT NULL,
				state TEXT NOT NULL,
				origin TEXT,
				answered_by TEXT,
				owner TEXT,
				PRIMARY KEY (date, path)
			) STRICT, WITHOUT ROWID;
		`,
		database: `
			CREATE TABLE spending (
				date integer NOT NULL,
				scope text NOT NULL,
				name text NOT NULL,
				input_tokens bigint NOT NULL,
				output_tokens bigint NOT NULL,
				micro_usd bigint NOT NULL,
				runs bigint NOT NULL,
				calls bigint NOT NULL,
				PRIMARY KEY (date, scope, name)
			);
			CREATE TABLE day_limits (
				date integer NOT NULL,
				path text NOT NULL,
				bound bigint NOT NULL,
				state text NOT NULL,
				origin text,
				answered_by text,
				owner text,
				PRIMARY KEY (date, path)
			);
		`,
	},
	{
		what: 'files that came with an event have rows of their own, and go with it',
		file: `
			CREATE TABLE event_files (
				event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
				number INTEGER NOT NULL,
				time INTEGER NOT NULL,
				name TEXT NOT NULL,
				content_type TEXT NOT NULL,
				bytes INTEGER NOT NULL,
				content BLOB NOT NULL,
				encoding TEXT,
				PRIMARY KEY (event_id, number)
			) STRICT;
		`,
		database: `
			CREATE TABLE event_files (
				event_id text COLLATE "C" NOT NULL REFERENCES events (id) ON DELETE CASCADE,
				number integer NOT NULL,
				time bigint NOT NULL,
				name text NOT NULL,
				content_type text NOT NULL,
				bytes integer NOT NULL,
				content bytea NOT NULL,
				encoding text,
				PRIMARY KEY (event_id, number)
			);
			CREATE INDEX event_files_by_time ON event_files (time) INCLUDE (bytes);
		`,
	},
	{
		what: 'calls that wait for a person become tasks of their clients, which outlast connections and gateways',
		...taskTables,
	},
	{
		what: 'the requests of a run to its model and the notes of a person to it have rows of their own, and go with it',
		...runProgressTables,
	},
	{
		what: 'messages in chats carry requests to persons, and one gateway at a time holds each channel',
		...remoteTables,
	},
	{
		what: 'the time of requests and tasks stands still while everything is held',
		file: 'ALTER TABLE tasks ADD COLUMN left_milliseconds INTEGER;',
		database: `
			ALTER TABLE tasks ADD COLUMN left_milliseconds bigint;
			ALTER TABLE requests ADD COLUMN left_milliseconds bigint;
		`,
	},
	{
		what: 'requests are counted by who asked and by tool, and uses of rules by who asked; of earlier calls nobody knows',
		...askerColumns,
	},
];

/** The versions that this program works with. */
export type SchemaVersions = {
	/** Of an older journal nothing is known here. */
	readonly first: number;
	readonly current: number;
	/** The statements that lead from a version to the next, by the version they lead to. */
	readonly steps: ReadonlyArray<{readonly version: number; readonly text: string}>;
};

function versionsFrom(first: number, textOf: (step: SchemaStep) => string): SchemaVersions {
	const steps = schemaSteps.map((step, index) => ({version: first + index + 1, text: textOf(step)}));
	return {first, current: first + steps.length, steps};
}

/** Of a journal in a file, stored in its `user_version`. */
export const fileVersions: SchemaVersions = versionsFrom(20, ({file}) => file);

/** Of a journal in a database, stored in `journal_version`. */
export const databaseVersions: SchemaVersions = versionsFrom(5, ({database}) => database);

/** The names of the tables that a journal of the current version has. */
export function tablesOf(schemaText: string, {steps}: SchemaVersions): readonly string[] {
	const texts = [schemaText, ...steps.map(({text}) => text)];
	return texts.flatMap(text => [...text.matchAll(/CREATE TABLE (\w+)/gu)].map(([, name = '']) => name));
}

/** The version of a journal compared with those of this program; `unknown`: no version that ever was. */
type VersionState = 'current' | 'older' | 'too-old' | 'newer' | 'unknown';

/** Decides by the version that is stored. */
export function versionState(version: number | undefined, {first, current}: SchemaVersions): VersionState {
	if (version === undefined || !Number.isInteger(version) || version < 1) {
		return 'unknown';
	}

	if (version > current) {
		return 'newer';
	}

	return version < first ? 'too-old' : version < current ? 'older' : 'current';
}

/** The steps that a journal of this version lacks. */
export function missingSteps(version: number, {steps}: SchemaVersions): SchemaVersions['steps'] {
	return steps.filter(step => step.version > version);
}

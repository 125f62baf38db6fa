import {type EventFile, type EventFileRow, eventFileRow, type FileColumns} from '../rows/file-rows.ts';
import {transformed} from '../rows/read-rows.ts';
import {contentColumn, encodingColumn, unpackBytes} from './packed-bytes.ts';
import {readRows, type Statement, type TableAccess} from './query.ts';

/** The table of files that came with events. They go with their event. Write inside a transaction. */
export type EventFileTable = {
	/** Writes files behind their event, each with the content of the same position. */
	readonly insert: (files: readonly FileColumns[], contents: readonly Uint8Array[]) => Promise<void>;
	/** The files of an event, in the order in which they were sent. */
	readonly list: (eventId: string) => Promise<readonly EventFileRow[]>;
	readonly find: (eventId: string, number: number) => Promise<EventFile | undefined>;
};

const storedFile = eventFileRow
	.extend({content: contentColumn, encoding: encodingColumn})
	.transform(({name, contentType, content, encoding}, context) =>
		transformed(context, () => ({
			name,
			contentType,
			content: unpackBytes(content, encoding) ?? new Uint8Array(),
		})),
	);

const insertion = `
	INSERT INTO event_files (event_id, number, time, name, content_type, bytes, content, encoding)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const columns = 'number, name, content_type AS "contentType", bytes';

/** The statement that writes a file, and its values. */
export function insertFile(
	{dialect}: Pick<TableAccess, 'dialect'>,
	file: FileColumns,
	content: Uint8Array = new Uint8Array(),
): Statement {
	return [insertion, [...file, ...dialect.pack(content)]];
}

/** The statements of the table. */
export function createEventFileTable({query, dialect}: Pick<TableAccess, 'query' | 'dialect'>): EventFileTable {
	return {
		async insert(files, contents) {
			for (const [index, file] of files.entries()) {
				await query(...insertFile({dialect}, file, contents[index]));
			}
		},
		list: eventId =>
			readRows(
				eventFileRow,
				query(`SELECT ${columns} FROM event_files WHERE event_id = $1 ORDER BY number`, [eventId]),
			),
		async find(eventId, number) {
			const text = `SELECT ${columns}, content, encoding FROM event_files WHERE event_id = $1 AND number = $2`;
			return (await readRows(storedFile, query(text, [eventId, number])))[0];
		},
	};
}

import {type Journal} from '../../journal/journal.ts';
import {findNamedRow} from '../../journal/named-row.ts';
import {type EventFile} from '../../journal/rows/file-rows.ts';
import {type ParamsOf} from '../../state/api.ts';
import {type EventFilePartJson} from '../../state/json/event.ts';

/** The bytes of one part: as base64 it fits into a line of the control socket. */
const partBytes = 4 * 1_048_576;

/** All files of a stored event with their contents. */
export async function readEventFiles(
	journal: Pick<Journal, 'listEventFiles' | 'findEventFile'>,
	eventId: string,
): Promise<readonly EventFile[]> {
	const files: EventFile[] = [];
	for (const {number} of await journal.listEventFiles(eventId)) {
		const file = await journal.findEventFile(eventId, number);
		files.push(...(file ? [file] : []));
	}

	return files;
}

/** Handler of `events.file`: a part of a file; null when the event or the file is not there. */
export function eventFiles(journal: Pick<Journal, 'findIds' | 'findEventFile'>) {
	return async ({id: typed, number, from}: ParamsOf<'events.file'>): Promise<EventFilePartJson | null> => {
		const id = await findNamedRow(journal, 'event', typed);
		const file = id === undefined ? undefined : await journal.findEventFile(id, number);
		if (!file) {
			return null;
		}

		const {name: filename, contentType: content_type, content} = file;
		const part = content.subarray(from, from + partBytes);
		const next = from + part.length;
		return {
			filename,
			content_type,
			bytes: content.length,
			content: Buffer.from(part).toString('base64'),
			next: next < content.length ? next : null,
		};
	};
}

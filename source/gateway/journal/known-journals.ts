import {readFileSync} from 'node:fs';
import {writePrivateFile} from '../../config/values/text-file.ts';
import {type WhenEmpty} from '../../journal/operations.ts';
import {type JournalDatabase} from '../../journal/postgres/connection.ts';
import {isJsonObject, parseJson} from '../../util/json-text.ts';

/** The journals that a state directory has worked with. One of them that is empty was lost: what was accepted is elsewhere. */
type KnownJournals = {
	readonly whenEmpty: (database: JournalDatabase | undefined) => WhenEmpty;
	/** Never rejects: where it cannot be written, the next start knows as much as this one. */
	readonly remember: (database: JournalDatabase | undefined) => Promise<void>;
};

/** Databases come and go; more than these are forgotten, the oldest first. */
const maxKnown = 20;

/** Reads them from beside the journal's file; `asked` makes an empty one new all the same. */
export function createKnownJournals(journalPath: string, asked: 'new-journal' | 'nothing' = 'nothing'): KnownJournals {
	const path = `${journalPath}.known`;
	const read = (): readonly string[] => {
		try {
			const content = parseJson(readFileSync(path, 'utf8'));
			const names = isJsonObject(content) ? content['journals'] : undefined;
			return Array.isArray(names) ? names.filter(name => typeof name === 'string') : [];
		} catch {
			return [];
		}
	};

	return {
		whenEmpty: database => (asked === 'nothing' && read().includes(nameOf(database)) ? 'refuse' : 'create'),
		async remember(database) {
			const [known, name] = [read(), nameOf(database)];
			if (!known.includes(name)) {
				const journals = [...known, name].slice(-maxKnown);
				await writePrivateFile(path, `${JSON.stringify({journals})}\n`).catch(() => undefined);
			}
		},
	};
}

/** Host, name and schema of a database are no secrets. */
function nameOf(database: JournalDatabase | undefined): string {
	if (!database) {
		return 'file';
	}

	const url = URL.parse(database.url);
	return `${url?.host ?? ''}${url?.pathname ?? ''} ${database.schema}`;
}

import {readFileSync} from 'node:fs';
import {writePrivateFile} from '../../config/values/text-file.ts';
import {type JournalPlace, missingJournal, otherJournal} from '../../journal/journal-identity.ts';
import {type WhenEmpty} from '../../journal/operations/operation-values.ts';
import {type JournalDatabase} from '../../journal/postgres/connection.ts';
import {isJsonObject, parseJson} from '../../util/json-text.ts';

/** The journals that a state directory has worked with. One of them that is empty, or another one in its place, was lost: what was accepted is elsewhere. */
type KnownJournals = {
	readonly whenEmpty: (database: JournalDatabase | undefined) => WhenEmpty;
	/** The identity that the journal there must have; undefined where any will do. */
	readonly identity: (database: JournalDatabase | undefined) => string | undefined;
	/** Without an identity, the next start learns it. Never rejects: where it cannot be written, the next start knows as much as this one. */
	readonly remember: (database: JournalDatabase | undefined, identity: string | undefined) => Promise<void>;
};

/** Databases come and go; more than these are forgotten, the oldest first. */
const maxKnown = 20;

/** Identities by the names of journals; null: an older version has worked with it. */
type Known = ReadonlyMap<string, string | null>;

/** Reads them from beside the journal's file; `asked` makes an empty one new all the same, until that is remembered. */
export function createKnownJournals(journalPath: string, asked: 'new-journal' | 'nothing' = 'nothing'): KnownJournals {
	const path = `${journalPath}.known`;
	let phase = asked;
	const expected = (database: JournalDatabase | undefined) =>
		phase === 'nothing' ? readKnown(path).get(nameOf(database)) : undefined;
	return {
		whenEmpty: database => (expected(database) === undefined ? 'create' : 'refuse'),
		identity: database => expected(database) ?? undefined,
		async remember(database, found) {
			const identity = found ?? null;
			const [known, name] = [readKnown(path), nameOf(database)];
			if (!known.has(name) || known.get(name) !== identity) {
				const journals = [...known, [name, identity] as const].slice(-maxKnown);
				await writePrivateFile(path, knownText(new Map(journals))).catch(() => undefined);
			}

			phase = 'nothing';
		},
	};
}

/** Throws `storage_unavailable` for a journal with this identity, or none, where the state directory had another one: each start refuses it, too. */
export function refuseLost(found: {readonly identity?: string | undefined} | 'empty', place: JournalPlace): void {
	const known = createKnownJournals(place.path);
	const {database} = place;
	if (found === 'empty') {
		if (known.whenEmpty(database) === 'refuse') {
			throw missingJournal(place);
		}
	} else if (found.identity !== undefined && found.identity !== (known.identity(database) ?? found.identity)) {
		throw otherJournal(place);
	}
}

function readKnown(path: string): Known {
	try {
		const content = parseJson(readFileSync(path, 'utf8'));
		const {journals, identities} = isJsonObject(content) ? content : {};
		const names = Array.isArray(journals) ? journals.filter(name => typeof name === 'string') : [];
		const idOf = (name: string) => (isJsonObject(identities) ? identities[name] : undefined);
		return new Map(
			names.map(name => {
				const id = idOf(name);
				return [name, typeof id === 'string' ? id : null];
			}),
		);
	} catch {
		return new Map();
	}
}

/** Older versions read the names alone. */
function knownText(known: Known): string {
	const identities = Object.fromEntries([...known].filter(([, id]) => id !== null));
	return `${JSON.stringify({journals: [...known.keys()], identities})}\n`;
}

/** Host, name and schema of a database are no secrets. */
function nameOf(database: JournalDatabase | undefined): string {
	if (!database) {
		return 'file';
	}

	const url = URL.parse(database.url);
	return `${url?.host ?? ''}${url?.pathname ?? ''} ${database.schema}`;
}

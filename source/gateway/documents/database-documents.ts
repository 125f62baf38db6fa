import {defaultProfile} from '../../config/read/state-paths.ts';
import {
	assertSize,
	type DocumentKind,
	type DocumentName,
	type Documents,
	parseDocument,
	type StoredDocument,
} from '../../config/values/stored-document.ts';
import {type JournalDocuments} from '../../journal/journal.ts';
import {type DocumentKey, type DocumentRow, type KnownDocument} from '../../journal/rows/document-rows.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';

/** The documents in the database of a journal, as they were read last (docs/postgresql.md, Several machines). */
type DatabaseDocuments = {
	/** Until the first `refresh` they cannot be read. */
	readonly of: (profile: string) => Documents;
	/** Takes over what others changed. Rejects with `storage_unavailable`; what was read before holds on then. */
	readonly refresh: () => Promise<void>;
};

/** The connection through which the documents reach their database. */
export type DatabaseAccess = {
	/** Gives the journal to what asks it. */
	readonly withJournal: <Answer>(work: (journal: JournalDocuments) => Promise<Answer>) => Promise<Answer>;
	/** Name stored with each change of a document, for readers of the table. */
	readonly by: () => string;
	/** Called after each change that was written here. */
	readonly onWritten: (journal: JournalDocuments) => Promise<void> | void;
};

type Row = KnownDocument & {readonly content: string};

/** The documents of all profiles, as they were read last, and who wants to know of changes. */
type Cache = ReturnType<typeof createCache>;

/** Creates the documents; nothing is read yet. */
export function createDatabaseDocuments({withJournal, by, onWritten}: DatabaseAccess): DatabaseDocuments {
	const cache = createCache();
	/** One after another, so that no read brings back a version from before a change. */
	const inTurn = createTurns();
	const readChanges = async ({listDocuments}: JournalDocuments) => cache.takeOver(await listDocuments(cache.known()));
	const replace = async (journal: JournalDocuments, document: DocumentKey, content: string) => {
		const from = cache.find(document)?.version ?? 0;
		const outcome = await journal.replaceDocument({...document, from, content, by: by()});
		if (outcome === 'replaced') {
			cache.put({...document, version: from + 1, content});
			await onWritten(journal);
		}

		return outcome;
	};

	const write: Write = (document, next) =>
		inTurn(() =>
			withJournal(async journal => {
				for (let attempt = 1; attempt <= maxAttempts; attempt++) {
					await readChanges(journal);
					const content = next();
					if (content === undefined || (await replace(journal, document, content)) === 'replaced') {
						return;
					}
				}

				throw new Problem('storage_unavailable', {
					message: 'Other gateways keep changing the same entries; nothing was written. Try again',
				});
			}),
		);
	const refresh = () => inTurn(() => withJournal(readChanges));
	return {of: profile => documentsOf(profile, {cache, write, refresh}), refresh};
}

/** Of so many that change one document at once, the last one gets its turn. */
const maxAttempts = 50;

/** Stores what `next` makes of the document as everybody has it; undefined: nothing. It is asked again when somebody else was quicker. */
type Write = (document: DocumentKey, next: () => string | undefined) => Promise<void>;

function createCache() {
	const listeners = new Map<string, Set<() => void>>();
	let rows: ReadonlyMap<string, Row> | undefined;
	return {
		known: (): readonly KnownDocument[] => [...(rows?.values() ?? [])],
		isRead: () => rows !== undefined,
		find: (document: DocumentKey) => rows?.get(keyOf(document)),
		put(row: Row): void {
			rows = new Map(rows).set(keyOf(row), row);
		},
		/** A row whose version is known comes without its content. */
		takeOver(found: readonly DocumentRow[]): void {
			const before = rows;
			const now = found.flatMap(({content, ...row}) =>
				content === null ? (before?.get(keyOf(row)) ?? []) : {...row, content},
			);
			rows = new Map(now.map(row => [keyOf(row), row]));
			for (const [key, called] of listeners) {
				if (!before || before.get(key)?.version !== rows.get(key)?.version) {
					called.forEach(listener => listener());
				}
			}
		},
		listen(document: DocumentKey, listener: () => void): () => void {
			const called = listeners.get(keyOf(document)) ?? new Set();
			listeners.set(keyOf(document), called.add(listener));
			return () => void called.delete(listener);
		},
	};
}

function keyOf({profile, name}: DocumentKey): string {
	return JSON.stringify([profile, name]);
}

/** The documents of one profile: each is opened once, and parsed once for each version. */
function documentsOf(
	profile: string,
	{cache, write, refresh}: {readonly cache: Cache; readonly write: Write} & Pick<Documents, 'refresh'>,
): Documents {
	const opened = new Map<DocumentName, unknown>();
	return {
		open<Value extends JsonObject>(kind: DocumentKind<Value>) {
			// One kind has one name, so this is the document of that kind.
			const document = (opened.get(kind.name) ??
				createDocument(profile, kind, {cache, write})) as StoredDocument<Value>;
			opened.set(kind.name, document);
			return document;
		},
		onChange: (name, listener) => cache.listen({profile, name}, listener),
		refresh,
	};
}

const remedy =
	"In its row of the table `documents` of the journal's database correct `content` and raise `version`, or delete the row";

function createDocument<Value extends JsonObject>(
	profile: string,
	{name, schema, fallback, largestBytes}: DocumentKind<Value>,
	{cache, write}: {readonly cache: Cache; readonly write: Write},
): StoredDocument<Value> {
	const place = `${name} ${profile === defaultProfile ? '' : `of the profile ${profile} `}in the journal`;
	const find = () => {
		if (!cache.isRead()) {
			throw new Problem('storage_unavailable', {
				message: `${place} was not read: the journal could not be used`,
				remedy: 'Repair the journal: `sluice doctor` names the fault',
			});
		}

		return cache.find({profile, name});
	};

	let last: {readonly row: Row; readonly value: Value} | undefined;
	const read = () => {
		const row = find();
		if (!row) {
			return fallback;
		}

		if (last?.row !== row) {
			assertSize(row.content.length, place, largestBytes);
			last = {row, value: parseDocument(schema, row.content, {place, remedy})};
		}

		return last.value;
	};

	return {
		place,
		read,
		stamp: () => String(find()?.version ?? 0),
		update: change =>
			write({profile, name}, () => {
				const current = read();
				const value = change(current);
				return value === current ? undefined : JSON.stringify(value);
			}),
	};
}

function createTurns() {
	let last: Promise<unknown> = Promise.resolve();
	return <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
		const done = last.then(work);
		last = done.catch(() => undefined);
		return done;
	};
}

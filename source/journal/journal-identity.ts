import {emptyJournalRemedy} from '../util/file-remedies.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type Journal} from './journal.ts';
import {type JournalDatabase} from './postgres/connection.ts';

/** Where a journal is: a file, or a PostgreSQL database instead. */
export type JournalPlace = {readonly path: string; readonly database?: JournalDatabase | undefined};

/** The place of a journal, as texts name it. */
function journalPlaceText({path, database}: JournalPlace): string {
	return database ? `the schema ${database.schema} of the database of journal.url` : safeText(path);
}

/** The problem of a journal that was made apart from the one that the state directory had. */
export function otherJournal(place: JournalPlace): Problem {
	const text = journalPlaceText(place);
	return new Problem('storage_unavailable', {
		message: `The journal that this state directory had is gone, and another one is in its place: ${text}`,
		remedy: emptyJournalRemedy(text),
	});
}

/** The problem of a journal that is gone, with nothing in its place. */
export function missingJournal(place: JournalPlace): Problem {
	const text = journalPlaceText(place);
	return new Problem('storage_unavailable', {
		message: `The journal that this state directory had is missing or empty: ${text}`,
		remedy: emptyJournalRemedy(text),
	});
}

/** Resolves with the journal. Closes another one than the expected, and rejects with `storage_unavailable`. */
export async function requireIdentity<Opened extends Pick<Journal, 'findIdentity' | 'close'>>(
	journal: Opened,
	expected: string | undefined,
	place: JournalPlace,
): Promise<Opened> {
	try {
		if (expected !== undefined && (await journal.findIdentity()) !== expected) {
			throw otherJournal(place);
		}

		return journal;
	} catch (caught) {
		await journal.close();
		throw caught;
	}
}

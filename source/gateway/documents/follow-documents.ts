import {type JournalDocuments} from '../../journal/rows/document-rows.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {type DatabaseDocuments} from './database-documents.ts';

/** How often documents are looked at that nobody announced. */
const lookMilliseconds = 1000;
/** An announcement takes a lock that every commit of the database waits for. */
const announceMilliseconds = 50;

/** Takes over what other processes change in the documents of a database (docs/deployment.md, Several machines). */
export type Following = {
	/** Somebody says that something changed. */
	readonly look: () => void;
	readonly close: () => void;
};

/** Looks each second. A database that is away is looked at again; what was read before holds on. */
export function followDocuments({refresh}: Pick<DatabaseDocuments, 'refresh'>, clock: Clock): Following {
	let phase: 'waiting' | 'looking' | 'asked again' | 'closed' = 'waiting';
	let timer: Timer | undefined;
	const current = () => phase;
	const look = async () => {
		timer?.cancel();
		phase = 'looking';
		await refresh().catch(() => undefined);
		if (current() === 'asked again') {
			await look();
		} else if (current() === 'looking') {
			wait();
		}
	};

	const wait = () => {
		phase = 'waiting';
		timer = clock.after(lookMilliseconds, () => void look());
	};

	wait();
	return {
		look() {
			if (phase === 'waiting') {
				void look();
			} else if (phase === 'looking') {
				phase = 'asked again';
			}
		},
		close() {
			phase = 'closed';
			timer?.cancel();
		},
	};
}

/** Announces changes: the first at once, those that follow it soon together. */
export function createAnnouncer(clock: Clock): {
	readonly announce: (documents: Pick<JournalDocuments, 'announce'>) => void;
	readonly close: () => void;
} {
	let resting: Timer | undefined;
	let due: (() => void) | undefined;
	const announce = (documents: Pick<JournalDocuments, 'announce'>) => {
		if (resting) {
			due = () => announce(documents);
			return;
		}

		// Whoever hears nothing of it looks within a second.
		void documents.announce().catch(() => undefined);
		resting = clock.after(announceMilliseconds, () => {
			resting = undefined;
			const next = due;
			due = undefined;
			next?.();
		});
	};

	return {announce, close: () => resting?.cancel()};
}

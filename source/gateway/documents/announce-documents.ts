import {type JournalDocuments} from '../../journal/journal.ts';
import {type Clock, type Timer} from '../../util/clock.ts';

/** An announcement takes a lock that every commit of the database waits for. */
const announceMilliseconds = 50;

/** Announces changes: the first at once, those that follow it soon together. */
export function createAnnouncer(clock: Clock): {
	readonly announce: (journal: Pick<JournalDocuments, 'announce'>) => void;
	readonly close: () => void;
} {
	let resting: Timer | undefined;
	let due: (() => void) | undefined;
	const announce = (journal: Pick<JournalDocuments, 'announce'>) => {
		if (resting) {
			due = () => announce(journal);
			return;
		}

		// A failed announcement costs a second: the other gateways poll for changes.
		void journal.announce('documents').catch(() => undefined);
		resting = clock.after(announceMilliseconds, () => {
			resting = undefined;
			const next = due;
			due = undefined;
			next?.();
		});
	};

	return {announce, close: () => resting?.cancel()};
}

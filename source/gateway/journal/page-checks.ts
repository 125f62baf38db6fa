import {type RecoverableJournal} from '../../journal/recoverable-journal.ts';
import {StorageProblem} from '../../journal/operations/request-batches.ts';
import {checkFile} from '../../journal/sqlite/check-file.ts';
import {type Publish} from '../../state/event.ts';
import {type Clock} from '../../util/clock.ts';
import {type Repetition, repeat} from '../../util/repeat.ts';

/** A check that is due is looked for so often: a journal that is away is checked once it is back. */
const pollMilliseconds = 60_000;
const dayMilliseconds = 86_400_000;

/** Checks every page of the journal's file, a minute after the start and once a day: a statement notices damage only where it reads. */
export function startPageChecks({
	clock,
	path,
	publish,
	place,
	journal: {isOpen, reportDamage},
}: {
	readonly clock: Clock;
	readonly path: string;
	readonly publish: Publish;
	readonly place: () => 'file' | 'database' | 'unknown';
	readonly journal: Pick<RecoverableJournal, 'isOpen' | 'reportDamage'>;
}): Repetition {
	let dueAt = Number.NEGATIVE_INFINITY;
	return repeat({
		clock,
		firstMilliseconds: pollMilliseconds,
		everyMilliseconds: pollMilliseconds,
		async work(_, signal) {
			if (place() !== 'file' || !isOpen() || clock.elapsed() < dueAt) {
				return;
			}

			dueAt = clock.elapsed() + dayMilliseconds;
			const found = await checkFile({path, clock, depth: 'quick', use: 'of a gateway', signal});
			if (found.kind === 'damaged') {
				// Also once it was restored.
				dueAt = Number.NEGATIVE_INFINITY;
				reportDamage(new StorageProblem('damaged', {detail: found.detail}));
			} else if (found.kind === 'failed') {
				const text = `The pages of the journal could not be checked: ${found.detail}`;
				publish({type: 'log', level: 'warning', area: 'journal', text});
			}
		},
	});
}

import {type Journal, type RunRecord, type RunRow} from '../journal/journal.ts';
import {noModel, parked} from './item-board.ts';
import {type ProfileOf} from './run-profile.ts';

/** A run that was given out: begun, or laid into the inbox. */
export type TakenRun = {readonly kind: 'begun' | 'parked'; readonly run: RunRecord};

/** Takes the next runs from the queue, the oldest first: at most `places` begun ones. Empty when nothing waits. */
export type TakeRuns = (places: number) => Promise<readonly TakenRun[]>;

/** So many are looked at together: one wait for the disk serves them all, and it is still over in a moment. */
const mostAtOnce = 32;

/**
Makes the function that takes runs from the queue: begun when their profile has a model, else into the inbox, each in the write in which it leaves the
queue, so that a hard kill finds it before or after that, and an inbox item never begun. Rejects with `storage_unavailable`.
*/
export function createTakeRuns(options: {
	readonly journal: Pick<Journal, 'nextQueuedRuns' | 'moveQueuedRuns'>;
	readonly profileOf: ProfileOf;
}): TakeRuns {
	const {journal, profileOf} = options;
	/** Without those that were cancelled while their model was chosen. */
	const take = async (runs: readonly TakenRun[]): Promise<readonly TakenRun[]> => {
		const move = async (wanted: TakenRun['kind'], change: Pick<RunRow, 'state' | 'reason'>) => {
			const ids = runs.filter(({kind}) => kind === wanted).map(({run}) => run.id);
			return ids.length === 0 ? new Set<string>() : journal.moveQueuedRuns(ids, change);
		};

		const moved = await Promise.all([
			move('begun', {state: 'running'}),
			move('parked', {state: parked, reason: noModel}),
		]);
		return runs.filter(({run}) => moved.some(ids => ids.has(run.id)));
	};

	return async places => {
		for (let next = journal.nextQueuedRuns(mostAtOnce); next.length > 0; next = journal.nextQueuedRuns(mostAtOnce)) {
			const chosen: TakenRun[] = [];
			let left = places;
			for (const run of next) {
				const {kind} = await profileOf(run.profile).agent.model();
				// The oldest that may begin keeps its turn; nothing behind it is taken before it.
				if (kind !== 'none' && left === 0) {
					break;
				}

				left -= kind === 'none' ? 0 : 1;
				chosen.push({kind: kind === 'none' ? 'parked' : 'begun', run});
			}

			const taken = await take(chosen);
			if (taken.length > 0 || chosen.length === 0) {
				return taken;
			}
		}

		return [];
	};
}

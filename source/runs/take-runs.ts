import {type Journal, type RunRecord} from '../journal/journal.ts';
import {noModel, parked} from './item-board.ts';
import {type ProfileOf} from './run-profile.ts';

/** A run that was given out: begun, or laid into the inbox. */
export type TakenRun = {readonly kind: 'begun' | 'parked'; readonly run: RunRecord};

/** Takes the next runs from the queue, the oldest first: at most `places` begun ones. Empty when nothing waits. */
export type TakeRuns = (places: number) => Promise<readonly TakenRun[]>;

/** So many are looked at together: one wait for the disk serves them all, and it is still over in a moment. */
const mostAtOnce = 32;

/**
Makes the function that takes runs from the queue: begun when their profile has a model, else into the inbox. Each is one write, so that a hard kill
finds the run before or after it, and an inbox item never begun. Rejects with `storage_unavailable`.
*/
export function createTakeRuns(options: {
	readonly journal: Pick<Journal, 'nextQueuedRuns' | 'takeQueuedRun'>;
	readonly profileOf: ProfileOf;
}): TakeRuns {
	const {journal, profileOf} = options;
	const take = async ({id}: RunRecord, kind: TakenRun['kind']): Promise<readonly TakenRun[]> => {
		const change = kind === 'parked' ? {state: parked, reason: noModel} : ({state: 'running'} as const);
		const run = await journal.takeQueuedRun({...change, id});
		// It may have been cancelled while the model was chosen.
		return run ? [{kind, run}] : [];
	};

	return async places => {
		for (let next = journal.nextQueuedRuns(mostAtOnce); next.length > 0; next = journal.nextQueuedRuns(mostAtOnce)) {
			const chosen: Array<Promise<readonly TakenRun[]>> = [];
			let left = places;
			for (const run of next) {
				const {kind} = await profileOf(run.profile).agent.model();
				// The oldest that may begin keeps its turn; nothing behind it is taken before it.
				if (kind !== 'none' && left === 0) {
					break;
				}

				left -= kind === 'none' ? 0 : 1;
				chosen.push(take(run, kind === 'none' ? 'parked' : 'begun'));
			}

			const taken = (await Promise.all(chosen)).flat();
			if (taken.length > 0 || chosen.length === 0) {
				return taken;
			}
		}

		return [];
	};
}

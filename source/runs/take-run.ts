import {type Journal, type RunRecord} from '../journal/journal.ts';
import {noModel, parked} from './inbox.ts';
import {type ProfileOf} from './run-profile.ts';

/**
Makes the function that takes the next run from the queue: begun when its profile has a model, else into the inbox. It is one write, so that a hard
kill finds the run before or after it, and an inbox item never begun. Rejects with `storage_unavailable`.
*/
export function createTakeRun(options: {
	readonly journal: Pick<Journal, 'nextQueuedRun' | 'takeQueuedRun'>;
	readonly profileOf: ProfileOf;
}): () => Promise<RunRecord | undefined> {
	const {journal, profileOf} = options;
	return async () => {
		for (let next = journal.nextQueuedRun(); next !== undefined; next = journal.nextQueuedRun()) {
			const {kind} = await profileOf(next.profile).agent.model();
			const change = kind === 'none' ? {state: parked, reason: noModel} : ({state: 'running'} as const);
			const taken = await journal.takeQueuedRun({...change, id: next.id});
			// It may have been cancelled while the model was chosen.
			if (taken) {
				return taken;
			}
		}

		return undefined;
	};
}

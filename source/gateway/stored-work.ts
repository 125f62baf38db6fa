import {existsSync} from 'node:fs';
import {defaultProfile} from '../config/read/state-paths.ts';
import {findDatabase, openConfiguredJournal} from './journal/configured-journal.ts';
import {profileDirectories} from './profiles/other-profiles.ts';
import {loadProfile, type RuntimeContext} from './profiles/profile-context.ts';

/** The unfinished work in the journal of a state directory, each a number of rows, at most 1,000 a profile. */
export type WorkCounts = {
	/** Runs that wait for their turn, and events that wait in an open window. */
	readonly queued: number;
	/** Inbox items and messages that are not sent yet. */
	readonly waiting: number;
	/** Calls and messages of which nobody knows whether they took effect. */
	readonly uncertain: number;
};

/** The work that is deleted with a state directory. `database`: the journal is elsewhere and stays. */
export type StoredWork = {readonly kind: 'none' | 'database'} | {readonly kind: 'counted'; readonly counts: WorkCounts};

const limit = 1000;

/** Counts the unfinished work in the journal of a state directory that no gateway runs on. Rejects with `storage_unavailable`. */
export async function readStoredWork(runtime: RuntimeContext): Promise<StoredWork> {
	const context = await loadProfile(runtime);
	const {paths, clock} = context;
	if (await findDatabase(context)) {
		return {kind: 'database'};
	}

	if (!existsSync(paths.journal)) {
		return {kind: 'none'};
	}

	const others = paths.profile === defaultProfile ? await profileDirectories(paths.root) : [];
	const journal = await openConfiguredJournal(context);
	try {
		const [windows, messages, unsure, inbox, queued] = await Promise.all([
			journal.listWindows(),
			journal.listMessages({states: ['pending', 'sending', 'retrying'], limit}),
			journal.listMessages({states: ['outcome_uncertain'], limit}),
			journal.listRuns({states: ['inbox'], limit}),
			journal.countWaitingRuns(),
		]);
		let calls = 0;
		for (const profile of [paths.profile, ...others]) {
			calls += (await journal.listUncertainCalls({profile, begunBefore: clock.now(), limit})).length;
		}

		return {
			kind: 'counted',
			counts: {
				queued: queued + windows.length,
				waiting: inbox.length + messages.length,
				uncertain: calls + unsure.length,
			},
		};
	} finally {
		await journal.close();
	}
}

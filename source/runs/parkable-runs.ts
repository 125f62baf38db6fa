import {type Journal, type RunRecord} from '../journal/journal.ts';
import {untilAborted} from '../util/clock.ts';
import {type ProfileOf} from './run-profile.ts';

/** Queued runs that need nobody but a person: they are parked in the inbox although no run can begin (docs/agents.md, Inbox). */
export type ParkableRuns = {
	/** A run of this profile was queued; without a profile, something else may have changed. Cheap: nothing is read for a profile that has a model. */
	readonly note: (profile?: string) => void;
	/** True if a scan may find some. */
	readonly mayBeThere: () => boolean;
	/** Scans the queue for the next ones, oldest first, and parks them. Those that `park` did not park, or when it rejects, are found again. */
	readonly scan: <Parked>(
		park: (runs: readonly RunRecord[]) => Promise<readonly Parked[]>,
		options: {readonly signal: AbortSignal},
	) => Promise<readonly Parked[]>;
};

/** The nearest gateway with a model for a profile, as far as known. */
type ModelAt = 'here' | 'elsewhere' | 'nowhere';

/** The number of runs that are parked together. */
const maxAtOnce = 32;

/**
Creates them. A scan begins where the last one ended, so that a long queue is read once, not for every run that is parked; it starts over when a profile
has lost its model.
*/
export function createParkableRuns({
	journal,
	profileOf,
	mayHaveModelElsewhere,
}: {
	readonly journal: Pick<Journal, 'listQueuedRuns'>;
	readonly profileOf: ProfileOf;
	readonly mayHaveModelElsewhere: (profile: string) => boolean;
}): ParkableRuns {
	const models = new Map<string, ModelAt>();
	let position = 0;
	let isDue = true;

	const find = async (profile: string, signal: AbortSignal): Promise<ModelAt> => {
		const {kind} = await untilAborted(profileOf(profile).agent.model(), signal);
		if (kind !== 'none') {
			return 'here';
		}

		return mayHaveModelElsewhere(profile) ? 'elsewhere' : 'nowhere';
	};

	const findAll = async (profiles: readonly string[], signal: AbortSignal) => {
		const found = await Promise.all(profiles.map(async profile => [profile, await find(profile, signal)] as const));
		for (const [profile, at] of found) {
			if (at === 'nowhere' && (models.get(profile) ?? at) !== at) {
				position = 0;
			}

			models.set(profile, at);
		}
	};

	const next = async (signal: AbortSignal) => {
		for (;;) {
			const without = [...models].filter(([, at]) => at !== 'nowhere').map(([profile]) => profile);
			const found = await journal.listQueuedRuns({after: position, without, limit: maxAtOnce});
			// The numbers of runs that were pruned are given again.
			if (found.runs.length === 0 && found.last < position) {
				position = 0;
				continue;
			}

			const profiles = [...new Set(found.runs.map(({profile}) => profile))];
			await findAll(
				profiles.filter(profile => !models.has(profile)),
				signal,
			);
			// Else those of a profile turned out to have a model.
			if (profiles.every(profile => models.get(profile) === 'nowhere')) {
				return found;
			}
		}
	};

	return {
		note(profile) {
			isDue ||= profile === undefined || (models.get(profile) ?? 'nowhere') === 'nowhere';
		},
		mayBeThere: () => isDue,
		async scan(park, {signal}) {
			isDue = false;
			try {
				await findAll([...models.keys()], signal);
				const {runs, last} = await next(signal);
				const parked = runs.length === 0 ? [] : await park(runs);
				// Another gateway takes the others at this moment, or dies before it has.
				position = parked.length === runs.length ? last : position;
				isDue ||= runs.length > 0;
				return parked;
			} catch (caught) {
				isDue = true;
				throw caught;
			}
		},
	};
}

import {createBoundedMap} from '../util/limits/bounded-map.ts';
import {type Clock} from '../util/clock.ts';
import {type ApprovalOutcome} from './approval-state.ts';

/** The requests of the last hour: a person who read an id then may type a part of it now. */
export type RecentRequests = {
	readonly add: (id: string) => void;
	/** Records the outcome of a request of the last hour. */
	readonly settle: (id: string, outcome: ApprovalOutcome) => void;
	readonly endOf: (id: string) => ApprovalOutcome | undefined;
	/** Oldest first. */
	readonly list: () => readonly string[];
};

const hourMilliseconds = 60 * 60 * 1000;

/** More requests than any person was shown in an hour. */
const maxRecent = 10_000;

/** Creates an empty list. */
export function createRecentRequests(clock: Pick<Clock, 'elapsed'>): RecentRequests {
	const kept = createBoundedMap<string, {outcome?: ApprovalOutcome}>({
		max: maxRecent,
		age: {clock, milliseconds: hourMilliseconds},
	});
	return {
		add: id => kept.set(id, {}),
		settle(id, outcome) {
			const one = kept.get(id);
			if (one) {
				one.outcome = outcome;
			}
		},
		endOf: id => kept.get(id)?.outcome,
		list: kept.keys,
	};
}

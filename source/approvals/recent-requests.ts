import {type Clock} from '../util/clock.ts';
import {type ApprovalOutcome} from './approval-state.ts';

/** The requests of the last hour: whoever read an id then may type a part of it now. */
export type RecentRequests = {
	readonly add: (id: string) => void;
	/** How a request of the last hour ended. */
	readonly settle: (id: string, outcome: ApprovalOutcome) => void;
	readonly endOf: (id: string) => ApprovalOutcome | undefined;
	/** Oldest first. */
	readonly list: () => readonly string[];
};

const hourMilliseconds = 60 * 60 * 1000;

/** More requests than any person was shown in an hour. */
const mostRecent = 10_000;

/** Creates an empty list. */
export function createRecentRequests(clock: Pick<Clock, 'elapsed'>): RecentRequests {
	let kept: ReadonlyArray<{readonly id: string; readonly at: number; outcome?: ApprovalOutcome}> = [];
	const recent = () => kept.filter(({at}) => at > clock.elapsed() - hourMilliseconds);
	const find = (id: string) => recent().find(one => one.id === id);
	return {
		add(id) {
			kept = [...recent(), {id, at: clock.elapsed()}].slice(-mostRecent);
		},
		settle(id, outcome) {
			const one = find(id);
			if (one) {
				one.outcome = outcome;
			}
		},
		endOf: id => find(id)?.outcome,
		list: () => recent().map(({id}) => id),
	};
}

import {type NodeFacts} from '../../journal/rows/node-rows.ts';
import {type Clock} from '../../util/clock.ts';

/** The time of the last key at the consoles: whether a person is at one is said by keys, never by an open connection (docs/remote.md). */
export type LastKey = {
	/** A key was pressed at a console of this gateway. Nobody says which. */
	readonly pressed: () => void;
	/** The time since then, as the other gateways get it. */
	readonly facts: () => Pick<NodeFacts, 'sinceKey'>;
	/** Milliseconds since the last key at any gateway of the journal, by what others have said a few seconds ago; undefined before the first. */
	readonly since: () => number | undefined;
};

/** Creates it; nothing was pressed yet. */
export function createLastKey(clock: Pick<Clock, 'elapsed'>, sinceElsewhere: () => number | undefined): LastKey {
	let at: number | undefined;
	const sinceOwn = () => (at === undefined ? undefined : clock.elapsed() - at);
	return {
		pressed() {
			at = clock.elapsed();
		},
		facts() {
			const sinceKey = sinceOwn();
			return sinceKey === undefined ? {} : {sinceKey: Math.round(sinceKey)};
		},
		since() {
			const times = [sinceOwn(), sinceElsewhere()].filter(time => time !== undefined);
			return times.length === 0 ? undefined : Math.min(...times);
		},
	};
}

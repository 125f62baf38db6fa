/** What is to become of a call: it runs; the model is told that it repeats itself; the run ends. */
export type RepeatVerdict = 'run' | 'warn' | 'stop';

/** Notices a model that makes the same call over and over. */
export type RepeatGuard = {
	/** Counts a call. `call` is the same text for the same tool with the same arguments. */
	readonly count: (call: string) => RepeatVerdict;
	/** The tool on which the model got stuck. */
	readonly stuckOn: () => string | undefined;
};

/** Waiting for something by asking again is fine for a while. */
const mostEqualCalls = 5;

/** Opens the guard of one run. A different call in between starts the count again. */
export function createRepeatGuard(): RepeatGuard {
	let last = '';
	let times = 0;
	let stuck: string | undefined;
	return {
		count(call) {
			times = call === last ? times + 1 : 1;
			last = call;
			if (times <= mostEqualCalls) {
				return 'run';
			}

			if (times === mostEqualCalls + 1) {
				return 'warn';
			}

			stuck = call.split(' ', 1)[0];
			return 'stop';
		},
		stuckOn: () => stuck,
	};
}

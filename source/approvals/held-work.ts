import {type Origin} from '../state/origin.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {whenAborted} from '../util/abort-signal.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';

/** Work that would leave the gateway if it were not held. Names and arguments are not safe to show. */
export type HeldWork = {
	readonly kind: 'call' | 'sampling' | 'elicitation';
	readonly server: string;
	readonly tool: string;
	readonly origin: Origin;
	/** The arguments of a call, or what a model is asked; absent for what a person typed. */
	readonly arguments?: JsonObject;
};

/** The work that waits for the release of a hold. */
export type HeldWorkList = {
	/** Resolves with the next release; `onRelease` is called in that very moment. Rejects with the reason of the signal, or `cancelled` once the list is closed. */
	readonly wait: (
		work: HeldWork,
		options: {readonly signal: AbortSignal; readonly onRelease: () => void},
	) => Promise<void>;
	/** Oldest first. */
	readonly list: () => readonly HeldWork[];
	/** Lets everything go on, oldest first. */
	readonly releaseAll: () => void;
	/** Cancels what waits, and what comes later. */
	readonly close: () => void;
};

const gatherMilliseconds = 1000;

/** Creates an empty list. `onChange` is called once a second at most. */
export function createHeldWork(clock: Clock, onChange: () => void): HeldWorkList {
	const entries = new Map<symbol, {readonly work: HeldWork; readonly end: (problem?: Error) => void}>();
	let phase: 'open' | 'closed' = 'open';
	let timer: Timer | undefined;
	const changed = () => {
		if (phase === 'closed') {
			return;
		}

		timer ??= clock.after(gatherMilliseconds, () => {
			timer = undefined;
			onChange();
		});
	};

	return {
		wait: (work, {signal, onRelease}) =>
			new Promise((resolve, reject) => {
				if (signal.aborted || phase === 'closed') {
					reject(signal.aborted ? signal.reason : new Problem('cancelled'));
					return;
				}

				const key = Symbol(work.kind);
				const end = (problem?: Error) => {
					entries.delete(key);
					endListening();
					changed();
					if (problem) {
						reject(problem);
					} else {
						onRelease();
						resolve();
					}
				};

				const endListening = whenAborted(signal, () => end(signal.reason));
				entries.set(key, {work, end});
				changed();
			}),
		list: () => Array.from(entries.values(), ({work}) => work),
		releaseAll: () => [...entries.values()].forEach(({end}) => end()),
		close() {
			phase = 'closed';
			[...entries.values()].forEach(({end}) => end(new Problem('cancelled')));
			timer?.cancel();
		},
	};
}

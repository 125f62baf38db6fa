import {type EventBus} from '../../state/event-bus.ts';
import {type Clock} from '../../util/clock.ts';
import {repeat} from '../../util/repeat.ts';
import {type PollOthers} from './other-work.ts';

const pollMilliseconds = 1000;

/** Polls the journal for work of other gateways and keeps it shown. */
export type OthersWatch = {
	/** Has it shown as it was at most a second ago, also while nobody listens. Never rejects. */
	readonly poll: () => Promise<void>;
	readonly stop: () => void;
};

/** Polls the others each second while somebody listens, and at once when somebody begins to. */
export function watchOthers({
	clock,
	eventBus,
	poll,
}: {
	readonly clock: Clock;
	readonly eventBus: Pick<EventBus, 'isWatched' | 'onWatched'>;
	readonly poll: PollOthers;
}): OthersWatch {
	/** Events after this time are published as new; earlier ones as history. */
	let newsSince: number | undefined = clock.now();
	let phase: 'opening' | 'open' | 'stopped' = 'opening';
	let running: Promise<void> | undefined;
	let polledAt = Number.NEGATIVE_INFINITY;
	const pollOnce = async () => {
		polledAt = clock.elapsed();
		if ((await poll(newsSince)) === 'polled') {
			newsSince = undefined;
			phase = phase === 'opening' ? 'open' : phase;
		}
	};

	const start = () =>
		(running ??= pollOnce().finally(() => {
			running = undefined;
		}));
	const goOn = async () => {
		if (phase !== 'stopped') {
			newsSince = clock.now();
			await start();
		}
	};

	const endWaiting = eventBus.onWatched(() => void goOn());
	const rounds = repeat({
		clock,
		firstMilliseconds: 0,
		everyMilliseconds: pollMilliseconds,
		// The first successful poll sets the time after which events are new for later listeners.
		work: async () => (phase === 'opening' || eventBus.isWatched() ? start() : undefined),
	});
	return {
		async poll() {
			if (running) {
				await running;
			} else if (!eventBus.isWatched() && clock.elapsed() - polledAt >= pollMilliseconds) {
				await goOn();
			}
		},
		stop() {
			phase = 'stopped';
			endWaiting();
			// It only reads, and nobody waits for a database that does not answer.
			void rounds.stop();
		},
	};
}

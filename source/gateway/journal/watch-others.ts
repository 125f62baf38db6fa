import {type EventBus} from '../../state/event-bus.ts';
import {type Clock} from '../../util/clock.ts';
import {repeat} from '../../util/repeat.ts';
import {type LookAtOthers} from './other-work.ts';

const lookMilliseconds = 1000;

/** Polls the journal for work of other gateways and keeps it shown. */
export type OthersWatch = {
	/** Has it shown as it was at most a second ago, also while nobody listens. Never rejects. */
	readonly look: () => Promise<void>;
	readonly stop: () => void;
};

/** Looks at the others each second while somebody listens, and at once when somebody begins to. */
export function watchOthers({
	clock,
	eventBus,
	look,
}: {
	readonly clock: Clock;
	readonly eventBus: Pick<EventBus, 'isWatched' | 'onWatched'>;
	readonly look: LookAtOthers;
}): OthersWatch {
	/** Since when what is found is news: set from when looks began or went on after a break until one of them has succeeded. */
	let newsSince: number | undefined = clock.now();
	let phase: 'opening' | 'open' | 'stopped' = 'opening';
	let running: Promise<void> | undefined;
	let lookedAt = Number.NEGATIVE_INFINITY;
	const lookOnce = async () => {
		lookedAt = clock.elapsed();
		if ((await look(newsSince)) === 'looked') {
			newsSince = undefined;
			phase = phase === 'opening' ? 'open' : phase;
		}
	};

	const start = () =>
		(running ??= lookOnce().finally(() => {
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
		everyMilliseconds: lookMilliseconds,
		// The first successful poll sets the time after which events are new for later listeners.
		work: async () => (phase === 'opening' || eventBus.isWatched() ? start() : undefined),
	});
	return {
		async look() {
			if (running) {
				await running;
			} else if (!eventBus.isWatched() && clock.elapsed() - lookedAt >= lookMilliseconds) {
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

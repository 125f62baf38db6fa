import {type Journal, type StoredMessage} from '../journal/journal.ts';
import {type Clock, type Timer} from '../util/clock.ts';

/** Sends messages again when they are due. */
export type ResendTimer = {
	/** Looks for due messages now, and then for each when it is due. */
	readonly wake: () => void;
	/** Sends nothing more. */
	readonly stop: () => void;
};

const maxDue = 100;
/** Another gateway may have left messages, or the clock of the journal may differ. */
const longestWaitMilliseconds = 3_600_000;
/** This gateway may send nothing while others take it for dead. */
const shortestWaitMilliseconds = 1000;
/** The journal is away. */
const awayMilliseconds = 10_000;

/** Creates the timer; `send` never rejects. Messages to one platform are sent one after another, so that a silent platform delays no other. */
export function createResendTimer(options: {
	readonly journal: Pick<Journal, 'takeDueMessages'>;
	readonly clock: Pick<Clock, 'after'>;
	readonly send: (message: StoredMessage) => Promise<void>;
}): ResendTimer {
	const {journal, clock, send} = options;
	let phase: 'idle' | 'working' | 'woken' | 'stopped' = 'idle';
	let timer: Timer | undefined;

	/** Answers the milliseconds until the next message is due. */
	const sendDue = async (): Promise<number | undefined> => {
		const {due, waitMilliseconds} = await journal.takeDueMessages(maxDue);
		if (due.length === 0 || isStopped()) {
			return waitMilliseconds;
		}

		const byPlatform = Map.groupBy(due, ({target, profile}) => JSON.stringify([target, profile]));
		await Promise.all(
			[...byPlatform.values()].map(async messages => {
				for (const message of messages) {
					await send(message);
				}
			}),
		);
		return sendDue();
	};

	const work = async () => {
		timer?.cancel();
		phase = 'working';
		const wait = await sendDue().catch(() => awayMilliseconds);
		if (isStopped()) {
			return;
		}

		const isWoken = wasWoken();
		phase = 'idle';
		if (isWoken) {
			wake();
		} else if (wait !== undefined) {
			timer = clock.after(Math.min(Math.max(wait, shortestWaitMilliseconds), longestWaitMilliseconds), wake);
		}
	};

	const isStopped = () => phase === 'stopped';
	const wasWoken = () => phase === 'woken';
	const wake = () => {
		if (phase === 'idle') {
			void work();
		} else if (phase === 'working') {
			phase = 'woken';
		}
	};

	return {
		wake,
		stop() {
			phase = 'stopped';
			timer?.cancel();
		},
	};
}

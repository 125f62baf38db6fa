import {type DeliveryResult, type StoredAttempts} from '../delivery/deliver.ts';
import {nextAttemptAt} from '../delivery/next-attempt.ts';
import {type Journal, type MessageAttempts, type SendProgress, type StoredMessage} from '../journal/journal.ts';
import {type Clock} from '../util/clock.ts';

/** One attempt at a stored message: `stored` goes with it, and `end` is what its end adds to the row. */
export type MessageAttempt = {
	readonly stored: StoredAttempts;
	readonly end: (result: DeliveryResult) => MessageAttempts;
};

/** Begins an attempt at a message; `retrying` ones count from their first attempt. After an abort there is no next one. */
export function beginAttempt(
	{id, progress}: StoredMessage,
	options: {
		readonly journal: Pick<Journal, 'recordProgress'>;
		readonly clock: Pick<Clock, 'now'>;
		readonly signal: AbortSignal;
		readonly isRetry: boolean;
	},
): MessageAttempt {
	const {journal, clock, signal, isRetry} = options;
	const earlier = isRetry && progress ? progress : {attempts: 0, firstAt: clock.now()};
	let current: SendProgress = {attempts: earlier.attempts + 1, firstAt: earlier.firstAt, parts: progress?.parts};
	return {
		stored: {
			before: progress?.parts,
			async onSent(parts) {
				current = {...current, parts};
				await journal.recordProgress(id, current);
			},
			nextAt: askedSeconds => (signal.aborted ? undefined : nextAttemptAt(current, {now: clock.now(), askedSeconds})),
		},
		end(result) {
			const cause = result.kind === 'failed' ? result.cause : undefined;
			return {
				progress: {...current, ...(cause && {cause})},
				...(result.kind === 'retrying' && {nextAt: result.nextAt}),
			};
		},
	};
}

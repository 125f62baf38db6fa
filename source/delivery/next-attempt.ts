import {type SendOutcome} from './send-outcome.ts';

/** The step after an attempt: the outcome is final, or the part is retried after `waitSeconds`. */
export type NextStep = {readonly kind: 'stop'} | {readonly kind: 'again'; readonly waitSeconds: number};

const stop: NextStep = {kind: 'stop'};

/**
Decides whether a part is retried, at most once for each reason: after "too fast" when the wait fits into the remaining time, after a rejected token
with a new one, and after an unknown outcome only where the platform recognises the repeat key.
*/
export function nextStep(
	outcome: SendOutcome,
	before: {
		readonly tried: ReadonlySet<SendOutcome['kind']>;
		readonly repeat: 'safe' | 'unsafe';
		readonly remainingSeconds: number;
	},
): NextStep {
	const {tried, repeat, remainingSeconds} = before;
	if (tried.has(outcome.kind)) {
		return stop;
	}

	switch (outcome.kind) {
		case 'sent':
		case 'refused':
		case 'unavailable':
			return stop;
		case 'rate-limited':
			return outcome.waitSeconds < remainingSeconds ? {kind: 'again', waitSeconds: outcome.waitSeconds} : stop;
		case 'stale-token':
			return {kind: 'again', waitSeconds: 0};
		case 'unknown':
			return repeat === 'safe' && remainingSeconds > 0 ? {kind: 'again', waitSeconds: 0} : stop;
	}
}

/** Seconds before each attempt at a message after the first. The last one repeats. */
const waitsSeconds: readonly number[] = [10, 60, 300, 900, 3600];
const longestSeconds = 24 * 3600;

/** The attempts at a message that ended with the certainty that it did not arrive. Times are milliseconds since the epoch. */
export type FailedAttempts = {readonly attempts: number; readonly firstAt: number};

/** The time of the next attempt at a message that certainly did not arrive; undefined 24 hours after the first. `askedSeconds`: the wait that the platform asks for. */
export function nextAttemptAt(
	{attempts, firstAt}: FailedAttempts,
	{now, askedSeconds = 0}: {readonly now: number; readonly askedSeconds?: number | undefined},
): number | undefined {
	const usual = waitsSeconds[Math.min(attempts, waitsSeconds.length) - 1] ?? 0;
	const at = now + Math.max(usual, askedSeconds) * 1000;
	return at <= firstAt + longestSeconds * 1000 ? at : undefined;
}

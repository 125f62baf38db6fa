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
			return stop;
		case 'rate-limited':
			return outcome.waitSeconds < remainingSeconds ? {kind: 'again', waitSeconds: outcome.waitSeconds} : stop;
		case 'stale-token':
			return {kind: 'again', waitSeconds: 0};
		case 'unknown':
			return repeat === 'safe' && remainingSeconds > 0 ? {kind: 'again', waitSeconds: 0} : stop;
	}
}

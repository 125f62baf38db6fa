import {type SendOutcome} from './send-outcome.ts';

/** What follows an attempt: the outcome stands, or the part is tried once more after `waitSeconds`. */
export type NextStep = {readonly kind: 'stop'} | {readonly kind: 'again'; readonly waitSeconds: number};

const stop: NextStep = {kind: 'stop'};

/**
Decides whether a part is tried again. Each reason counts once: a platform that says "too fast" is waited for when that fits into the time that is
left, a stale token is replaced, and an unknown outcome is repeated only where the platform knows the repeat key.
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

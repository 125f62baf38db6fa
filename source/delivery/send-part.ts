import {type Clock, openDeadline, sleep, untilAborted} from '../util/clock.ts';
import {errorText, Problem} from '../util/problem.ts';
import {nextStep} from './next-attempt.ts';
import {type SendOutcome} from './send-outcome.ts';

/** How long one attempt at a part may take where it can be repeated: a silent platform must leave time for the repetition. */
const repeatableSeconds = 12;

/** What sending a part needs beside the target. */
export type PartOptions = {
	readonly clock: Clock;
	/** Aborts at the deadline of the delivery, and when the gateway stops. */
	readonly signal: AbortSignal;
	/** `clock.elapsed()` at the deadline. */
	readonly endsAt: number;
	readonly repeat: 'safe' | 'unsafe';
	readonly forgetTokens: () => void;
};

/** Sends one part, with the attempts `next-attempt.ts` allows. Never rejects. */
export async function sendPart(
	attempt: (signal: AbortSignal) => Promise<SendOutcome>,
	options: PartOptions,
): Promise<SendOutcome> {
	const {clock, signal, endsAt, repeat, forgetTokens} = options;
	const tried = new Set<SendOutcome['kind']>();
	for (;;) {
		const limit = repeat === 'safe' && !tried.has('unknown') ? repeatableSeconds * 1000 : undefined;
		const outcome = await attemptWithin(attempt, {clock, signal, limit});
		const remainingSeconds = signal.aborted ? 0 : (endsAt - clock.elapsed()) / 1000;
		const step = nextStep(outcome, {tried, repeat, remainingSeconds});
		if (step.kind === 'stop') {
			return outcome;
		}

		tried.add(outcome.kind);
		if (outcome.kind === 'stale-token') {
			forgetTokens();
		}

		try {
			await (step.waitSeconds > 0 ? sleep(clock, step.waitSeconds * 1000, signal) : undefined);
		} catch {
			return outcome;
		}
	}
}

/** One attempt. Whoever does not answer in time, or answers with an error of its own, may have sent the part. */
async function attemptWithin(
	attempt: (signal: AbortSignal) => Promise<SendOutcome>,
	{clock, signal, limit}: {readonly clock: Clock; readonly signal: AbortSignal; readonly limit: number | undefined},
): Promise<SendOutcome> {
	if (signal.aborted) {
		return {kind: 'refused', detail: errorText(signal.reason)};
	}

	const seconds = (limit ?? 0) / 1000;
	const reason = () => new Problem('delivery_failed', {message: `no answer within ${seconds} seconds`});
	const deadline = limit === undefined ? undefined : openDeadline(clock, limit, {signal, reason});
	const ends = deadline?.signal ?? signal;
	try {
		return await untilAborted(attempt(ends), ends);
	} catch (caught) {
		return {kind: 'unknown', detail: errorText(ends.aborted ? ends.reason : caught)};
	} finally {
		deadline?.cancel();
	}
}

import {type ApprovalOutcome} from '../approvals/approval-queue.ts';
import {limitRequest} from '../approvals/limit-request.ts';
import {type RunAmounts} from '../config/read/limits-config.ts';
import {type Origin} from '../state/origin.ts';
import {untilAborted} from '../util/clock.ts';
import {safeText} from '../util/safe-text.ts';
import {type AskLimit, LimitReached} from './spending.ts';

/** A limit of a run that more would pass. */
export type ReachedRunLimit = {
	readonly kind: 'run';
	readonly name: keyof RunAmounts;
	readonly spent: number;
	readonly next: number;
};

/** The answers of a person about the limits of a run. */
export type LimitAnswers = {
	readonly isLifted: (name: keyof RunAmounts) => boolean;
	/** Asks about a limit once a run; later callers get the same answer. Resolves once it is lifted; rejects with `limit_reached`, or with the reason of the signal. */
	readonly need: (reached: ReachedRunLimit, signal: AbortSignal) => Promise<void>;
};

/** Creates the answers of a run; nothing was asked yet. */
export function createLimitAnswers(options: {
	readonly ask: AskLimit;
	readonly origin: Origin;
	readonly bounds: () => RunAmounts;
}): LimitAnswers {
	const {ask, origin, bounds} = options;
	const asked = new Map<keyof RunAmounts, Promise<ApprovalOutcome>>();
	const lifted = new Set<keyof RunAmounts>();
	const askOnce = ({name, spent, next}: ReachedRunLimit, signal: AbortSignal) => {
		const amounts = {
			bound: amountInKey(name, bounds()[name] ?? 0),
			spent: amountInKey(name, spent),
			...(next > 0 && {next: amountInKey(name, next)}),
		};
		const answer = asked.get(name) ?? ask(limitRequest({path: pathOfRunLimit(name), origin, ...amounts}), {signal});
		asked.set(name, answer);
		return answer;
	};

	return {
		isLifted: name => lifted.has(name),
		async need(reached, signal) {
			const outcome = await untilAborted(askOnce(reached, signal), signal);
			if (outcome.kind !== 'approved') {
				signal.throwIfAborted();
				throw new LimitReached(pathOfRunLimit(reached.name), refusalWords(outcome));
			}

			lifted.add(reached.name);
		},
	};
}

/** The key path of a limit of runs. */
export function pathOfRunLimit(name: keyof RunAmounts): string {
	return `limits.run.${units[name].key}`;
}

/** An amount in the unit of the key of its limit. */
export function amountInKey(name: keyof RunAmounts, amount: number): number {
	return units[name].inKey(amount);
}

/** The key of a limit, and an amount in its unit. */
const units: Readonly<Record<keyof RunAmounts, {readonly key: string; readonly inKey: (amount: number) => number}>> = {
	tokens: {key: 'tokens', inKey: amount => amount},
	microUsd: {key: 'usd', inKey: amount => amount / 1_000_000},
	toolCalls: {key: 'tool_calls', inKey: amount => amount},
	minutes: {key: 'minutes', inKey: amount => Math.round(amount * 10) / 10},
};

function refusalWords(outcome: Exclude<ApprovalOutcome, {kind: 'approved'}>): string {
	const because = 'message' in outcome && outcome.message ? `: ${safeText(outcome.message)}` : '';
	switch (outcome.kind) {
		case 'denied':
			return `more was denied by ${outcome.by}${because}`;
		case 'timed_out':
			return 'nobody allowed more in time';
		case 'no_channel':
			return `nobody could be asked for more${because}`;
		case 'cancelled':
			return 'the question about more was withdrawn';
	}
}

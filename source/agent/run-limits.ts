import {type LimitsConfig, noLimits, type RunAmounts} from '../config/read/limits-config.ts';
import {type Origin} from '../state/origin.ts';
import {type Clock} from '../util/clock.ts';
import {type Waiting} from './agent-tool.ts';
import {
	amountInKey,
	createLimitAnswers,
	type LimitAnswers,
	pathOfRunLimit,
	type ReachedRunLimit,
} from './limit-answers.ts';
import {costOf, priceOf, upperBound} from './models/request-cost.ts';
import {type ChosenModel} from './models/model-choice.ts';
import {
	type AskLimit,
	LimitReached,
	type ReachedDayLimit,
	type Reservation,
	type Spending,
	WithheldRun,
} from './spending.ts';

/** A limit that a run has reached: one of its own, or one of the day. */
type Reached = ReachedRunLimit | {readonly kind: 'day'; readonly limit: ReachedDayLimit};

/** The limits of one run (docs/limits.md). */
export type RunLimits = {
	/** Counts the bound of a request to a model before it is sent. Rejects with a `RefusedRequest` when it must not be sent. */
	readonly reserve: (request: {
		readonly model: Pick<ChosenModel, 'provider' | 'name'>;
		readonly bytes: number;
		readonly maxOutputTokens: number;
	}) => Promise<Reservation>;
	/** Waits for the person after a request was refused. Rejects with `limit_reached` when they refuse, with a `WithheldRun` when the run has done nothing yet, or with the reason of the signal. */
	readonly pass: (refused: RefusedRequest, signal: AbortSignal) => Promise<void>;
	/** Counts a call of a tool, and waits for the person when no more are allowed. Resolves with the refusal; undefined when the call may be made. */
	readonly countCall: (options: {
		readonly signal: AbortSignal;
		readonly onWaiting: (waiting: Waiting) => void;
		readonly resume: (signal: AbortSignal) => Promise<void>;
	}) => Promise<LimitReached | undefined>;
	/** The run begins or ends to wait: that time does not count. */
	readonly noteWaiting: (waiting: 'waiting' | 'working') => void;
};

/** The limit that a request which was not sent would have passed. */
export class RefusedRequest extends LimitReached {
	readonly reached: Reached;

	constructor(reached: Reached) {
		super(reached.kind === 'day' ? reached.limit.path : pathOfRunLimit(reached.name), 'the request was not sent');
		this.reached = reached;
	}
}

type RunLimitsOptions = {
	readonly clock: Pick<Clock, 'elapsed'>;
	readonly origin: Origin;
	/** Absent: nothing is counted for the day, and there are no limits. */
	readonly spending: Spending | undefined;
	readonly ask: AskLimit;
	/** Called with a notice, once a limit. */
	readonly onNear: (text: string) => void;
	/** Shows that the run waits, and gives its slot back meanwhile. */
	readonly whileWaiting: (lifted: () => Promise<void>, signal: AbortSignal) => Promise<void>;
};

/** Creates the limits of a run that begins now. */
export function createRunLimits(options: RunLimitsOptions): RunLimits {
	const {clock, origin, spending, ask, onNear, whileWaiting} = options;
	const limits = () => spending?.limits() ?? noLimits;
	const stopwatch = createStopwatch(clock);
	const answers = createLimitAnswers({ask, origin, bounds: () => limits().run});
	const spent = createSpent({limits, answers, onNear, minutes: stopwatch.minutes});
	let stage: 'new' | 'begun' = 'new';
	return {
		async reserve({model, bytes, maxOutputTokens}) {
			const price = priceOf(limits().prices, model);
			const bound = upperBound(bytes, maxOutputTokens);
			// Before anything is waited for: requests of one run at the same time pass no limit together.
			const release = spent.add({...bound, microUsd: costOf(bound, price)});
			const run = stage === 'new' ? 'begins' : 'goes-on';
			const outcome = await spending?.reserve({model, bound, origin, run}).catch((caught: unknown) => {
				release();
				throw caught;
			});
			if (outcome?.kind === 'reached') {
				release();
				throw new RefusedRequest({kind: 'day', limit: outcome.limit});
			}

			stage = 'begun';
			return {
				settle(usage) {
					release();
					const used = {...bound, ...usage};
					spent.note({...used, microUsd: costOf(used, price)});
					outcome?.reservation.settle(usage);
				},
				release() {
					release();
					outcome?.reservation.release();
				},
			};
		},
		async pass({reached}, signal) {
			if (reached.kind === 'day' && stage === 'new') {
				throw new WithheldRun(reached.limit.path, 'the run waits in the queue');
			}

			const lifted = async () =>
				reached.kind === 'day' ? spending?.wait(reached.limit, {signal}) : answers.need(reached, signal);
			await whileWaiting(lifted, signal);
		},
		async countCall({signal, onWaiting, resume}) {
			const reached = spent.addCall();
			if (!reached) {
				return undefined;
			}

			onWaiting('approval');
			const refusal = await refusalOf(answers.need(reached, signal));
			onWaiting('nothing');
			await resume(signal);
			return refusal;
		},
		noteWaiting: stopwatch.note,
	};
}

async function refusalOf(answer: Promise<void>): Promise<LimitReached | undefined> {
	try {
		await answer;
		return undefined;
	} catch (caught) {
		if (caught instanceof LimitReached) {
			return caught;
		}

		throw caught;
	}
}

/** Amounts of a model request. */
type Amounts = {readonly inputTokens: number; readonly outputTokens: number; readonly microUsd: number};

/** Counts what a run spends. */
function createSpent({
	limits,
	answers,
	onNear,
	minutes,
}: {
	readonly limits: () => LimitsConfig;
	readonly answers: Pick<LimitAnswers, 'isLifted'>;
	readonly onNear: (text: string) => void;
	readonly minutes: () => number;
}) {
	const bounds = () => limits().run;
	const near = new Set<keyof RunAmounts>();
	const spent = {tokens: 0, microUsd: 0, toolCalls: 0};
	const note = ({inputTokens, outputTokens, microUsd}: Amounts, factor = 1) => {
		spent.tokens += factor * (inputTokens + outputTokens);
		spent.microUsd += factor * microUsd;
	};

	/** The first limit that more would pass. Time passes whatever is asked for. */
	const passed = (next: Readonly<Partial<Record<keyof RunAmounts, number>>>): ReachedRunLimit | undefined => {
		const now = {...spent, minutes: minutes()};
		const more = {tokens: 0, microUsd: 0, toolCalls: 0, minutes: 0, ...next};
		const name = limitNames.find(one => {
			const bound = bounds()[one];
			const isAsked = one === 'minutes' || more[one] > 0;
			return bound !== undefined && isAsked && !answers.isLifted(one) && now[one] + more[one] > bound;
		});
		return name && {kind: 'run', name, spent: now[name], next: more[name]};
	};

	const noteNear = () => {
		const now = {...spent, minutes: minutes()};
		for (const name of limitNames) {
			const bound = bounds()[name] ?? 0;
			if (bound > 0 && !near.has(name) && now[name] * 100 >= bound * limits().askAtPercent) {
				near.add(name);
				onNear(`${pathOfRunLimit(name)} is near: ${amountInKey(name, now[name])} of ${amountInKey(name, bound)}`);
			}
		}
	};

	return {
		/** Throws a `RefusedRequest`; the returned function takes the amounts back. */
		add(amounts: Amounts): () => void {
			const reached = passed({tokens: amounts.inputTokens + amounts.outputTokens, microUsd: amounts.microUsd});
			if (reached) {
				throw new RefusedRequest(reached);
			}

			note(amounts);
			return () => note(amounts, -1);
		},
		/** Counts what was spent. */
		note(amounts: Amounts) {
			note(amounts);
			noteNear();
		},
		/** Counts a call; returns the limit that it passes. */
		addCall(): ReachedRunLimit | undefined {
			const reached = passed({toolCalls: 1});
			spent.toolCalls++;
			noteNear();
			return reached;
		},
	};
}

const limitNames = ['tokens', 'microUsd', 'toolCalls', 'minutes'] as const;

const minuteMilliseconds = 60_000;

/** Measures the time of a run without its waits. */
function createStopwatch(clock: Pick<Clock, 'elapsed'>) {
	let passed = 0;
	let since: number | undefined = clock.elapsed();
	const now = () => passed + (since === undefined ? 0 : clock.elapsed() - since);
	return {
		minutes: () => now() / minuteMilliseconds,
		note: (waiting: 'waiting' | 'working') => {
			passed = now();
			since = waiting === 'waiting' ? undefined : clock.elapsed();
		},
	};
}

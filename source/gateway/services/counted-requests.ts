import {costOf, priceOf} from '../../agent/models/request-cost.ts';
import {
	LimitReached,
	type ModelRequest,
	type ReachedDayLimit,
	type Reservation,
	type ReserveOutcome,
	type Spending,
} from '../../agent/spending.ts';
import {type LimitsConfig, type TokenPrice} from '../../config/read/limits-config.ts';
import {type SpendingRow, type SpentAmounts} from '../../journal/rows/spending-rows.ts';
import {type DayLimit, dayLimitsOf, spentOf} from '../../runs/day-limits.ts';
import {type Origin} from '../../state/origin.ts';
import {untilAborted} from '../../util/clock.ts';
import {type DaySpending} from './day-spending.ts';
import {amountsText} from './limit-states.ts';

export const nothingSpent: SpentAmounts = {inputTokens: 0, outputTokens: 0, microUsd: 0, runs: 0, calls: 0};

type CountingOptions = {
	readonly day: DaySpending;
	readonly limits: () => LimitsConfig;
	/** Logs a warning. */
	readonly warn: (text: string) => void;
};

/** Creates the function that counts model requests against the limits of the day before they are sent. */
export function createReserve(options: CountingOptions): Spending['reserve'] {
	const {day, limits} = options;
	const noteUnpriced = createPriceNotes(options);
	return async (request): Promise<ReserveOutcome> => {
		const {model, bound, origin, run} = request;
		const counting = dayLimitsOf(limits(), origin.kind === 'run' ? origin : {});
		if (counting.length === 0) {
			return {kind: 'reserved', reservation: {settle: () => undefined, release: () => undefined}};
		}

		const price = priceOf(limits().prices, model);
		if (!price && counting.some(({unit}) => unit === 'usd')) {
			noteUnpriced(model);
		}

		const runs = run === 'begins' ? 1 : 0;
		const amounts: SpentAmounts = {...nothingSpent, ...bound, microUsd: costOf(bound, price), runs};
		for (;;) {
			const counted = await day.count(counting, amounts);
			if (counted.kind === 'reserved') {
				return {kind: 'reserved', reservation: reservationOf(request, {price, correct: counted.correct, ...options})};
			}

			const {limit, date, row} = counted;
			if ((await reach({limit, row, origin}, options)) === 'reached') {
				return {kind: 'reached', limit: {path: limit.path, bound: limit.bound, date}};
			}
		}
	};
}

/** Marks a limit as reached, so that a person is asked about it; it may be lifted already. */
async function reach(
	{limit, row, origin}: {readonly limit: DayLimit; readonly row: SpendingRow; readonly origin: Origin},
	{day, warn}: CountingOptions,
): Promise<'lifted' | 'reached'> {
	if (await day.markReached(limit, origin)) {
		const advice = 'The next request may take more than is left; `sluice approvals list` shows the question';
		warn(`${limit.path} is reached: ${spentText(limit, row)}. ${advice}`);
	}

	return day.statusOf(limit) === 'allowed' ? 'lifted' : 'reached';
}

/** The amount that is spent of a limit, in words. */
export function spentText(limit: DayLimit, row: SpendingRow): string {
	return `${amountsText(limit, spentOf(limit, row))} spent today`;
}

function reservationOf(
	{model, bound}: ModelRequest,
	{
		price,
		correct,
		warn,
	}: Pick<CountingOptions, 'warn'> & {
		readonly price: TokenPrice | undefined;
		readonly correct: (amounts: SpentAmounts) => void;
	},
): Reservation {
	const {inputTokens, outputTokens} = bound;
	const microUsd = costOf(bound, price);
	return {
		settle(usage) {
			const used = {...bound, ...usage};
			const more = Math.max(0, used.inputTokens - inputTokens) + Math.max(0, used.outputTokens - outputTokens);
			if (more > 0) {
				warn(`${model.provider} reports ${more} tokens more than the request could take; they are counted`);
			}

			correct({
				...nothingSpent,
				inputTokens: used.inputTokens - inputTokens,
				outputTokens: used.outputTokens - outputTokens,
				microUsd: costOf(used, price) - microUsd,
			});
		},
		release: () =>
			correct({...nothingSpent, inputTokens: -inputTokens, outputTokens: -outputTokens, microUsd: -microUsd}),
	};
}

/** Says of each model without a price, once, that a limit in dollars does not hold for it. */
function createPriceNotes({warn}: Pick<CountingOptions, 'warn'>) {
	const unpriced = new Set<string>();
	return ({provider, name}: ModelRequest['model']) => {
		const model = `${provider}/${name}`;
		if (!unpriced.has(model)) {
			unpriced.add(model);
			warn(`limits.prices has no price for the model ${model}: only its tokens are counted`);
		}
	};
}

/** Waits until a limit is lifted, whoever allows it at whichever gateway; `next` resolves when something has changed. */
export async function waitForLimit(
	limit: ReachedDayLimit,
	{
		day,
		all,
		next,
		signal,
	}: {
		readonly day: DaySpending;
		readonly all: () => readonly DayLimit[];
		readonly next: () => Promise<void>;
		readonly signal: AbortSignal;
	},
): Promise<void> {
	for (;;) {
		const changed = next();
		if (day.today().date !== limit.date) {
			throw new LimitReached(limit.path, 'the day ended before more was allowed');
		}

		// Of another amount, it is another limit: the request is tried again.
		const isSame = all().some(({path, bound}) => path === limit.path && bound === limit.bound);
		const status = isSame ? day.statusOf(limit) : 'counted';
		if (status === 'denied') {
			throw new LimitReached(limit.path, `more was denied by ${day.limitRowOf(limit)?.by ?? 'a person'}`);
		}

		if (status !== 'open') {
			return;
		}

		await untilAborted(changed, signal);
	}
}

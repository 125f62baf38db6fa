import {type LimitsConfig} from '../config/read/limits-config.ts';
import {type ApprovalOutcome, type NewApproval} from '../approvals/approval-queue.ts';
import {type Origin} from '../state/origin.ts';
import {type TokenUsage} from '../state/work-event.ts';
import {Problem} from '../util/problem.ts';
import {type ChosenModel} from './models/model-choice.ts';
import {upperBound} from './models/request-cost.ts';

/** A limit of a day that a request would pass. `date` is that day as a number. */
export type ReachedDayLimit = {readonly path: string; readonly bound: number; readonly date: number};

/** A request to a model that is about to be sent. */
export type ModelRequest = {
	readonly model: Pick<ChosenModel, 'provider' | 'name'>;
	/** The most that it can take. */
	readonly bound: TokenUsage;
	readonly origin: Origin;
	/** `begins`: it is the first one of a run, which counts as a run from now on. */
	readonly run: 'begins' | 'goes-on' | 'none';
};

/** The upper bound of a request, which counts as spent until it is known what was. */
export type Reservation = {
	/** Counts what the provider reports in place of the bound; a part that it does not report stays as it is. */
	readonly settle: (usage: Partial<TokenUsage>) => void;
	/** Nothing was spent: the request was not sent, or refused. */
	readonly release: () => void;
};

export type ReserveOutcome =
	| {readonly kind: 'reserved'; readonly reservation: Reservation}
	| {readonly kind: 'reached'; readonly limit: ReachedDayLimit};

/** Counts the tokens of model requests against the limits of a day, and asks a person when one is reached. */
export type Spending = {
	/** Read at every use: a reload may change them. */
	readonly limits: () => LimitsConfig;
	/** Counts the bound of a request before it is sent. Rejects with `storage_unavailable`. */
	readonly reserve: (request: ModelRequest) => Promise<ReserveOutcome>;
	/** Resolves once the limit is lifted. Rejects with `limit_reached` when a person denied that or the day is over, or with the reason of the signal. */
	readonly wait: (limit: ReachedDayLimit, options: {readonly signal: AbortSignal}) => Promise<void>;
};

/** Asks a person to lift a limit of a run, as any approval. */
export type AskLimit = (request: NewApproval, options: {readonly signal: AbortSignal}) => Promise<ApprovalOutcome>;

/** A request or call that a limit keeps from being made. */
export class LimitReached extends Problem {
	constructor(path: string, why: string) {
		super('limit_reached', {message: `${path} is reached: ${why}`});
	}
}

/** A run that has done nothing yet and waits in the queue until a limit of a day is lifted or the day is over. */
export class WithheldRun extends LimitReached {}

/** Counts requests that belong to no run: one that would pass a limit is not sent, and waits for nobody. */
export function reserveAlone(spending: Pick<Spending, 'reserve'>, origin: Origin) {
	return async (request: {
		readonly model: Pick<ChosenModel, 'provider' | 'name'>;
		readonly bytes: number;
		readonly maxOutputTokens: number;
	}): Promise<Reservation> => {
		const {model, bytes, maxOutputTokens} = request;
		const bound = upperBound(bytes, maxOutputTokens);
		const outcome = await spending.reserve({model, bound, origin, run: 'none'});
		if (outcome.kind === 'reached') {
			throw new LimitReached(outcome.limit.path, 'the model was not asked');
		}

		return outcome.reservation;
	};
}

import {LimitReached, type Spending} from '../../agent/spending.ts';
import {type LimitsConfig} from '../../config/read/limits-config.ts';
import {type Following, followOthers} from '../../journal/follow-others.ts';
import {type Journal} from '../../journal/journal.ts';
import {allDayLimits, clientLimit, hasDayLimits, withheldBy, type WithheldRuns} from '../../runs/day-limits.ts';
import {type Publish} from '../../state/event.ts';
import {type LimitState} from '../../state/limit-state.ts';
import {defaultClient, type Origin} from '../../state/origin.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {errorText} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type AskAboutLimit} from '../stores/asked-decisions.ts';
import {createReserve, nothingSpent, spentText, waitForLimit} from './counted-requests.ts';
import {createDaySpending, type DaySpending} from './day-spending.ts';
import {createLimitQuestions} from './limit-questions.ts';
import {createLimitStates} from './limit-states.ts';

/** Spending against limits, for all profiles of a gateway together (docs/limits.md). */
export type SpendingLimits = {
	/** For the agents of the profiles. */
	readonly spending: Spending;
	/** Counts a call of a client. Rejects with `limit_reached` when it may make no more today, or with `storage_unavailable`. */
	readonly countCall: (origin: Origin) => Promise<void>;
	/** The origins whose runs stay in the queue. */
	readonly withheldOrigins: () => WithheldRuns;
	/** The limits of the day and what is spent of them, as known now. */
	readonly states: () => readonly LimitState[];
	/** A person can be asked from now on. */
	readonly begin: (ask: AskAboutLimit) => void;
	/** Reads the spending of the day; call it again when the configuration changes. Never rejects. */
	readonly apply: () => Promise<void>;
	readonly close: () => void;
};

type SpendingLimitsOptions = {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly journal: Pick<
		Journal,
		'reserveSpending' | 'correctSpending' | 'listSpending' | 'markLimit' | 'claimLimit' | 'endLimit'
	>;
	/** The limits of the profile that the gateway was started for; read at every use. */
	readonly limits: () => LimitsConfig;
	/** True if other gateways may spend, too. */
	readonly isShared: () => boolean;
	/** Called when runs may be taken that were withheld. */
	readonly wakeRuns: () => void;
};

/** Opens the limits; nothing is read before `apply`, and nobody is asked before `begin`. */
export function openSpendingLimits(options: SpendingLimitsOptions): SpendingLimits {
	const {clock, publish, journal, limits, isShared} = options;
	const warn = (text: string) => publish({type: 'log', level: 'warning', area: 'limits', text: safeText(text)});
	const onProblem = (caught: unknown) => warn(`the spending was not written: ${errorText(caught)}`);
	const all = () => allDayLimits(limits());
	const changes = createChanges();
	const day: DaySpending = createDaySpending({
		clock,
		journal,
		limits,
		onProblem,
		onChange: () => changed(),
		onNear: (limit, row) => warn(`${limit.path} is near: ${spentText(limit, row)}`),
	});
	const timeZone = () => limits().timeZone;
	const questions = createLimitQuestions({clock, journal, day, limits: all, timeZone, onProblem});
	const states = createLimitStates({clock, publish, day, limits: all});
	const withheldOrigins = () =>
		withheldBy(
			all(),
			all()
				.map(day.limitRowOf)
				.filter(row => row !== undefined),
		);
	const wakeRuns = onlyChanges(withheldOrigins, options.wakeRuns);
	const changed = () => {
		questions.apply();
		states.publish();
		changes.fire();
		wakeRuns();
	};

	const refresh = async () => {
		ends.watch();
		if (hasDayLimits(limits())) {
			await day.refresh();
		} else {
			changed();
		}
	};

	/** Nothing of the day before holds any more, whether or not the journal can be read. */
	const beginDay = () => {
		changed();
		void refresh().catch(onProblem);
	};

	const ends = createDayEnds(clock, day, beginDay);
	let following: Following | undefined;
	return {
		spending: {
			limits,
			reserve: createReserve({day, limits, warn}),
			wait: (limit, {signal}) => waitForLimit(limit, {day, all, next: changes.next, signal}),
		},
		countCall: createCountCall(day, limits),
		withheldOrigins,
		states: states.current,
		begin: questions.begin,
		async apply() {
			following ??= isShared() ? followOthers(clock, refresh) : undefined;
			await refresh().catch(onProblem);
		},
		close() {
			following?.close();
			ends.close();
			states.close();
			questions.close();
		},
	};
}

/** Creates the function that counts the calls of clients. */
function createCountCall(day: Pick<DaySpending, 'count'>, limits: () => LimitsConfig): SpendingLimits['countCall'] {
	return async origin => {
		const limit = origin.kind === 'endpoint' ? clientLimit(limits(), clientName(origin)) : undefined;
		const counted = limit && (await day.count([limit], {...nothingSpent, calls: 1}));
		if (limit && counted?.kind === 'reached') {
			throw new LimitReached(limit.path, `${limit.bound} calls a day`);
		}
	};
}

/** The name of the client's token; over stdio the one that it claims. */
function clientName({name, claim}: Extract<Origin, {kind: 'endpoint'}>): string {
	return name ?? claim ?? defaultClient;
}

/** Calls `onChange` when a value differs from that of the call before; not at the first one, when nothing is taken from the queue yet. */
function onlyChanges(valueOf: () => unknown, onChange: () => void): () => void {
	let before: string | undefined;
	return () => {
		const now = JSON.stringify(valueOf());
		const isChanged = before !== undefined && now !== before;
		before = now;
		if (isChanged) {
			onChange();
		}
	};
}

/** Tells those who wait that something has changed. */
function createChanges() {
	let waiting = Promise.withResolvers<void>();
	return {
		next: () => waiting.promise,
		fire() {
			const {resolve} = waiting;
			waiting = Promise.withResolvers<void>();
			resolve();
		},
	};
}

/** Calls back when the day is over. */
function createDayEnds(clock: Clock, {today}: Pick<DaySpending, 'today'>, onEnd: () => void) {
	let timer: Timer | undefined;
	return {
		watch() {
			timer?.cancel();
			timer = clock.after(Math.max(1, today().endsAt - clock.now()), onEnd);
		},
		close: () => timer?.cancel(),
	};
}

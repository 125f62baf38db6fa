import {type DayLimit, spentOf} from '../../runs/day-limits.ts';
import {type Publish} from '../../state/event.ts';
import {limitAmounts, type LimitState} from '../../state/limit-state.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {safeText} from '../../util/safe-text.ts';
import {type DaySpending} from './day-spending.ts';

/** The amounts change with every request of a run: dashboards see them this often, changes of a state at once. */
const everyMilliseconds = 10_000;

/** Most limits that are shown. */
const maxShown = 200;

/** Publishes the limits of the day. */
export function createLimitStates({
	clock,
	publish,
	day,
	limits,
}: {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly day: Pick<DaySpending, 'today' | 'statusOf' | 'spentFor'>;
	readonly limits: () => readonly DayLimit[];
}): {
	readonly current: () => readonly LimitState[];
	/** Publishes what has changed. */
	readonly publish: () => void;
	readonly close: () => void;
} {
	let published = {all: '[]', states: '[]'};
	let timer: Timer | undefined;
	const current = (): readonly LimitState[] => {
		const {endsAt} = day.today();
		return limits()
			.slice(0, maxShown)
			.map(limit => {
				const spent = spentOf(limit, day.spentFor(limit));
				return {
					path: safeText(limit.path, {maximumCharacters: 200}),
					unit: limit.unit,
					spent: shownAmount(limit, spent),
					limit: shownAmount(limit, limit.bound),
					state: stateOf(limit, spent, day),
					endsAt,
				};
			});
	};

	const publishNow = () => {
		timer?.cancel();
		timer = undefined;
		const shown = current();
		const now = {all: JSON.stringify(shown), states: statesOf(shown)};
		if (now.all !== published.all) {
			published = now;
			publish({type: 'limits.state', limits: shown});
		}
	};

	return {
		current,
		publish() {
			if (statesOf(current()) !== published.states) {
				publishNow();
			} else if (JSON.stringify(current()) !== published.all) {
				timer ??= clock.after(everyMilliseconds, publishNow);
			}
		},
		close: () => timer?.cancel(),
	};
}

function statesOf(shown: readonly LimitState[]): string {
	return JSON.stringify(shown.map(({path, limit, state}) => [path, limit, state]));
}

function stateOf(limit: DayLimit, spent: number, {statusOf}: Pick<DaySpending, 'statusOf'>): LimitState['state'] {
	if (limit.unit === 'calls' && spent >= limit.bound) {
		return 'reached';
	}

	switch (statusOf(limit)) {
		case 'counted':
			return 'counting';
		case 'allowed':
			return 'lifted';
		case 'near':
			return 'near';
		case 'open':
			return 'open';
		case 'denied':
			return 'denied';
	}
}

/** US dollars in whole cents; other amounts as they are counted. */
function shownAmount({unit}: Pick<DayLimit, 'unit'>, amount: number): number {
	return unit === 'usd' ? Math.round(amount / 10_000) / 100 : amount;
}

/** The amount spent of a limit, in words. */
export function amountsText(limit: Pick<DayLimit, 'unit' | 'bound'>, spent: number): string {
	return limitAmounts({unit: limit.unit, spent: shownAmount(limit, spent), limit: shownAmount(limit, limit.bound)});
}

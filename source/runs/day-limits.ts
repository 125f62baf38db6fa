import {type DayAmounts, type LimitsConfig} from '../config/read/limits-config.ts';
import {type WithheldOrigins} from '../journal/rows/run-turns.ts';
import {
	type DayLimitRow,
	type SpendingBounds,
	type SpendingName,
	type SpendingPart,
	type SpendingRow,
} from '../journal/rows/spending-rows.ts';

/** Amounts that a limit may bound. */
export type LimitUnit = 'tokens' | 'usd' | 'runs' | 'calls';

/** A limit of a day. */
export type DayLimit = SpendingName & {
	/** Its key path in the configuration: `limits.day.tokens`. */
	readonly path: string;
	readonly unit: LimitUnit;
	/** In tokens, millionths of a dollar, runs or calls. */
	readonly bound: number;
};

/** Work that limits of routes and jobs apply to. */
export type LimitedWork = {readonly route?: string | undefined; readonly job?: string | undefined};

/** The runs that are not taken from the queue now; `all`: none is. */
export type WithheldRuns = 'all' | WithheldOrigins;

/** The limits of a day for a model request, those of all work first: whoever locks several rows locks them in one order. */
export function dayLimitsOf(limits: LimitsConfig, {route = '', job = ''}: LimitedWork): readonly DayLimit[] {
	const {day, routes, jobs} = limits;
	return [
		...limitsIn('limits.day', {scope: 'all', name: ''}, day),
		...limitsIn(`limits.routes.${route}.day`, {scope: 'route', name: route}, routes.get(route)),
		...limitsIn(`limits.jobs.${job}.day`, {scope: 'job', name: job}, jobs.get(job)),
	];
}

/** The limit of a day for the calls of a client. */
export function clientLimit({clients}: LimitsConfig, client: string): DayLimit | undefined {
	const bound = clients.get(client);
	return bound === undefined
		? undefined
		: {path: `limits.clients.${client}.day.calls`, scope: 'client', name: client, unit: 'calls', bound};
}

/** All limits of a day. */
export function allDayLimits(limits: LimitsConfig): readonly DayLimit[] {
	const {routes, jobs, clients} = limits;
	const ofAll = dayLimitsOf(limits, {});
	const isOfAll = ({scope}: DayLimit) => scope === 'all';
	return [
		...ofAll.filter(isOfAll),
		...[...routes.keys()].flatMap(route => dayLimitsOf(limits, {route}).filter(({scope}) => scope === 'route')),
		...[...jobs.keys()].flatMap(job => dayLimitsOf(limits, {job}).filter(({scope}) => scope === 'job')),
		...[...clients.keys()].flatMap(client => clientLimit(limits, client) ?? []),
	];
}

/** The scopes of limits, each with all its bounds; `isLifted` says which of them no longer hold today. */
export function spendingParts(
	limits: readonly DayLimit[],
	isLifted: (limit: DayLimit) => boolean,
): readonly SpendingPart[] {
	const scopes = Map.groupBy(limits, ({scope, name}) => `${scope} ${name}`);
	return [...scopes.values()].flatMap(group => {
		const [first] = group;
		const holding = group.filter(limit => !isLifted(limit));
		const bounds = holding.reduce<SpendingBounds>((sum, limit) => ({...sum, ...boundOf(limit)}), {});
		return first ? [{scope: first.scope, name: first.name, bounds}] : [];
	});
}

function boundOf({unit, bound}: DayLimit): SpendingBounds {
	return {[unit === 'usd' ? 'microUsd' : unit]: bound};
}

/** The amount of a row that a limit bounds. */
export function spentOf({unit}: Pick<DayLimit, 'unit'>, row: Omit<SpendingRow, 'scope' | 'name'> | undefined): number {
	if (!row) {
		return 0;
	}

	const {inputTokens, outputTokens, microUsd, runs, calls} = row;
	return {tokens: inputTokens + outputTokens, usd: microUsd, runs, calls}[unit];
}

/** The limits of a scope that the amounts would pass. */
export function passedLimits(
	limits: readonly DayLimit[],
	row: SpendingRow,
	amounts: Omit<SpendingRow, 'scope' | 'name'>,
): readonly DayLimit[] {
	return limits.filter(
		limit =>
			isOfScope(limit, row) &&
			spentOf(limit, amounts) > 0 &&
			spentOf(limit, row) + spentOf(limit, amounts) > limit.bound,
	);
}

/** The limits that are near by what was spent: at so many percent. One that is 0 is reached, never near. */
export function nearLimits(limits: readonly DayLimit[], row: SpendingRow, askAtPercent: number): readonly DayLimit[] {
	return limits.filter(
		limit => isOfScope(limit, row) && limit.bound > 0 && spentOf(limit, row) * 100 >= limit.bound * askAtPercent,
	);
}

/** The row that a limit counts in. */
export function rowOf(limit: SpendingName, rows: readonly SpendingRow[]): SpendingRow | undefined {
	return rows.find(row => isOfScope(limit, row));
}

function isOfScope(limit: SpendingName, row: SpendingName): boolean {
	return limit.scope === row.scope && limit.name === row.name;
}

/** True if a row is of this limit: one of another amount is another limit, except that one that was lifted stays so. */
export function isRowOf(row: DayLimitRow, limit: Pick<DayLimit, 'path' | 'bound'>): boolean {
	return row.path === limit.path && (row.bound === limit.bound || row.state === 'allowed');
}

/** The runs that have to wait while limits are open or denied. */
export function withheldBy(limits: readonly DayLimit[], rows: readonly DayLimitRow[]): WithheldRuns {
	const closed = limits.filter(limit =>
		rows.some(row => isRowOf(row, limit) && (row.state === 'open' || row.state === 'denied')),
	);
	const namesOf = (wanted: DayLimit['scope']) => [
		...new Set(closed.flatMap(({scope, name}) => (scope === wanted ? [name] : []))),
	];
	return namesOf('all').length > 0 ? 'all' : {routes: namesOf('route'), jobs: namesOf('job')};
}

/** No amount of a limit is configured. */
export function hasDayLimits({day, routes, jobs, clients}: LimitsConfig): boolean {
	const isSet = (amounts: DayAmounts) => Object.keys(amounts).length > 0;
	return isSet(day) || [...routes.values(), ...jobs.values()].some(isSet) || clients.size > 0;
}

function limitsIn(path: string, of: SpendingName, amounts: DayAmounts | undefined = {}): readonly DayLimit[] {
	const {tokens, microUsd, runs} = amounts;
	const one = (unit: LimitUnit, bound: number | undefined): readonly DayLimit[] =>
		bound === undefined ? [] : [{path: `${path}.${unit}`, ...of, unit, bound}];
	return [...one('tokens', tokens), ...one('usd', microUsd), ...one('runs', runs)];
}

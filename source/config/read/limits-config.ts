import {isTimeZone} from '../../util/limits/day-in-zone.ts';
import {safeText} from '../../util/safe-text.ts';
import {toNumber} from '../values/fields.ts';
import {readSection} from '../values/read-section.ts';
import {type Section, warn} from '../values/section.ts';
import {defaultAskAt, limitsSchema} from './limits-schema.ts';

/** The price of a token in micro-dollars: US dollars per million. */
export type TokenPrice = {readonly input: number; readonly output: number};

/** The limits of a day. Absent: there is none. */
export type DayAmounts = {readonly tokens?: number; readonly microUsd?: number; readonly runs?: number};

/** The limits of a run. Absent: there is none. */
export type RunAmounts = {
	readonly tokens?: number;
	readonly microUsd?: number;
	readonly toolCalls?: number;
	readonly minutes?: number;
};

/** The amounts that may be spent (docs/limits.md). */
export type LimitsConfig = {
	readonly run: RunAmounts;
	readonly day: DayAmounts;
	/** Limits of a day by the name of a route or a job. */
	readonly routes: ReadonlyMap<string, DayAmounts>;
	readonly jobs: ReadonlyMap<string, DayAmounts>;
	/** Calls a day by the name of a client of the endpoint. */
	readonly clients: ReadonlyMap<string, number>;
	readonly askAtPercent: number;
	readonly timeZone: string;
	/** By the name of the model. */
	readonly prices: ReadonlyMap<string, TokenPrice>;
};

type Written = string | number | undefined;

const microUsdPerUsd = 1_000_000;
const defaultTimeZone = 'UTC';

/** Reads `limits`. An amount that cannot be read is no limit, with a warning; of a section that cannot be read at all, a model request needs a person. */
export function parseLimits(written: unknown, section: Section): LimitsConfig {
	if (written === undefined || written === null) {
		return noLimits;
	}

	const reading = readSection(limitsSchema(), written, section);
	if (reading.kind === 'broken') {
		return {...noLimits, day: {tokens: 0}};
	}

	const {value} = reading;
	const {run = {}, day, routes, jobs, clients, prices} = value;
	const {tool_calls: toolCalls, minutes} = run;
	return {
		run: {...amountsOf(run), ...present('toolCalls', toolCalls), ...present('minutes', minutes)},
		day: dayAmountsOf(day),
		routes: mapOf(routes, entry => dayAmountsOf(entry.day)),
		jobs: mapOf(jobs, entry => dayAmountsOf(entry.day)),
		clients: new Map(
			[...mapOf(clients, entry => entry.day?.calls)].flatMap(([name, calls]) =>
				calls === undefined ? [] : [[name, Number(calls)]],
			),
		),
		askAtPercent: toNumber(value.ask_at, defaultAskAt),
		timeZone: timeZoneOf(value.time_zone, section),
		prices: mapOf(prices, ({input, output}) => ({input: toNumber(input, 0), output: toNumber(output, 0)})),
	};
}

function dayAmountsOf(
	day: {readonly tokens?: Written; readonly usd?: Written; readonly runs?: Written} | undefined = {},
): DayAmounts {
	return {...amountsOf(day), ...present('runs', day.runs)};
}

function amountsOf({tokens, usd}: {readonly tokens?: Written; readonly usd?: Written}): DayAmounts {
	const microUsd = usd === undefined ? undefined : Math.round(Number(usd) * microUsdPerUsd);
	return {...present('tokens', tokens), ...present('microUsd', microUsd)};
}

function present<Name extends string>(name: Name, value: Written): {readonly [Key in Name]?: number} {
	return value === undefined ? {} : ({[name]: Number(value)} as {readonly [Key in Name]: number});
}

function mapOf<Entry, Value>(
	written: Readonly<Record<string, Entry>> | undefined,
	valueOf: (entry: Entry) => Value,
): ReadonlyMap<string, Value> {
	return new Map(Object.entries(written ?? {}).map(([name, entry]) => [name, valueOf(entry)]));
}

function timeZoneOf(written: string | undefined, section: Section): string {
	if (!written || isTimeZone(written)) {
		return written || defaultTimeZone;
	}

	warn(section, ['time_zone'], `"${safeText(written, {maximumCharacters: 100})}" is not a known time zone. Using UTC`);
	return defaultTimeZone;
}

/** Without `limits`. */
export const noLimits: LimitsConfig = {
	run: {},
	day: {},
	routes: new Map(),
	jobs: new Map(),
	clients: new Map(),
	askAtPercent: defaultAskAt,
	timeZone: defaultTimeZone,
	prices: new Map(),
};

import {z} from 'zod';
import {type Origin} from '../../state/origin.ts';
import {dayInZone} from '../../util/limits/day-in-zone.ts';
import {parseJson} from '../../util/json-text.ts';
import {origin as originJson} from './request-rows.ts';

/** Work whose spending is counted together: all of it, or that of one route, job or client. */
export const spendingScopes = ['all', 'route', 'job', 'client'] as const;

export type SpendingScope = (typeof spendingScopes)[number];

/** Amounts that were spent, or a change of them. */
export type SpentAmounts = {
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** Millionths of a US dollar, whole. */
	readonly microUsd: number;
	readonly runs: number;
	readonly calls: number;
};

/** The scope of a count; the name is empty for all work. */
export type SpendingName = {readonly scope: SpendingScope; readonly name: string};

/** The amounts of a day that a scope may reach at most. Absent: there is no limit. */
export type SpendingBounds = {
	readonly tokens?: number;
	readonly microUsd?: number;
	readonly runs?: number;
	readonly calls?: number;
};

/** A count with its bounds. */
export type SpendingPart = SpendingName & {readonly bounds: SpendingBounds};

/** Amounts that are about to be spent on a day; `date` is a number such as 20260131. */
export type SpendingRequest = {
	readonly date: number;
	readonly parts: readonly SpendingPart[];
	readonly amounts: SpentAmounts;
};

/** The correction of a reservation: the difference between the amounts spent and those reserved. */
export type SpendingCorrection = {
	readonly date: number;
	readonly names: readonly SpendingName[];
	readonly amounts: SpentAmounts;
};

/** The amounts of a scope on a day. */
export type SpendingRow = SpendingName & SpentAmounts;

/** `reached`: nothing was counted, because the amounts would pass a bound of this row. */
export type SpendingOutcome =
	| {readonly kind: 'reserved'; readonly rows: readonly SpendingRow[]}
	| {readonly kind: 'reached'; readonly row: SpendingRow};

/** `near`: a notice was given; `open`: a person is asked. */
export const dayLimitStates = ['near', 'open', 'allowed', 'denied'] as const;

export type DayLimitState = (typeof dayLimitStates)[number];

/** A limit of a day: its key path in the configuration, and its amount. One of another amount is another limit. */
export type DayLimitName = {readonly date: number; readonly path: string; readonly bound: number};

/** Something happened to a limit on a day. The origin is that of the work which was refused. */
export type DayLimitRow = DayLimitName & {
	readonly state: DayLimitState;
	readonly origin?: Origin | undefined;
	/** The person who decided. */
	readonly by?: string | undefined;
};

/** The spending and the limits of a day. */
export type SpendingOfDay = {
	readonly spending: readonly SpendingRow[];
	readonly limits: readonly DayLimitRow[];
};

/** The date of the oldest day whose rows are kept: the present day always is, in every time zone. */
export function oldestDate(now: number, maxAgeDays: number): number {
	return dayInZone(Math.max(0, now - (maxAgeDays + 2) * dayMilliseconds), 'UTC').date;
}

const dayMilliseconds = 86_400_000;

/** A row of the spending of a day. */
export const spendingRow: z.ZodType<SpendingRow> = z.object({
	scope: z.enum(spendingScopes),
	name: z.string(),
	inputTokens: z.number(),
	outputTokens: z.number(),
	microUsd: z.number(),
	runs: z.number(),
	calls: z.number(),
});

/** A row of the limits of a day; an origin that cannot be read is left out. */
export const dayLimitRow = z
	.object({
		date: z.number(),
		path: z.string(),
		bound: z.number(),
		state: z.enum(dayLimitStates),
		origin: z.string().nullable(),
		by: z.string().nullable(),
	})
	.transform(({origin: written, by, ...row}): DayLimitRow => {
		const origin = written === null ? undefined : originJson.safeParse(parseJson(written)).data;
		return {...row, ...(origin && {origin}), ...(by !== null && {by})};
	});

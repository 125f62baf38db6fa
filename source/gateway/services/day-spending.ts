import {type LimitsConfig} from '../../config/read/limits-config.ts';
import {type Journal} from '../../journal/journal.ts';
import {type DayLimitRow, type SpendingRow, type SpentAmounts} from '../../journal/rows/spending-rows.ts';
import {
	allDayLimits,
	type DayLimit,
	isRowOf,
	nearLimits,
	passedLimits,
	rowOf,
	spendingParts,
} from '../../runs/day-limits.ts';
import {type Origin} from '../../state/origin.ts';
import {type Clock} from '../../util/clock.ts';
import {type Day, dayInZone} from '../../util/limits/day-in-zone.ts';
import {Problem} from '../../util/problem.ts';

/** The status of a limit today. `counted`: nothing has happened to it. */
export type LimitStatus = DayLimitRow['state'] | 'counted';

/** Amounts that were counted before they are spent. */
type Counted =
	| {readonly kind: 'reserved'; readonly correct: (amounts: SpentAmounts) => void}
	| {readonly kind: 'reached'; readonly limit: DayLimit; readonly date: number; readonly row: SpendingRow};

/** The spending of the present day, as the journal has it for all its gateways. */
export type DaySpending = {
	readonly today: () => Day;
	/** Counts amounts, unless they would pass a limit that is not lifted. Rejects with `storage_unavailable`. */
	readonly count: (limits: readonly DayLimit[], amounts: SpentAmounts) => Promise<Counted>;
	/** Notes that a limit was reached by work of this origin; true the first time. */
	readonly markReached: (limit: DayLimit, origin: Origin) => Promise<boolean>;
	readonly statusOf: (limit: Pick<DayLimit, 'path' | 'bound'>) => LimitStatus;
	readonly limitRowOf: (limit: Pick<DayLimit, 'path' | 'bound'>) => DayLimitRow | undefined;
	/** The amounts of the scope of a limit, as far as known here. */
	readonly spentFor: (limit: DayLimit) => SpendingRow | undefined;
	/** Reads the day again. Rejects with `storage_unavailable`. */
	readonly refresh: () => Promise<void>;
};

export type DaySpendingOptions = {
	readonly clock: Clock;
	readonly journal: Pick<Journal, 'reserveSpending' | 'correctSpending' | 'listSpending' | 'markLimit'>;
	readonly limits: () => LimitsConfig;
	/** Something is known that was not known before. */
	readonly onChange: () => void;
	/** Called once a limit and day, at whichever gateway. */
	readonly onNear: (limit: DayLimit, row: SpendingRow) => void;
	/** Called with what keeps the counts from being corrected. */
	readonly onProblem: (caught: unknown) => void;
};

/** Others may have corrected their reservations between a refusal and the look at it. */
const maxAttempts = 10;

/** Creates the spending of the day; nothing is known before `refresh`. */
export function createDaySpending(options: DaySpendingOptions): DaySpending {
	const {journal, limits, onChange, onProblem} = options;
	const today = createToday(options);
	const known = createKnownRows(today);
	const isLifted = (limit: DayLimit) => known.statusOf(limit) === 'allowed';
	const noteNear = createNearNotes(options, {today, known});
	let readings = 0;
	let newest = 0;

	const note = (rows: readonly SpendingRow[], counting: readonly DayLimit[]) => {
		known.note(rows);
		noteNear(rows, counting);
		onChange();
	};

	const correct = async (date: number, counting: readonly DayLimit[], amounts: SpentAmounts) => {
		const rows = await journal.correctSpending({date, names: spendingParts(counting, () => true), amounts});
		if (date === today().date) {
			note(rows, counting);
		}
	};

	const refresh = async (): Promise<void> => {
		const {date} = today();
		const reading = ++readings;
		const {spending, limits: rows} = await journal.listSpending(date);
		// One that began earlier does not bring back what it read.
		if (reading > newest) {
			newest = reading;
			known.replace(date, rows);
			note(spending, allDayLimits(limits()));
		}
	};

	return {
		today,
		async count(counting, amounts) {
			const {date} = today();
			for (let attempt = 1; attempt <= maxAttempts; attempt++) {
				const outcome = await journal.reserveSpending({date, parts: spendingParts(counting, isLifted), amounts});
				if (outcome.kind === 'reserved') {
					// A reservation may turn out to be less; runs and calls do not.
					note(
						outcome.rows,
						counting.filter(({unit}) => unit === 'runs' || unit === 'calls'),
					);
					return {
						kind: 'reserved',
						correct: changes => void correct(date, counting, changes).catch(onProblem),
					};
				}

				const [limit] = passedLimits(
					counting.filter(one => !isLifted(one)),
					outcome.row,
					amounts,
				);
				if (limit) {
					known.note([outcome.row]);
					return {kind: 'reached', limit, date, row: outcome.row};
				}
			}

			throw new Problem('storage_unavailable', {detail: 'the spending of the day changed too often'});
		},
		async markReached({path, bound}, origin) {
			const isNew = await journal.markLimit({date: today().date, path, bound, state: 'open', origin});
			await refresh();
			return isNew;
		},
		statusOf: known.statusOf,
		limitRowOf: known.limitRowOf,
		spentFor: known.spentFor,
		refresh,
	};
}

/** The present day, which is looked up again once it is over or the clock was set back. */
function createToday({clock, limits}: Pick<DaySpendingOptions, 'clock' | 'limits'>): () => Day {
	let known: (Day & {readonly timeZone: string}) | undefined;
	return () => {
		const now = clock.now();
		const {timeZone} = limits();
		if (known?.timeZone !== timeZone || now < known.startsAt || now >= known.endsAt) {
			known = {...dayInZone(now, timeZone), timeZone};
		}

		return known;
	};
}

/** The rows of the present day, as they were read or written last. */
function createKnownRows(today: () => Day) {
	let date = 0;
	let spending: readonly SpendingRow[] = [];
	let limitRows: readonly DayLimitRow[] = [];
	const forgetYesterday = () => {
		if (date !== today().date) {
			({date} = today());
			spending = [];
			limitRows = [];
		}
	};

	const limitRowOf = (limit: Pick<DayLimit, 'path' | 'bound'>) => {
		forgetYesterday();
		return limitRows.find(row => isRowOf(row, limit));
	};

	return {
		limitRowOf,
		statusOf: (limit: Pick<DayLimit, 'path' | 'bound'>): LimitStatus => limitRowOf(limit)?.state ?? 'counted',
		spentFor: (limit: DayLimit) => {
			forgetYesterday();
			return rowOf(limit, spending);
		},
		note(rows: readonly SpendingRow[]) {
			forgetYesterday();
			spending = [...spending.filter(row => !rowOf(row, rows)), ...rows];
		},
		replace(of: number, rows: readonly DayLimitRow[]) {
			forgetYesterday();
			if (of === date) {
				limitRows = rows;
			}
		},
	};
}

/** Reports limits that are near, each once a day among all gateways of the journal. */
function createNearNotes(
	{journal, limits, onNear}: DaySpendingOptions,
	{today, known}: {readonly today: () => Day; readonly known: Pick<DaySpending, 'statusOf'>},
) {
	const noted = new Set<string>();
	const report = async (limit: DayLimit, row: SpendingRow) => {
		const {date} = today();
		const key = `${date} ${limit.path} ${limit.bound}`;
		if (known.statusOf(limit) !== 'counted' || noted.has(key)) {
			return;
		}

		noted.add(key);
		const isNew = await journal.markLimit({date, path: limit.path, bound: limit.bound, state: 'near'});
		if (isNew) {
			onNear(limit, row);
		}
	};

	return (rows: readonly SpendingRow[], counting: readonly DayLimit[]) => {
		for (const row of rows) {
			// A notice that cannot be written is given by the next start.
			nearLimits(counting, row, limits().askAtPercent).forEach(limit => void report(limit, row).catch(() => undefined));
		}
	};
}

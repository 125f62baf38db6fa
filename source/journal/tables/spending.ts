import {
	type DayLimitName,
	type DayLimitRow,
	dayLimitRow,
	type SpendingCorrection,
	type SpendingName,
	type SpendingOfDay,
	type SpendingOutcome,
	type SpendingPart,
	type SpendingRequest,
	type SpendingRow,
	spendingRow,
	type SpentAmounts,
} from '../rows/spending-rows.ts';
import {isAbandoned} from '../rows/node-rows.ts';
import {readRows, type TableAccess} from './query.ts';

/**
The amounts spent a day by all work, a route, a job or a client, and the day's limits that were reached (docs/limits.md). All gateways of a journal
count together: each statement that adds compares with the bound itself, so that two of them never pass it together.
*/
export type SpendingTable = {
	/**
	Counts the amounts for each scope, unless one of them passed its bound by that. A crash leaves them counted. Each statement may be a transaction of
	its own: then others may for a moment see amounts that are taken back, which is never too little.
	*/
	readonly reserve: (request: SpendingRequest) => Promise<SpendingOutcome>;
	/** Corrects what was reserved, whatever the bounds. Returns the scopes as they are then. */
	readonly correct: (correction: SpendingCorrection) => Promise<readonly SpendingRow[]>;
	readonly ofDay: (date: number) => Promise<SpendingOfDay>;
	/** Notes that a limit is near or reached; true when it was not known before. One that was lifted stays so for the day. */
	readonly markLimit: (row: DayLimitRow) => Promise<boolean>;
	/** Makes this gateway the one that asks a person; false when another one does, or nobody is to be asked. */
	readonly claimLimit: (name: DayLimitName) => Promise<boolean>;
	/** Records the answer of a person; false when the limit is not open any more. */
	readonly endLimit: (
		name: DayLimitName,
		end: {readonly state: 'allowed' | 'denied'; readonly by: string},
	) => Promise<boolean>;
};

const columns = `scope, name, input_tokens AS "inputTokens", output_tokens AS "outputTokens", micro_usd AS "microUsd", runs, calls`;

const adding = `
	UPDATE spending SET input_tokens = input_tokens + $4, output_tokens = output_tokens + $5, micro_usd = micro_usd + $6,
		runs = runs + $7, calls = calls + $8
	WHERE date = $1 AND scope = $2 AND name = $3`;

/** A bound of an amount that does not grow is not compared: what began goes on when no more may begin. */
const addingWithin = `${adding}
	AND ($9::bigint IS NULL OR $4::bigint + $5::bigint = 0 OR input_tokens + output_tokens + $4 + $5 <= $9)
	AND ($10::bigint IS NULL OR $6 = 0 OR micro_usd + $6 <= $10)
	AND ($11::bigint IS NULL OR $7 = 0 OR runs + $7 <= $11)
	AND ($12::bigint IS NULL OR $8 = 0 OR calls + $8 <= $12)
	RETURNING ${columns}`;

const beginning = `
	INSERT INTO spending (date, scope, name, input_tokens, output_tokens, micro_usd, runs, calls)
	VALUES ($1, $2, $3, 0, 0, 0, 0, 0) ON CONFLICT (date, scope, name) DO NOTHING`;

/** The statements of the table. */
export function createSpendingTable(access: TableAccess): SpendingTable {
	const {query} = access;
	const add = async (date: number, part: SpendingPart, amounts: SpentAmounts) => {
		const {scope, name, bounds} = part;
		const {tokens = null, microUsd = null, runs = null, calls = null} = bounds;
		const values = [date, scope, name, ...valuesOf(amounts), tokens, microUsd, runs, calls];
		return (await readRows(spendingRow, query(addingWithin, values)))[0];
	};

	/** The first amounts of a scope on a day begin its row. */
	const addOrBegin = async (date: number, part: SpendingPart, amounts: SpentAmounts) => {
		const added = await add(date, part, amounts);
		if (added) {
			return added;
		}

		await query(beginning, [date, part.scope, part.name]);
		return add(date, part, amounts);
	};

	const find = async (date: number, {scope, name}: SpendingName): Promise<SpendingRow> => {
		const text = `SELECT ${columns} FROM spending WHERE date = $1 AND scope = $2 AND name = $3`;
		const [row] = await readRows(spendingRow, query(text, [date, scope, name]));
		return row ?? {scope, name, inputTokens: 0, outputTokens: 0, microUsd: 0, runs: 0, calls: 0};
	};

	const correctAll = async ({date, names, amounts}: SpendingCorrection) => {
		const rows: SpendingRow[] = [];
		for (const {scope, name} of names) {
			const values = [date, scope, name, ...valuesOf(amounts)];
			rows.push(...(await readRows(spendingRow, query(`${adding} RETURNING ${columns}`, values))));
		}

		return rows;
	};

	return {
		async reserve({date, parts, amounts}) {
			const rows: SpendingRow[] = [];
			for (const part of parts) {
				const row = await addOrBegin(date, part, amounts);
				if (!row) {
					await correctAll({date, names: rows, amounts: negative(amounts)});
					return {kind: 'reached', row: await find(date, part)};
				}

				rows.push(row);
			}

			return {kind: 'reserved', rows};
		},
		correct: correctAll,
		async ofDay(date) {
			const spending = await readRows(spendingRow, query(`SELECT ${columns} FROM spending WHERE date = $1`, [date]));
			const limits = await readRows(
				dayLimitRow,
				query('SELECT date, path, bound, state, origin, answered_by AS by FROM day_limits WHERE date = $1', [date]),
			);
			return {spending, limits};
		},
		...createDayLimits(access),
	};
}

/** The statements for the limits of a day that were reached. */
function createDayLimits({query, owner}: TableAccess): Pick<SpendingTable, 'markLimit' | 'claimLimit' | 'endLimit'> {
	return {
		async markLimit({date, path, bound, state, origin}) {
			const text = `
				INSERT INTO day_limits (date, path, bound, state, origin) VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT (date, path) DO UPDATE SET bound = excluded.bound, state = excluded.state, origin = excluded.origin,
					answered_by = NULL, owner = NULL
				WHERE day_limits.state <> 'allowed' AND (
					day_limits.bound <> excluded.bound OR day_limits.state = 'near' AND excluded.state = 'open'
				) RETURNING 1`;
			return (await query(text, [date, path, bound, state, origin ? JSON.stringify(origin) : null])).length > 0;
		},
		async claimLimit({date, path, bound}) {
			const text = `
				UPDATE day_limits SET owner = $4
				WHERE date = $1 AND path = $2 AND bound = $3 AND state = 'open' AND (owner = $4 OR ${isAbandoned}) RETURNING 1`;
			return (await query(text, [date, path, bound, owner.instanceId])).length > 0;
		},
		async endLimit({date, path, bound}, {state, by}) {
			const text = `
				UPDATE day_limits SET state = $4, answered_by = $5, owner = NULL
				WHERE date = $1 AND path = $2 AND bound = $3 AND state = 'open' RETURNING 1`;
			return (await query(text, [date, path, bound, state, by])).length > 0;
		},
	};
}

function valuesOf({inputTokens, outputTokens, microUsd, runs, calls}: SpentAmounts): readonly number[] {
	return [inputTokens, outputTokens, microUsd, runs, calls];
}

function negative({inputTokens, outputTokens, microUsd, runs, calls}: SpentAmounts): SpentAmounts {
	return {inputTokens: -inputTokens, outputTokens: -outputTokens, microUsd: -microUsd, runs: -runs, calls: -calls};
}

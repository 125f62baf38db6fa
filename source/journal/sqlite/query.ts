import {type DatabaseSync, type SQLInputValue, type StatementSync} from 'node:sqlite';
import {toProblem} from '../../util/problem.ts';
import {toSqliteText, toSqliteValue} from '../tables/dialect.ts';
import {type Query} from '../tables/query.ts';

/** A prepared statement, whether it has rows, and how many of the values it uses: a fragment of a dialect may need none. */
type Prepared = {readonly statement: StatementSync; readonly hasRows: boolean; readonly parameters: number};

/** Runs one statement as `Query` does, and returns its rows. Throws `storage_unavailable`. */
export type QueryNow = (text: string, values?: readonly unknown[]) => readonly unknown[];

/** The statements of a file, for tables that both engines share. */
export function createQuery(database: DatabaseSync, queryNow: QueryNow = createQueryNow(database)): Query {
	return async (text, values) => queryNow(text, values);
}

/** Each text is prepared once. */
export function createQueryNow(database: DatabaseSync): QueryNow {
	const statements = new Map<string, Prepared>();
	const prepare = (text: string): Prepared => {
		const rewritten = toSqliteText(text);
		const numbers = [...rewritten.matchAll(/\?(\d+)/gu)].map(([, number]) => Number(number));
		const statement = database.prepare(rewritten);
		const hasRows = statement.columns().length > 0;
		const prepared = {statement, hasRows, parameters: Math.max(0, ...numbers)};
		statements.set(text, prepared);
		return prepared;
	};

	return (text, values = []) => {
		try {
			const {statement, hasRows, parameters} = statements.get(text) ?? prepare(text);
			const used = values.length > parameters ? values.slice(0, parameters) : values;
			// Anything else is refused where it is bound.
			const bound = used.map(toSqliteValue) as SQLInputValue[];
			if (hasRows) {
				return statement.all(...bound);
			}

			statement.run(...bound);
			return [];
		} catch (caught) {
			throw toProblem(caught, 'storage_unavailable');
		}
	};
}

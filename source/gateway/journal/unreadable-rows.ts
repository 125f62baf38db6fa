import {type UnreadableRow} from '../../journal/rows/read-rows.ts';
import {safeText} from '../../util/safe-text.ts';

/** More ids do not fit a line. */
const maxNamed = 10;

/** The tables and ids of rows that lists leave out; undefined for none. */
export function unreadableFault(
	rows: readonly UnreadableRow[],
): {readonly message: string; readonly remedy: string} | undefined {
	if (rows.length === 0) {
		return undefined;
	}

	const named = rows.slice(0, maxNamed);
	const tables = [...Map.groupBy(named, ({table}) => table)].map(
		([table, ofTable]) => `${table} ${ofTable.map(({id}) => safeText(id, {maximumCharacters: 60})).join(', ')}`,
	);
	const more = rows.length > maxNamed ? ` and ${rows.length - maxNamed} more` : '';
	const count = rows.length === 1 ? '1 row' : `${rows.length} rows`;
	return {
		message: `${count} of the journal cannot be read, and lists leave out: ${tables.join('; ')}${more}`,
		remedy:
			'Each row is kept whole; restore it from a backup, or look at the log for damage or another program that wrote it',
	};
}

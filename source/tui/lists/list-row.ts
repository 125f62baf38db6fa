import {type KeyNames} from '../../state/entities/entity.ts';
import {type Line, type Span, span} from '../text/span.ts';
import {type StatusLabel} from '../../state/entities/status-text.ts';
import {splitAtWidth, wrapToWidth} from '../text/text-width.ts';
import {type SortValues} from './sorting.ts';

/** The fields that a filter can name: `route:stripe`. */
export type Fields = Readonly<Record<string, string>>;

/** A row of any list, identified by its id, never by its index. */
export type ListRow = {
	readonly id: string;
	/** The text that the copy key puts into the clipboard: the name or URL by which the row is known elsewhere. */
	readonly copy?: string;
	readonly fields: () => Fields;
	/** The values that its list can be sorted by; `at` is when the newest of the counted things happened. */
	readonly values?: (at: number) => SortValues;
	/** Set for rows in trouble, which are listed first. */
	readonly trouble?: true;
	/** Set for past rows: they come last, below a line, and do not count. */
	readonly isPast?: true;
	/** The group of the row, in a list with groups. */
	readonly group?: number;
	/** Set where rows that follow each other and say the same are listed as one. */
	readonly repeats?: Repeats;
	/** The equal rows that this one represents. */
	readonly fold?: Fold;
	/** Set if the row does not depend on the time. */
	readonly isTimeless?: true;
	/** The row in `width` cells; `now` is for ages and countdowns. */
	readonly line: (width: number, now: number, keys: KeyNames) => Line;
	/** The same below another row of the screen; absent where that makes no difference. */
	readonly lineBelow?: (above: ListRow, width: number, now: number) => Line;
	/** The details, in lines of at most `width` cells. */
	readonly detail: (width: number, now: number, keys: KeyNames) => readonly Line[];
};

/** Identity of equal rows: their text. The newest of them, with the largest `at`, represents all with its line, without the differing end. */
export type Repeats = {readonly text: () => string; readonly at: number; readonly line: ListRow['line']};

/** Equal rows that follow each other: while they are open, they are below the row of the fold. */
export type Fold = {
	readonly rows: readonly ListRow[];
	readonly newest: ListRow;
	readonly state: 'closed' | 'open';
};

/** The text of what rows say, by which equal ones are known. */
export function repeatedText(...parts: ReadonlyArray<string | undefined>): string {
	return parts.join('\0');
}

/** Returns the same row for the same object, so that thousands of unchanged rows cost nothing. */
export function rememberRows<Value extends object>(toRow: (value: Value) => ListRow): (value: Value) => ListRow {
	const rows = new WeakMap<Value, ListRow>();
	return value => {
		const known = rows.get(value);
		if (known) {
			return known;
		}

		const row = toRow(value);
		rows.set(value, row);
		return row;
	};
}

/** The same for a row that is made of two objects, of which the second may be absent. */
export function rememberPairs<Value extends object, Other>(
	toRow: (value: Value, other: Other) => ListRow,
): (value: Value, other: Other) => ListRow {
	const rows = new WeakMap<Value, {readonly other: Other; readonly row: ListRow}>();
	return (value, other) => {
		const known = rows.get(value);
		if (known && known.other === other) {
			return known.row;
		}

		const row = toRow(value, other);
		rows.set(value, {other, row});
		return row;
	};
}

/**
Returns the rows of a list that grows at its end and is cut at its start. Rows whose index only shifted are reused without looking each of
them up.
*/
export function rememberList<Value extends object>(
	toRow: (value: Value) => ListRow,
): (values: readonly Value[]) => readonly ListRow[] {
	let knownValues: readonly Value[] = [];
	let knownRows: readonly ListRow[] = [];
	return values => {
		const shift = values[0] ? Math.max(0, knownValues.indexOf(values[0])) : 0;
		const rows = knownRows.slice(shift, shift + values.length);
		for (const [index, value] of values.entries()) {
			if (index >= rows.length || knownValues[index + shift] !== value) {
				rows[index] = toRow(value);
			}
		}

		knownValues = values;
		knownRows = rows;
		return rows;
	};
}

const labelCells = 11;

/** `label  text`, the text wrapped with an indent. Nothing if the text is empty. */
export function labelled(label: string, text: string | undefined, width: number): Line[] {
	if (text === undefined || text === '') {
		return [];
	}

	return wrapToWidth(text, width - labelCells - 1).map((part, index) => [
		span(` ${(index === 0 ? label : '').padEnd(labelCells)}`, 'dim'),
		span(part),
	]);
}

/** `label  ● connected`: a state in its tone, then further details. */
export function labelledStatus(label: string, {glyph, word, tone}: StatusLabel, ...more: readonly Span[]): Line {
	return [span(` ${label.padEnd(labelCells)}`, 'dim'), span(`${glyph} ${word}`, tone), ...more];
}

/** An exact text, indented by a cell: long lines are split anywhere, and no blank is lost. */
export function exactLines(text: string, width: number): Line[] {
	return text.split('\n').flatMap(line => splitAtWidth(line, width - 2).map(part => [span(` ${part}`)]));
}

/** A prose text, indented by a cell: long lines are wrapped at blanks. */
export function wrappedLines(text: string, width: number): Line[] {
	return wrapToWidth(text, width - 2).map(part => [span(` ${part}`)]);
}

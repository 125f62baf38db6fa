import {type Line, type Span, span} from '../text/span.ts';
import {type StatusLabel} from '../text/status-text.ts';
import {splitAtWidth, wrapToWidth} from '../text/text-width.ts';

/** What a filter can name: `route:stripe`. */
export type Fields = Readonly<Record<string, string>>;

/** A row of any list. Found again by its id, never by its index. */
export type ListRow = {
	readonly id: string;
	/** What the copy key puts into the clipboard: the name or address it is known by elsewhere. */
	readonly copy?: string;
	readonly fields: () => Fields;
	/** Whether the row looks the same at any time. */
	readonly isTimeless?: true;
	/** The row in `width` cells; `now` is for ages and countdowns. */
	readonly line: (width: number, now: number) => Line;
	/** All that is known about it, in lines of at most `width` cells. */
	readonly detail: (width: number, now: number) => readonly Line[];
};

/** Answers the same row for the same object, so that thousands of unchanged rows cost nothing. */
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

/**
Answers the rows of a list that grows at its end and is cut at its start. Rows whose index only shifted are taken over without looking each
of them up.
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

/** `label  text`, the text wrapped under itself. Nothing when the text is empty. */
export function labelled(label: string, text: string | undefined, width: number): Line[] {
	if (text === undefined || text === '') {
		return [];
	}

	return wrapToWidth(text, width - labelCells - 1).map((part, index) => [
		span(` ${(index === 0 ? label : '').padEnd(labelCells)}`, 'dim'),
		span(part),
	]);
}

/** `label  ● connected`: a state in its tone, then what else there is to say about it. */
export function labelledStatus(label: string, {glyph, word, tone}: StatusLabel, ...more: readonly Span[]): Line {
	return [span(` ${label.padEnd(labelCells)}`, 'dim'), span(`${glyph} ${word}`, tone), ...more];
}

/** A text in which each character counts, indented by a cell: long lines are cut anywhere, and no blank is lost. */
export function exactLines(text: string, width: number): Line[] {
	return text.split('\n').flatMap(line => splitAtWidth(line, width - 2).map(part => [span(` ${part}`)]));
}

/** A text to read, indented by a cell: long lines are broken at blanks. */
export function wrappedLines(text: string, width: number): Line[] {
	return wrapToWidth(text, width - 2).map(part => [span(` ${part}`)]);
}

import {dateAndTime} from '../time-text.ts';
import {shownId} from '../../util/id-part.ts';
import {isJsonObject} from '../../util/json-text.ts';
import {shownName} from '../../util/safe-text.ts';
import {shownValue} from '../../util/shown-json.ts';
import {type Field} from './entity.ts';
import {type JsonKind, type JsonRow, type Kind, kindParts} from './json-kind.ts';

/** A column of the table of a command: the name of a field, or a title with a text of the row. */
export type TableColumn<Fields> =
	| (keyof JsonRow<Fields> & keyof Fields & string)
	| {readonly title: string; readonly cell: (row: JsonRow<Fields>) => string};

/** The titles and cells of a table. Cells may be texts from outside. */
export function tableOf<const Fields extends Readonly<Record<string, Field<never>>>>(
	fields: Fields,
	columns: ReadonlyArray<TableColumn<Fields>>,
): {readonly titles: readonly string[]; readonly cells: (row: JsonRow<Fields>) => readonly string[]} {
	return {
		titles: columns.map(column =>
			typeof column === 'string' ? (fields[column]?.title ?? column.toUpperCase()) : column.title,
		),
		cells: row =>
			columns.map(column =>
				typeof column === 'string' ? cellText(fields[column]?.json, row[column]) : column.cell(row),
			),
	};
}

/** The text of a value in a cell; empty for null and for what is left out. */
function cellText(kind: JsonKind | undefined, value: unknown): string {
	if (typeof value !== 'string' && typeof value !== 'number') {
		return isJsonObject(value) ? JSON.stringify(shownValue(value)) : '';
	}

	const text = String(value);
	const base = kind && kindParts(kind).base;
	return (typeof base === 'string' ? cellTexts[base]?.(text) : undefined) ?? text;
}

/** By kind, the text of a value where it is not the value itself. */
const cellTexts: Readonly<Partial<Record<Kind, (text: string) => string>>> = {
	id: shownId,
	name: text => shownName(text),
	time: text => dateAndTime(Number(text)),
	ms: text => String(Math.round(Number(text))),
};

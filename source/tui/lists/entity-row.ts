import {type At, type Cells, type Column, type Entity} from '../../state/entities/entity.ts';
import {cell, type Line, lineWithEnd, span} from '../text/span.ts';
import {wideCells} from './columns.ts';
import {type Fields, labelled, labelledStatus, type ListRow, repeatedText} from './list-row.ts';
import {stateValue} from './sorting.ts';

/** The row of an entity; `below` are lines under its fields that a description has no words for. */
export function entityRow<Row, Name extends string>(
	entity: Entity<Row, Name>,
	row: Row,
	below: (row: Row, at: At) => readonly Line[] = () => [],
): ListRow {
	const {copy, status, isTimeless, isPast, repeats} = entity;
	return {
		id: entity.id(row),
		...(copy && {copy: copy(row)}),
		fields: () => filterFields(entity, row),
		values: () => ({...entity.values(row), ...(status && {state: stateValue(status(row))})}),
		...(entity.isTrouble?.(row) && {trouble: true}),
		...(isTimeless && {isTimeless}),
		...(isPast && {isPast}),
		...(repeats &&
			repeats.when?.(row) !== false && {
				repeats: {
					at: repeats.at(row),
					text: () => repeatedText(...repeats.parts(row)),
					line: (width, now, keys) => columnsOf(entity.columns, row, {width, now, keys}),
				},
			}),
		line: (width, now, keys) => entityLine(entity, row, {width, now, keys}),
		detail: (width, now, keys) => [...entityDetail(entity, row, {width, now, keys}), ...below(row, {width, now, keys})],
	};
}

function filterFields<Row, Name extends string>({fields, filter}: Entity<Row, Name>, row: Row): Fields {
	return Object.fromEntries(
		filter.flatMap(name => {
			const text = fields[name].text?.(row);
			return text === undefined ? [] : [[fields[name].filter ?? name, text]];
		}),
	);
}

function entityLine<Row, Name extends string>(entity: Entity<Row, Name>, row: Row, at: At): Line {
	const line = columnsOf(entity.columns, row, at);
	const end = entity.end?.(row, at);
	return end === undefined ? line : lineWithEnd(line, [span(` ${end}`, 'dim')], at.width);
}

/** The cells of a row, in the columns for which the screen has room. */
export function columnsOf<Row>(columns: ReadonlyArray<Column<Row>>, row: Row, at: At): Line {
	const {width} = at;
	return columns.flatMap(({narrow, wide, from = 0, tone = 'normal', text}): Line => {
		const cells = width < 60 ? narrow : wide;
		if (cells === undefined || width < from) {
			return [];
		}

		const meaning = typeof tone === 'string' ? tone : tone(row, at);
		const shown = text(row, at);
		if (cells === 'rest') {
			return [span(shown, meaning)];
		}

		return [cell(shown, cellCount(cells, width), meaning)];
	});
}

function cellCount(cells: Exclude<Cells, 'rest'>, width: number): number {
	if (typeof cells === 'function') {
		return cells(width);
	}

	return typeof cells === 'number' ? cells : wideCells(...cells, width);
}

/** The status and the fields of a row, a line for each. */
export function entityDetail<Row, Name extends string>(entity: Entity<Row, Name>, row: Row, at: At): readonly Line[] {
	const {fields, status, statusLine} = entity;
	const more = statusLine?.more?.(row, at);
	return [
		...(status && statusLine
			? [labelledStatus(statusLine.label, status(row), ...(more ? [span(more.text, more.tone)] : []))]
			: []),
		...(entity.notes?.(row, at) ?? []).flatMap(([label, text]) => labelled(label, text, at.width)),
		...entity.details.flatMap(name => {
			const {text, detail = text, label = name} = fields[name];
			const shown = detail?.(row, at);
			const [first, ...others] = typeof shown === 'string' || shown === undefined ? [shown] : shown;
			return [
				...labelled(typeof label === 'string' ? label : label(row), first, at.width),
				...others.flatMap(line => labelled('', line, at.width)),
			];
		}),
	];
}

import {type LogRow} from '../../state/snapshot.ts';
import {preciseTimeOfDay, timeOfDay} from '../../state/time-text.ts';
import {wideCells} from './columns.ts';
import {type ListRow, labelled, repeatedText} from './list-row.ts';
import {cell, type Line, span} from '../text/span.ts';
import {logText} from '../../state/entities/status-text.ts';
import {wordLines} from '../../util/safe-text.ts';
import {stateValue} from './sorting.ts';

/** The row of a log line. A text of several lines is one line in the list, also in a copy, and has its lines in the details. */
export function logListRow(row: LogRow): ListRow {
	return {
		id: String(row.seq),
		copy: oneLine(row.text),
		fields: () => ({level: row.level, area: row.area, text: oneLine(row.text), profile: row.profile}),
		values: () => ({name: row.area, state: stateValue(logText[row.level])}),
		isTimeless: true,
		repeats: {
			at: row.seq,
			text: () => repeatedText(row.level, row.area, row.text, row.profile),
			line: width => logLine(row, width),
		},
		line: width => logLine(row, width),
		detail: width => [
			...labelled('time', preciseTimeOfDay(row.time), width),
			...labelled('level', row.level, width),
			...labelled('area', row.area, width),
			...wordLines(row.text).flatMap((text, index) => labelled(index === 0 ? 'text' : '', text, width)),
			...labelled('profile', row.profile, width),
		],
	};
}

function logLine(row: LogRow, width: number): Line {
	const {glyph, word, tone} = logText[row.level];
	const text = span(oneLine(row.text), row.level === 'error' ? 'bad' : 'normal');
	return width < 60
		? [span(`${timeOfDay(row.time).slice(3)} `, 'dim'), span(`${glyph} `, tone), cell(row.area, 10, 'dim'), text]
		: [
				span(`${timeOfDay(row.time)} `, 'dim'),
				span(`${glyph} `, tone),
				cell(word, 8, tone),
				cell(row.area, wideCells(11, 0.08, width), 'dim'),
				text,
			];
}

/** The lines of a text in one, with a blank between two. */
export function oneLine(text: string): string {
	const [line = '', ...others] = wordLines(text);
	return others.length === 0 ? line : [line, ...others.map(other => other.trim())].filter(Boolean).join(' ');
}

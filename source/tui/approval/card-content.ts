import {type ApprovalRequest} from '../../state/approval-event.ts';
import {bytesText} from '../../util/shown-json.ts';
import {type JsonLine, markedJson} from './marked-json.ts';
import {own} from '../text/own-signs.ts';
import {type Line, ruleLine, span} from '../text/span.ts';
import {signs} from '../text/status-text.ts';
import {splitCells, wrapToWidth} from '../text/text-width.ts';

/** What is to be read on a card, in lines; the arguments come first. */
export type CardContent = {
	readonly lines: readonly Line[];
	/** How many of the lines must have been on the screen: arguments, and the change of the definition. */
	readonly neededLines: number;
	/** `5 keys · 212 B`. */
	readonly argumentSize: string;
};

/** A row of arguments: what is drawn, and what of it is the text of its line of JSON. */
export type ArgumentRow = {readonly line: Line; readonly text: string; readonly place: 'first' | 'further'};

const mostRows = 200_000;
const made = new WeakMap<ApprovalRequest, {readonly width: number; readonly content: CardContent}>();

/** Makes the content of a card for a width: arguments in the order in which they are sent, change of the definition, description. Nothing is cut, long lines wrap. */
export function cardContent(card: ApprovalRequest, width: number): CardContent {
	const known = made.get(card);
	if (known?.width === width) {
		return known.content;
	}

	const needed = [
		...argumentRows(card.arguments, card.payloadPaths ?? [], width).map(({line}) => line),
		...untrustedSection('the definition changed since it was allowed', card.definitionChange, width),
	];
	const content = {
		lines: [...needed, ...untrustedSection(own`description · from the server, not checked`, card.description, width)],
		neededLines: needed.length,
		argumentSize: argumentSize(card),
	};
	made.set(card, {width, content});
	return content;
}

/** `5 keys · 212 B`: of what is sent, not of what is shown. */
export function argumentSize({sentBytes, arguments: shown}: Pick<ApprovalRequest, 'sentBytes' | 'arguments'>): string {
	const keys = Object.keys(shown).length;
	return own`${keys} ${keys === 1 ? 'key' : 'keys'} · ${bytesText(sentBytes)}`;
}

/**
The arguments in rows. A line that is too long goes on in the next row: both sides carry a mark, so that a value can neither pose as the next
member nor end in blanks that nobody sees. Rows past the most that can be looked through are left out (`isAllOf`).
*/
export function argumentRows(
	shown: ApprovalRequest['arguments'],
	payloadPaths: readonly string[],
	width: number,
): readonly ArgumentRow[] {
	const bounds = {mostIndent: Math.floor(width / 2), mostLines: mostRows};
	const rows: ArgumentRow[] = [];
	for (const line of markedJson(shown, new Set(payloadPaths), bounds)) {
		if (rows.length >= mostRows) {
			break;
		}

		addRows(line, width, rows);
	}

	return rows;
}

/** Whether no row was left out. */
export function isAllOf(rows: readonly ArgumentRow[]): boolean {
	return rows.length < mostRows;
}

function addRows({text, marked}: JsonLine, width: number, rows: ArgumentRow[]): void {
	const parts = splitCells(text, width - 3);
	for (const [index, part] of parts.entries()) {
		const line = [
			span(marked ? signs.payload : ' ', 'notice'),
			span(index === 0 ? ' ' : own`…`, 'dim'),
			span(part, marked ? 'marked' : 'normal'),
			...(index === parts.length - 1 ? [] : [span(own`…`, 'dim')]),
		];
		rows.push({line, text: part, place: index === 0 ? 'first' : 'further'});
	}
}

/** Words of a server under their title. Every line has a gutter, so that none can pass for one of ours. */
export function untrustedSection(title: string, text: string | undefined, width: number): readonly Line[] {
	if (text === undefined || text === '') {
		return [];
	}

	return [
		ruleLine(title, width),
		...wrapToWidth(text, width - 4).map((line): Line => [span(` ${signs.gutter} `, 'dim'), span(line)]),
	];
}

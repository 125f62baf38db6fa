import {type ApprovalCard} from '../state/approval-event.ts';
import {type JsonObject} from '../util/json-text.ts';
import {type JsonLine, markedJson} from './marked-json.ts';
import {ruleLine} from './rule-line.ts';
import {type Line, span} from './span.ts';
import {signs} from './status-words.ts';
import {splitAtWidth, wrapToWidth} from './text-width.ts';

/** What is to be read on a card, in lines; the arguments come first. */
export type CardContent = {
	readonly lines: readonly Line[];
	/** How many of the lines are arguments. */
	readonly argumentLines: number;
	/** `5 keys · 212 B`. */
	readonly argumentSize: string;
};

/** Makes the content of a card for a width: arguments, change of the definition, description. Nothing is cut, long lines wrap. */
export function cardContent(card: ApprovalCard, width: number): CardContent {
	const argumentLines = markedJson(tellingFirst(card.arguments), new Set(card.payloadPaths)).flatMap(line =>
		argumentLine(line, width),
	);
	const keys = Object.keys(card.arguments).length;
	return {
		lines: [
			...argumentLines,
			...section('the definition changed since it was allowed', card.definitionChange, width),
			...section('description · from the server, not checked', card.description, width),
		],
		argumentLines: argumentLines.length,
		argumentSize: `${keys} ${keys === 1 ? 'key' : 'keys'} · ${Buffer.byteLength(JSON.stringify(card.arguments))} B`,
	};
}

/** A line of arguments, split where it is too long. The parts after the first carry a mark, so that a value cannot pose as the next member. */
function argumentLine({text, marked}: JsonLine, width: number): Line[] {
	return splitAtWidth(text, width - 3).map(
		(part, index): Line => [
			span(marked ? signs.payload : ' ', 'notice'),
			span(index === 0 ? ' ' : '…', 'dim'),
			span(part, marked ? 'marked' : 'normal'),
		],
	);
}

/** Members that say what is acted on come first: paths, addresses, commands. */
function tellingFirst(values: JsonObject): JsonObject {
	const isTelling = (name: string) => /path|file|url|uri|command|cmd|query|sql/iu.test(name);
	const entries = Object.entries(values);
	return Object.fromEntries([
		...entries.filter(([name]) => isTelling(name)),
		...entries.filter(([name]) => !isTelling(name)),
	]);
}

function section(title: string, text: string | undefined, width: number): Line[] {
	if (text === undefined || text === '') {
		return [];
	}

	return [ruleLine(title, width), ...wrapToWidth(text, width - 2).map((line): Line => [span(` ${line}`)])];
}

import {type ApprovalRequest} from '../../state/approval-event.ts';
import {decisionChoices, decisionFacts, type Reading, requestReading} from '../../state/decision.ts';
import {askedFromText} from '../../state/origin.ts';
import {type ApprovalRow} from '../../state/snapshot.ts';
import {bytesText, shownValue} from '../../util/shown-json.ts';
import {layoutName, type Size} from '../text/layout.ts';
import {type Line, ruleLine, span} from '../text/span.ts';
import {glyphs, type Tone} from '../../state/entities/status-text.ts';
import {jsonSpans} from '../text/json-lines.ts';
import {splitSpans} from '../text/split-spans.ts';
import {cutToWidth, splitCells, textWidth, wrapToWidth} from '../text/text-width.ts';
import {type ReviewMode} from '../state/review.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type JsonLine, markedJson} from './marked-json.ts';
import {shownName, toolText, uncut} from '../../util/safe-text.ts';

/** The layout of a card on a screen. */
export type ReviewLayout = {
	readonly content: CardContent;
	/** Lines of the content that are on the screen at once. */
	readonly contentRows: number;
	/** The origin of the call. Text chosen by the sender of a webhook comes last and is cut first. */
	readonly originLines: readonly string[];
	/** The parts of the arguments that the card does not show, and in its short form the risky hints: in the rule over them, or in lines of their own where that is too short. */
	readonly hidden: HiddenOnCard;
	/** Rows of the answers and the blank one before them; the short form has none. */
	readonly answerRows: number;
	/** The short form for small terminals. */
	readonly compact: boolean;
	/** The furthest the content can be scrolled. */
	readonly lastScroll: number;
	/** The page "always allow" in lines; undefined when the terminal cannot show all of it. */
	readonly alwaysPage: readonly Line[] | undefined;
	/** Server or tool are too long for their line. */
	readonly nameIsCut: boolean;
};

/** The text of a card in lines; the arguments come first. */
export type CardContent = {
	readonly lines: readonly Line[];
	/** Number of lines that must have been on the screen: arguments, the rule that asks, and the change of the definition. */
	readonly neededLines: number;
	/** `5 keys · 212 B`. */
	readonly argumentSize: string;
};

/** The words about a card beside its arguments: in the rule over them, or in lines of their own where that is too short. */
type HiddenOnCard =
	| {readonly place: 'rule'; readonly words: readonly string[]}
	| {readonly place: 'line'; readonly lines: readonly string[]};

/** The parts of the lines of the review screen. */
export type ReviewView = {
	readonly card: ApprovalRow;
	/** The scroll position of the content, and the number of its lines that have been on the screen. */
	readonly review: ReviewMode;
	readonly layout: ReviewLayout;
	/** Place and number of the waiting requests: `1 of 2`. */
	readonly place: string;
	readonly width: number;
	readonly now: number;
	readonly readOnly: boolean;
	/** When an allowed call is sent; `after-release`: everything is held. */
	readonly sent: 'at-once' | 'after-release';
};

/** Rows around the content without those of origin and answers: title, who asks (with its rule), the rule of the arguments, state. */
const roomyFrameRows = 1 + 4 + 1 + 1;
const compactFrameRows = 1 + 1 + 1 + 1;

/** Cells before the names of server and tool. */
const labelCells = 9;

/** For arguments that are taken from the untrusted payload. */
export const payloadWords = `${glyphs.payload} word for word in the payload`;

/** Lays a card out for a size. */
export function reviewLayout(card: ApprovalRow, size: Size): ReviewLayout {
	const compact = layoutName(size) === 'narrow';
	const content = cardContent(card, size.columns);
	const nameWidth = size.columns - labelCells;
	const hidden = hiddenOnCard(card, content, size);
	const hiddenRows = hidden.place === 'line' ? hidden.lines.length : 0;
	const originRows = compact ? (hiddenRows > 1 && size.rows < 11 ? 1 : 2) : 3;
	const originLines = firstLines(askedFromText(card, uiText` · `), {count: originRows, width: nameWidth});
	const {scopes, rule} = decisionChoices(card, 'read');
	const answerRows = compact ? 2 : scopes.includes('run') || rule.kind !== 'none' ? 5 : 4;
	const around = answerRows + originLines.length + hiddenRows;
	const frameRows = (compact ? compactFrameRows : roomyFrameRows) + around;
	const contentRows = Math.max(1, size.rows - frameRows);
	const alwaysPage = alwaysLines(card, size.columns, compact);
	const alwaysRows = size.rows - (compact ? 3 : 7 + originLines.length);
	return {
		content,
		contentRows,
		originLines,
		hidden,
		answerRows,
		compact,
		lastScroll: Math.max(0, content.lines.length - contentRows),
		alwaysPage: alwaysPage.length <= alwaysRows ? alwaysPage : undefined,
		nameIsCut:
			textWidth(compact ? toolText(card, uncut) : shownName(card.tool, uncut)) > nameWidth ||
			textWidth(card.server) > nameWidth,
	};
}

function firstLines(text: string, {count, width}: {readonly count: number; readonly width: number}): readonly string[] {
	const lines = wrapToWidth(text, width);
	return lines.length <= count
		? lines
		: [...lines.slice(0, count - 1), cutToWidth(lines.slice(count - 1).join(' '), width)];
}

/** The reading of the request: on its card where that holds all of it, else on the page with all of it. */
export function cardReading(
	{seenLines, full}: Pick<ReviewMode, 'seenLines' | 'full'>,
	card: Pick<ApprovalRequest, 'cutBytes' | 'tool'>,
	{content, nameIsCut}: Pick<ReviewLayout, 'content' | 'nameIsCut'>,
): Reading {
	const published = !nameIsCut && seenLines >= content.neededLines ? 'read' : 'unread';
	return requestReading(card, {published, full: full.reading});
}

/** The parts that a card of this size does not show, and the place where it says so. */
function hiddenOnCard(card: ApprovalRow, content: CardContent, size: Size): HiddenOnCard {
	const isShort = layoutName(size) === 'narrow';
	const {claims, hidden, marked} = decisionFacts(card);
	const words = [...(isShort ? claims : []), ...hidden, ...marked];
	return words.length === 0 || fitsRule(card, {words, content, size})
		? {place: 'rule', words}
		: {place: 'line', lines: firstLines(words.join(uiText` · `), {count: 2, width: size.columns - 2})};
}

/** True if it fits into the rule with everything else that may be in it. */
function fitsRule(
	card: ApprovalRow,
	at: {readonly words: readonly string[]; readonly content: CardContent; readonly size: Size},
): boolean {
	const {words, content, size} = at;
	const count = content.lines.length;
	const marks = decisionFacts(card).payloadPaths.length > 0 ? payloadWords : '';
	const parts = ['arguments', content.argumentSize, ...words, uiText`${count}–${count} of ${count}, J scrolls`, marks];
	return layoutName(size) !== 'narrow' && textWidth(parts.filter(Boolean).join(uiText` · `)) <= size.columns - 4;
}

/** The page that names exactly what "always" would store. `compact` leaves out what the card said before. */
function alwaysLines(card: ApprovalRow, width: number, compact: boolean): readonly Line[] {
	const field = (label: string, text: string): Line[] =>
		wrapToWidth(text, width - 14).map((part, index) => [
			span(` ${(index === 0 ? label : '').padEnd(9)}`, 'dim'),
			span(part, 'strong'),
		]);
	const words = (text: string): Line[] => wrapToWidth(text, width - 2).map((part): Line => [span(` ${part}`)]);
	return [
		...(compact ? [] : words('This stores a rule. From then on, Sluice no longer asks about:')),
		...field('server', card.server),
		...field('tool', shownName(card.tool, uncut)),
		...(compact ? [] : field('known as', card.registeredName)),
		...field('profile', card.profile),
		...words('with any arguments and from every caller, until its definition changes.'),
		...(compact ? [] : words('To take it back: sluice approvals rules revoke')),
	];
}

const maxRows = 200_000;
const made = new WeakMap<ApprovalRequest, {readonly width: number; readonly content: CardContent}>();

/** Makes the content of a card for a width: arguments in the order in which they are sent, change of the definition, description. Nothing is cut, long lines wrap. */
export function cardContent(card: ApprovalRequest, width: number): CardContent {
	const known = made.get(card);
	if (known?.width === width) {
		return known.content;
	}

	const {payloadPaths, rule, definitionChange, description, liftedFor} = decisionFacts(card);
	const title = liftedFor === undefined ? uiText`description · from the server, not checked` : 'effect of the answer';
	const needed = [
		...argumentRows(card.arguments, payloadPaths, width),
		...ruleSection(rule, width),
		...changeSection(definitionChange, width),
	];
	const content = {
		lines: [...needed, ...untrustedSection(title, description, width)],
		neededLines: needed.length,
		argumentSize: argumentSize(card),
	};
	made.set(card, {width, content});
	return content;
}

/** The rule that asks, in words. */
export function ruleSection(rule: string, width: number): readonly Line[] {
	return rule
		? [
				ruleLine('a rule asks, so it can only be allowed once', width),
				...wrapToWidth(rule, width - 2).map((line): Line => [span(` ${line}`)]),
			]
		: [];
}

/** `5 keys · 212 B`: of what is sent, not of what is shown. */
export function argumentSize({sentBytes, arguments: shown}: Pick<ApprovalRequest, 'sentBytes' | 'arguments'>): string {
	const keys = Object.keys(shown).length;
	return uiText`${keys} ${keys === 1 ? 'key' : 'keys'} · ${bytesText(sentBytes)}`;
}

/**
The arguments in rows. A line that is too long goes on in the next row: both sides carry a mark, so that a value can neither pose as the next
member nor end in blanks that nobody sees. Rows past the most that can be looked through are left out (`isAllOf`).
*/
export function argumentRows(
	masked: ApprovalRequest['arguments'],
	payloadPaths: readonly string[],
	width: number,
): readonly Line[] {
	const bounds = {maxIndent: Math.floor(width / 2), maxLines: maxRows};
	const rows: Line[] = [];
	for (const line of markedJson(shownValue(masked), new Set(payloadPaths), bounds)) {
		if (rows.length >= maxRows) {
			break;
		}

		addRows(line, width, rows);
	}

	return rows;
}

/** True if no row was left out. */
export function isAllOf(rows: readonly Line[]): boolean {
	return rows.length < maxRows;
}

function addRows({text, marked}: JsonLine, width: number, rows: Line[]): void {
	const parts = splitCells(text, width - 3);
	const coloured = splitSpans(jsonSpans(text), parts);
	for (const [index, part] of parts.entries()) {
		rows.push([
			span(marked ? glyphs.payload : ' ', 'notice'),
			span(index === 0 ? ' ' : uiText`…`, 'dim'),
			...(marked ? [span(part, 'marked')] : (coloured[index] ?? [])),
			...(index === parts.length - 1 ? [] : [span(uiText`…`, 'dim')]),
		]);
	}
}

/** The changes of a definition, as words of a server: added, removed and changed parts. */
export function changeSection(change: string, width: number): readonly Line[] {
	return untrustedSection('the definition has changed since it was allowed', change, width, line =>
		line.startsWith('+ ') ? 'added' : line.startsWith('- ') ? 'removed' : line.startsWith('~ ') ? 'busy' : 'normal',
	);
}

/** Words of a server under their title. Every line has a gutter, so that none can pass for one of ours. */
export function untrustedSection(
	title: string,
	text: string,
	width: number,
	toneOf: (line: string) => Tone = () => 'normal',
): readonly Line[] {
	if (text === '') {
		return [];
	}

	return [
		ruleLine(title, width),
		...text
			.split('\n')
			.flatMap(line =>
				wrapToWidth(line, width - 4).map((part): Line => [span(` ${glyphs.gutter} `, 'dim'), span(part, toneOf(line))]),
			),
	];
}

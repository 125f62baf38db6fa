import {type ApprovalRequest} from '../../state/approval-event.ts';
import {decisionChoices, decisionFacts, type Reading, requestReading} from '../../state/decision.ts';
import {groupedNumber} from '../../state/number-text.ts';
import {askedFromText} from '../../state/origin.ts';
import {type ApprovalRow, type SentRow} from '../../state/snapshot.ts';
import {layoutName, type Size} from '../text/layout.ts';
import {type Line, ruleLine, span} from '../text/span.ts';
import {glyphs, type Tone} from '../../state/entities/status-text.ts';
import {cutToWidth, textWidth, wrapToWidth} from '../text/text-width.ts';
import {type ReviewMode} from '../state/review.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type ValueForm} from '../../util/values/value-lines.ts';
import {argumentRows, argumentSize, formAfter} from './argument-rows.ts';
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
	/** Number of lines that must have been on the screen: arguments, the rule that asks, and the change of the definition. Undefined while some are folded. */
	readonly neededLines: number | undefined;
	/** Number of unchanged lines of edits that are folded. */
	readonly foldedLines: number;
	/** The form that the key shows next; undefined where all forms are alike. */
	readonly nextForm: ValueForm | undefined;
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
	/** The messages about it in chats. */
	readonly messages: SentRow['messages'];
};

/** Rows around the content without those of origin and answers: title, who asks (with its rule), the rule of the arguments, state. */
const roomyFrameRows = 1 + 4 + 1 + 1;
const compactFrameRows = 1 + 1 + 1 + 1;

/** Cells before the names of server and tool. */
const labelCells = 9;

/** For arguments that are taken from the untrusted payload. */
export const payloadWords = `${glyphs.payload} word for word in the payload`;

/** Lays a card out for a size, its arguments in a form. */
export function reviewLayout(card: ApprovalRow, size: Size, form: ValueForm): ReviewLayout {
	const compact = layoutName(size) === 'narrow';
	const content = cardContent(card, size.columns, form);
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
	const {neededLines} = content;
	const published = !nameIsCut && neededLines !== undefined && seenLines >= neededLines ? 'read' : 'unread';
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

/** The lines of the content that are on the screen, and how many others are folded. */
export function placeText(from: number, to: number, {lines, foldedLines}: CardContent): string {
	const place = uiText`${from}–${to} of ${lines.length}`;
	return foldedLines > 0 ? `${place}, ${groupedNumber(foldedLines)} folded` : `${place}, J scrolls`;
}

/** True if it fits into the rule with everything else that may be in it. */
function fitsRule(
	card: ApprovalRow,
	at: {readonly words: readonly string[]; readonly content: CardContent; readonly size: Size},
): boolean {
	const {words, content, size} = at;
	const count = content.lines.length;
	const marks = decisionFacts(card).payloadPaths.length > 0 ? payloadWords : '';
	const parts = ['arguments', content.argumentSize, ...words, placeText(count, count, content), marks];
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

type Made = {readonly width: number; readonly form: ValueForm; readonly content: CardContent};
const made = new WeakMap<ApprovalRequest, Made>();

/** Makes the content of a card for a width: arguments in the order in which they are sent, change of the definition, description. Nothing is cut, long lines wrap. */
export function cardContent(card: ApprovalRequest, width: number, form: ValueForm): CardContent {
	const known = made.get(card);
	if (known?.width === width && known.form === form) {
		return known.content;
	}

	const {payloadPaths, rule, definitionChange, description, liftedFor} = decisionFacts(card);
	const title = liftedFor === undefined ? uiText`description · from the server, not checked` : 'effect of the answer';
	const shown = argumentRows(card.arguments, {payloadPaths, width, form});
	const needed = [...shown.rows, ...ruleSection(rule, width), ...changeSection(definitionChange, width)];
	const content = {
		lines: [...needed, ...untrustedSection(title, description, width)],
		neededLines: shown.isAll && shown.foldedLines === 0 ? needed.length : undefined,
		foldedLines: shown.foldedLines,
		nextForm: formAfter(form, shown),
		argumentSize: argumentSize(card),
	};
	made.set(card, {width, form, content});
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

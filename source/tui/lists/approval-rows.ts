import {askedFromText, originText} from '../../state/origin.ts';
import {type ApprovalRow, type DecisionRow} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {shownId} from '../../util/id-part.ts';
import {minutesText} from '../text/duration-text.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cell, type Line, span} from '../text/span.ts';
import {approvalText, hintText, glyphs} from '../../state/entities/status-text.ts';
import {textWidth} from '../text/text-width.ts';
import {wideCells} from './columns.ts';
import {labelled, type ListRow, rememberRows, repeatedText} from './list-row.ts';
import {shownValue} from '../../util/shown-json.ts';
import {toolText} from '../../util/safe-text.ts';

/** The row of a pending approval. */
export const approvalListRow = rememberRows(
	(card: ApprovalRow): ListRow => ({
		id: card.id,
		fields: () => ({
			server: card.server,
			tool: card.tool,
			state: 'waiting',
			id: card.id,
			origin: originText(card.origin),
			...(card.node !== undefined && {node: card.node}),
			arguments: argumentsText(card),
			profile: card.profile,
		}),
		values: () => ({name: `${card.server}/${card.tool}`}),
		line: (width, now) => pendingLine(card, width, now),
		detail: width => pendingDetail(card, width),
	}),
);

/** The row of a settled approval. */
export const decisionListRow = rememberRows(
	(decision: DecisionRow): ListRow => ({
		id: decisionId(decision),
		isPast: true,
		fields: () => ({
			server: decision.server,
			tool: decision.tool,
			state: decision.outcome,
			by: decision.by ?? '',
			id: decision.id,
			profile: decision.profile,
		}),
		values: () => ({name: `${decision.server}/${decision.tool}`}),
		repeats: {
			at: decision.seq,
			text: () => {
				const {outcome, scope, server, tool, by, message, profile} = decision;
				return repeatedText('request', outcome, scope, server, tool, by, message, profile);
			},
			line: width => decisionLine(decision, width),
		},
		line: width => decisionLine(decision, width),
		detail: width => decisionDetail(decision, width),
	}),
);

const argumentTexts = new WeakMap<ApprovalRow, string>();

/** The arguments of a request in one line, as its card has them; the filter looks through all of them. */
function argumentsText(card: ApprovalRow): string {
	const text = argumentTexts.get(card) ?? JSON.stringify(shownValue(card.arguments));
	argumentTexts.set(card, text);
	return text;
}

/** Settled approvals share a list with requests, whose ids may collide: the prefix keeps them apart. */
export function decisionId({seq}: Pick<DecisionRow, 'seq'>): string {
	return `settled-${seq}`;
}

function pendingLine(card: ApprovalRow, width: number, now: number): Line {
	const name = toolText(card);
	const left = minutesText(card.expiresAt - now);
	const words = argumentsText(card).slice(0, width * 4);
	if (width < 60) {
		const nameCells = Math.min(textWidth(name) + 1, width - 8);
		return [
			span(`${glyphs.approval} `, 'notice'),
			cell(name, nameCells, 'strong'),
			cell(words, Math.max(0, width - 8 - nameCells)),
			span(left, 'busy'),
		];
	}

	const hints = width < 110 ? 0 : 26;
	const nodeCells = card.node === undefined ? 0 : Math.min(16, textWidth(card.node) + 1);
	const nameCells = wideCells(25, 0.08, width);
	return [
		span(`${glyphs.approval} `, 'notice'),
		cell(`#${shownId(card.id)}`, 10, 'dim'),
		cell(name, nameCells, 'strong'),
		...(card.node === undefined ? [] : [cell(card.node, nodeCells, 'dim')]),
		cell(words, width - 26 - nameCells - nodeCells - hints),
		cell(`expires ${left}`, 14, 'busy'),
		cell(hintText(card.hints), hints, 'dim'),
	];
}

function decisionLine(decision: DecisionRow, width: number): Line {
	const {glyph, word, tone} = approvalText[decision.outcome];
	const name = toolText(decision);
	const by = decision.by ? `by ${decision.by}` : '';
	if (width < 60) {
		return [span(`${glyph} `, tone), cell(word, 14, tone), span(name)];
	}

	return [
		span(`${glyph} `, tone),
		cell(word, 14, tone),
		cell(decision.scope ?? '', 9),
		cell(name, wideCells(33, 0.3, width)),
		cell(timeOfDay(decision.time), 9, 'dim'),
		span([by, decision.message ?? ''].filter(Boolean).join(': '), 'dim'),
	];
}

function pendingDetail(card: ApprovalRow, width: number): Line[] {
	return [
		...labelled('tool', toolText(card), width),
		...labelled('from', askedFromText(card, uiText` · `), width),
		...labelled('hints', hintText(card.hints), width),
		...labelled('arguments', argumentsText(card), width),
	];
}

function decisionDetail(decision: DecisionRow, width: number): Line[] {
	const {glyph, word} = approvalText[decision.outcome];
	return [
		...labelled('outcome', `${glyph} ${word}${decision.scope ? ` (${decision.scope})` : ''}`, width),
		...labelled('tool', toolText(decision), width),
		...labelled('by', decision.by, width),
		...labelled('message', decision.message, width),
		...labelled('time', timeOfDay(decision.time), width),
		...labelled('request', decision.id, width),
	];
}

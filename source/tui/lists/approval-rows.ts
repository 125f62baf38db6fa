import {approvalEntity, argumentsText} from '../../state/entities/approval.ts';
import {decisionEntity} from '../../state/entities/decision.ts';
import {glyphs, hintText} from '../../state/entities/status-text.ts';
import {type ApprovalRow, type DecisionRow} from '../../state/snapshot.ts';
import {askerOf, askerText} from '../../state/origin.ts';
import {leftAt, minutesText, shortDeadlineText} from '../../state/time-text.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {shownId} from '../../util/id-part.ts';
import {toolText} from '../../util/safe-text.ts';
import {cell, type Line, span} from '../text/span.ts';
import {textWidth} from '../text/text-width.ts';
import {wideCells} from './columns.ts';
import {entityRow} from './entity-row.ts';
import {type ListRow, rememberRows} from './list-row.ts';

/** The row of a pending approval. Below another one it gives its width to what differs from that. */
export const approvalListRow = rememberRows((card: ApprovalRow): ListRow => {
	const row: ListRow = {
		...entityRow(approvalEntity, card),
		line: (width, now) => pendingLine(card, width, now),
		lineBelow: (above, width, now) => pendingLine(card, width, now, cards.get(above)),
	};
	cards.set(row, card);
	return row;
});

const cards = new WeakMap<ListRow, ApprovalRow>();

/** The row of a settled approval. */
export const decisionListRow = rememberRows((decision: DecisionRow) => entityRow(decisionEntity, decision));

function pendingLine(card: ApprovalRow, width: number, now: number, above?: ApprovalRow): Line {
	const left = minutesText(leftAt(card, now));
	const words = differingText(argumentsText(card), above && isSameTool(card, above) ? argumentsText(above) : undefined);
	const name = toolText(card);
	const isRepeated = above !== undefined && isSameTool(card, above);
	if (width < 60) {
		const nameCells = isRepeated ? dittoCells : Math.min(textWidth(name) + 1, width - 8);
		return [
			span(`${glyphs.approval} `, 'notice'),
			isRepeated ? ditto : cell(name, nameCells, 'strong'),
			cell(words.slice(0, width * 4), Math.max(0, width - 8 - nameCells)),
			span(card.expiresAt === null ? 'paused' : left, 'busy'),
		];
	}

	const hints = width < 128 ? 0 : 26;
	const idCells = 10;
	// A narrow list has no room for the word, and its banner has it.
	const expiry = width < 90 ? (card.expiresAt === null ? 'paused' : left) : shortDeadlineText(card, now);
	const expiryCells = width >= 90 ? 14 : card.expiresAt === null ? 7 : 6;
	const asker = askerText(askerOf(card.origin));
	const isSameAsker = above !== undefined && askerText(askerOf(above.origin)) === asker;
	const askerCells = isSameAsker ? dittoCells : wideCells(11, 0.05, width);
	const nodeCells = card.node === undefined ? 0 : Math.min(16, textWidth(card.node) + 1);
	const nameCells = isRepeated ? dittoCells : wideCells(24, 0.08, width);
	return [
		span(`${glyphs.approval} `, 'notice'),
		cell(`#${shownId(card.id)}`, idCells, 'dim'),
		isSameAsker ? ditto : cell(asker, askerCells),
		isRepeated ? ditto : cell(name, nameCells, 'strong'),
		...(card.node === undefined ? [] : [cell(card.node, nodeCells, 'dim')]),
		cell(words.slice(0, width * 4), width - 2 - expiryCells - idCells - askerCells - nameCells - nodeCells - hints),
		cell(expiry, expiryCells, 'busy'),
		cell(hintText(card.hints), hints, 'dim'),
	];
}

/** In place of what the row above says, too. */
const dittoCells = 2;
const ditto = cell('"', dittoCells, 'dim');

function isSameTool(card: ApprovalRow, above: ApprovalRow): boolean {
	return card.server === above.server && card.tool === above.tool && card.profile === above.profile;
}

/** Characters that stay before the first difference. */
const keptBefore = 8;

/** A text from a little before where it begins to differ from another one. */
function differingText(text: string, other: string | undefined): string {
	if (other === undefined) {
		return text;
	}

	if (text === other) {
		return 'the same arguments';
	}

	let first = 0;
	while (first < text.length && text[first] === other[first]) {
		first++;
	}

	let start = Math.max(0, first - keptBefore);
	// Never within a character, or before a mark that would join with our sign.
	while (start > 0 && /^[\p{M}\p{Cs}]/u.test(text.slice(start, start + 2))) {
		start--;
	}

	return start <= keptBefore ? text : uiText`…${text.slice(start)}`;
}

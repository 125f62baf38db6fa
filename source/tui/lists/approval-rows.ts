import {approvalEntity, argumentsText} from '../../state/entities/approval.ts';
import {decisionEntity} from '../../state/entities/decision.ts';
import {glyphs, hintText} from '../../state/entities/status-text.ts';
import {type ApprovalRow, type DecisionRow} from '../../state/snapshot.ts';
import {leftAt, minutesText, shortDeadlineText} from '../../state/time-text.ts';
import {shownId} from '../../util/id-part.ts';
import {toolText} from '../../util/safe-text.ts';
import {cell, type Line, span} from '../text/span.ts';
import {textWidth} from '../text/text-width.ts';
import {wideCells} from './columns.ts';
import {entityRow} from './entity-row.ts';
import {type ListRow, rememberRows} from './list-row.ts';

/** The row of a pending approval. */
export const approvalListRow = rememberRows(
	(card: ApprovalRow): ListRow => ({
		...entityRow(approvalEntity, card),
		line: (width, now) => pendingLine(card, width, now),
	}),
);

/** The row of a settled approval. */
export const decisionListRow = rememberRows((decision: DecisionRow) => entityRow(decisionEntity, decision));

function pendingLine(card: ApprovalRow, width: number, now: number): Line {
	const name = toolText(card);
	const words = argumentsText(card).slice(0, width * 4);
	if (width < 60) {
		const nameCells = Math.min(textWidth(name) + 1, width - 8);
		return [
			span(`${glyphs.approval} `, 'notice'),
			cell(name, nameCells, 'strong'),
			cell(words, Math.max(0, width - 8 - nameCells)),
			span(card.expiresAt === null ? 'paused' : minutesText(leftAt(card, now)), 'busy'),
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
		cell(shortDeadlineText(card, now), 14, 'busy'),
		cell(hintText(card.hints), hints, 'dim'),
	];
}

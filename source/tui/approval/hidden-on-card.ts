import {hiddenWords} from '../../state/approval-event.ts';
import {type ApprovalRow} from '../../state/snapshot.ts';
import {type CardContent} from './card-content.ts';
import {own} from '../text/own-signs.ts';
import {layoutName, type Size} from '../text/layout.ts';
import {signs} from '../text/status-text.ts';
import {textWidth} from '../text/text-width.ts';

export {isHead as isNameCut} from '../../util/exact-text.ts';

/** What a card does not show of the arguments: in the rule over them, or in a line of its own where that is too short. */
export type HiddenOnCard = {readonly words: readonly string[]; readonly place: 'rule' | 'line'};

/** Beside the arguments that stand in the untrusted payload. */
export const payloadWords = `${signs.payload} word for word in the payload`;

/** Finds the place on a card of a size. */
export function hiddenOnCard(card: ApprovalRow, content: CardContent, size: Size): HiddenOnCard {
	const words = hiddenWords(card);
	return {words, place: words.length === 0 || fitsRule(card, {words, content, size}) ? 'rule' : 'line'};
}

/** Whether there is room for it in the rule beside all else that may stand there. */
function fitsRule(
	card: ApprovalRow,
	at: {readonly words: readonly string[]; readonly content: CardContent; readonly size: Size},
): boolean {
	const {words, content, size} = at;
	const count = content.lines.length;
	const marks = (card.payloadPaths ?? []).length > 0 ? payloadWords : '';
	const parts = ['arguments', content.argumentSize, ...words, own`${count}–${count} of ${count}, J scrolls`, marks];
	return layoutName(size) !== 'narrow' && textWidth(parts.filter(Boolean).join(own` · `)) <= size.columns - 4;
}

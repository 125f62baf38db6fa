import {type ApprovalRow} from '../../state/snapshot.ts';
import {type Reading, type ReviewMode} from '../state/mode.ts';
import {type ReviewLayout} from './review-layout.ts';

/** How much of the request under review was on the screen: on its card where that holds all of it, else on the page of all of it. */
export function requestReading(
	{seenLines, whole}: Pick<ReviewMode, 'seenLines' | 'whole'>,
	card: ApprovalRow,
	{content, nameIsCut}: Pick<ReviewLayout, 'content' | 'nameIsCut'>,
): Reading {
	return card.cutBytes === 0 && !nameIsCut && seenLines >= content.neededLines ? 'read' : whole.reading;
}

export {reasonsToAskTwice} from './risk.ts';

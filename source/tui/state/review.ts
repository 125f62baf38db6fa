import {type ApprovalRequest, type ApprovalScope, type Masks} from '../../state/approval-event.ts';
import {type Reading} from '../../state/decision.ts';
import {type Found} from '../text/search-hits.ts';
import {type ValueForm} from '../../util/values/value-lines.ts';

/** The review of one request. Keys and the core's events change it; a new request never does. */
export type ReviewMode = {
	readonly kind: 'review';
	readonly cardId: string;
	readonly page: 'card' | 'full' | 'always' | 'rule';
	/** The form of the arguments; the page with all of a request folds nothing. */
	readonly form: ValueForm;
	/** The argument that is picked on the page of a proposed rule, by its place. */
	readonly argument: number;
	/** The key that has to be pressed a second time. */
	readonly again: Exclude<ApprovalScope, 'always'> | undefined;
	readonly scroll: number;
	/** Number of content lines that have been on the screen, counted from the first. */
	readonly seenLines: number;
	/** Answers sent for this card. After each one the keys have to be armed again. */
	readonly answers: number;
	/** The reason that the last key did nothing yet, in words. */
	readonly hint: string;
	readonly full: FullView;
	/** The last search on the card. */
	readonly found?: Found | undefined;
};

/** The page with all of a request: where it was scrolled to, what of it was read, and what was searched for. */
export type FullView = {
	readonly scroll: number;
	/** Number of its rows that have been on the screen without a gap, counted from the first. */
	readonly seenLines: number;
	/** The furthest point that was read since the request was opened. */
	readonly reading: Reading;
	readonly masks: Masks;
	readonly found: Found | undefined;
};

/** The page while it is not open. */
export const closedFull: FullView = {scroll: 0, seenLines: 0, reading: 'unread', masks: 'on', found: undefined};

/** The review of a request from its beginning. */
export function openReview({id}: Pick<ApprovalRequest, 'id'>): ReviewMode {
	return {
		kind: 'review',
		cardId: id,
		page: 'card',
		form: 'folded',
		argument: 0,
		again: undefined,
		scroll: 0,
		seenLines: 0,
		answers: 0,
		hint: '',
		full: closedFull,
	};
}

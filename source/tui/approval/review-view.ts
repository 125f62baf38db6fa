import {type ApprovalRow} from '../../state/snapshot.ts';
import {type ReviewMode} from '../state/mode.ts';
import {type ReviewLayout} from './review-layout.ts';

/** What the lines of the review screen are made from. */
export type ReviewView = {
	readonly card: ApprovalRow;
	/** How far the content was scrolled, and how many of its lines have been on the screen. */
	readonly review: ReviewMode;
	readonly layout: ReviewLayout;
	/** Place and number of the waiting requests: `1 of 2`. */
	readonly place: string;
	readonly width: number;
	readonly now: number;
};

import {
	type ApprovalRequest,
	type ApprovalScope,
	hiddenWords,
	markedWords,
	type Masks,
	offeredScopes,
} from '../../state/approval-event.ts';
import {type Found} from '../text/search-hits.ts';

/** The review of one request. Keys and the core's events change it; a new request never does. */
export type ReviewMode = {
	readonly kind: 'review';
	readonly cardId: string;
	readonly page: 'card' | 'whole' | 'always' | 'rule';
	/** The argument that is picked on the page of a proposed rule, by its place. */
	readonly argument: number;
	/** The key that has to be pressed a second time. */
	readonly again: Exclude<ApprovalScope, 'always'> | undefined;
	readonly scroll: number;
	/** How many content lines have been on the screen, counted from the first. */
	readonly seenLines: number;
	/** Answers sent for this card. After each one the keys have to be armed again. */
	readonly answers: number;
	/** Why the last key did nothing yet, in words. */
	readonly hint: string;
	readonly whole: WholeView;
	/** What was searched for on the card. */
	readonly found?: Found | undefined;
};

/** The page with all of a request: where it was scrolled to, what of it was read, and what was searched for. */
export type WholeView = {
	readonly scroll: number;
	/** How many of its rows have been on the screen without a gap, counted from the first. */
	readonly seenLines: number;
	/** How far anybody got on it, since the request was opened. */
	readonly reading: Reading;
	readonly masks: Masks;
	readonly found: Found | undefined;
};

/** Whether a person has had all of a request on the screen, without a gap. */
export type Reading = 'unread' | 'read';

/** The page while it is not open. */
export const closedWhole: WholeView = {scroll: 0, seenLines: 0, reading: 'unread', masks: 'on', found: undefined};

/** The review of a request from its beginning. */
export function openReview({id}: Pick<ApprovalRequest, 'id'>): ReviewMode {
	return {
		kind: 'review',
		cardId: id,
		page: 'card',
		argument: 0,
		again: undefined,
		scroll: 0,
		seenLines: 0,
		answers: 0,
		hint: '',
		whole: closedWhole,
	};
}

/** Whether a rule can be made from a request somewhere: it is a call of a tool, and no rule asks about it. */
export function isRuleSubject(card: Pick<ApprovalRequest, 'kind' | 'rule' | 'origin'>): boolean {
	return card.kind === 'tool-call' && offeredScopes(card).includes('always');
}

/** Whether it can be made here: only the gateway that asks has the call itself. */
export function mayBecomeRule(card: Pick<ApprovalRequest, 'kind' | 'rule' | 'origin' | 'askedAt'>): boolean {
	return isRuleSubject(card) && card.askedAt === undefined;
}

/** How much of the request was on the screen: on its card where that holds all of it, else on the page with all of it. */
export function requestReading(
	{seenLines, whole}: Pick<ReviewMode, 'seenLines' | 'whole'>,
	{cutBytes}: Pick<ApprovalRequest, 'cutBytes'>,
	layout: {readonly content: {readonly neededLines: number}; readonly nameIsCut: boolean},
): Reading {
	return cutBytes === 0 && !layout.nameIsCut && seenLines >= layout.content.neededLines ? 'read' : whole.reading;
}

/** The claims of a server about its tool that make a call risky, in words. */
export function riskyHints({destructiveHint, openWorldHint}: ApprovalRequest['hints']): readonly string[] {
	return [...(destructiveHint === true ? ['destructive'] : []), ...(openWorldHint === true ? ['open world'] : [])];
}

/** Letters of scripts that run from right to left: some terminals show what lies between them in another order than it is sent. */
const rightToLeft =
	/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Why allowing a request that was read to its end needs the key twice, in words; empty when once is enough. */
export function reasonsToAskTwice(request: ApprovalRequest): readonly string[] {
	const {hints, maskedValues, arguments: shown} = request;
	return [
		...riskyHints(hints),
		...hiddenWords({cutBytes: 0, maskedValues}),
		...markedWords(request),
		rightToLeft.test(JSON.stringify(shown)) ? 'it holds letters that run right to left' : '',
	].filter(reason => reason !== '');
}

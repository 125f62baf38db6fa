import {type ApprovalRow} from '../state/snapshot.ts';
import {minutesText} from './duration-text.ts';
import {hintWords} from './hint-words.ts';
import {ruleLine} from './rule-line.ts';
import {type ReviewLayout} from './review-layout.ts';
import {type Line, lineWithEnd, span} from './span.ts';
import {signs} from './status-words.ts';

/** What the lines of the review screen are made from. */
export type ReviewView = {
	readonly card: ApprovalRow;
	/** How far the content was scrolled, and how many of its lines have been on the screen. */
	readonly review: {readonly scroll: number; readonly seenLines: number};
	readonly layout: ReviewLayout;
	/** Place and number of the waiting requests: `1 of 2`. */
	readonly place: string;
	readonly width: number;
	readonly now: number;
};

/** The first line: which request, how long it waits for an answer. */
export function reviewTitle({card, layout, place, width, now}: ReviewView): Line {
	const left = card.expiresAt - now;
	const soon = left < 10_000 ? ' · expiring' : '';
	const waiting = layout.compact ? '' : `   oldest first · waiting ${minutesText(now - card.requestedAt)}`;
	return lineWithEnd(
		[span(` ${signs.approval} APPROVAL ${place}`, 'notice'), span(waiting, 'dim')],
		[span(`expires in ${minutesText(left)}${soon} `, left < 10_000 ? 'bad' : 'busy')],
		width,
	);
}

/** Who asks for what, and where the call comes from. */
export function whoLines({card, layout, width}: ReviewView): readonly Line[] {
	const trust = card.trust === 'untrusted' ? span('UNTRUSTED', 'bad') : span('trusted', 'good');
	const from = layout.originLines.map((part, index) => [
		span(index === 0 ? ' from    ' : '       … ', 'dim'),
		span(part),
	]);
	if (layout.compact) {
		return [[span(' call    ', 'dim'), span(`${card.server}/${card.tool}`, 'strong'), span(' '), trust], ...from];
	}

	return [
		ruleLine('who asks', width),
		[
			span(' server  ', 'dim'),
			span(card.server, 'strong'),
			span('   '),
			trust,
			span(`   ${card.transport}   ${card.address}`, 'dim'),
		],
		card.kind === 'sampling'
			? [span(' wants   ', 'dim'), span('an answer of your model', 'strong'), span(`   ${card.tool}`, 'dim')]
			: [span(' tool    ', 'dim'), span(card.tool, 'strong'), span(`   as ${card.registeredName}`, 'dim')],
		[span(' hints   ', 'dim'), span(hintWords(card.hints)), span('   claimed by the server', 'dim')],
		...from,
	];
}

/** The rule over the arguments: how many they are, and whether all of them have been on the screen. */
export function argumentsRule({card, layout, review, width}: ReviewView): Line {
	const {content, contentRows} = layout;
	const end = Math.min(content.lines.length, review.scroll + contentRows);
	const lines = `${review.scroll + 1}–${end} of ${content.lines.length}, J scrolls`;
	const shown = review.seenLines >= content.argumentLines ? 'all shown' : lines;
	const marks = (card.payloadPaths ?? []).length > 0 ? `${signs.payload} word for word in the payload` : '';
	return ruleLine(
		['arguments', layout.compact ? '' : content.argumentSize, shown, marks].filter(Boolean).join(' · '),
		width,
	);
}

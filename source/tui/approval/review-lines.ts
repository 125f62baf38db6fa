import {own} from '../text/own-signs.ts';
import {minutesText} from '../text/duration-text.ts';
import {type ReviewView} from './review-view.ts';
import {type Line, lineWithEnd, ruleLine, span} from '../text/span.ts';
import {hintText, signs} from '../text/status-text.ts';

/** The first line: which request, how long it waits for an answer. */
export function reviewTitle({card, layout, place, width, now}: ReviewView): Line {
	const left = card.expiresAt - now;
	const soon = left < 10_000 ? own` · expiring` : '';
	const waiting = layout.compact ? '' : own`   oldest first · waiting ${minutesText(now - card.requestedAt)}`;
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
		span(index === 0 ? ' from    ' : own`       … `, 'dim'),
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
		[span(' hints   ', 'dim'), span(hintText(card.hints)), span('   claimed by the server', 'dim')],
		...from,
	];
}

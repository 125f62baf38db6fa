import {payloadWords} from './hidden-on-card.ts';
import {type Reading} from '../state/mode.ts';
import {requestReading} from './request-reading.ts';
import {type ReviewView} from './review-view.ts';
import {own} from '../text/own-signs.ts';
import {type Line, ruleLine, span} from '../text/span.ts';

/** The rule over the arguments: how many they are, what of them the card does not show, and whether all of it has been on the screen. */
export function argumentsRules({card, layout, review, width}: ReviewView): readonly Line[] {
	const {content, contentRows, compact, hidden} = layout;
	const end = Math.min(content.lines.length, review.scroll + contentRows);
	const lines = own`${review.scroll + 1}–${end} of ${content.lines.length}, J scrolls`;
	const marks = (card.payloadPaths ?? []).length > 0 ? payloadWords : '';
	const shown = readingWords(requestReading(review, card, layout), card.cutBytes) || lines;
	const inRule = hidden.place === 'rule' ? hidden.words : [];
	const parts = ['arguments', compact ? '' : content.argumentSize, ...inRule, shown, marks];
	return [
		ruleLine(parts.filter(Boolean).join(own` · `), width),
		...(hidden.place === 'line' ? [[span(` ${hidden.words.join(own` · `)}`, 'bad')]] : []),
	];
}

/** A card that is cut never shows all, however much of it was read elsewhere. */
function readingWords(reading: Reading, cutBytes: number): string {
	switch (reading) {
		case 'read':
			return cutBytes === 0 ? 'all shown' : 'all read';
		case 'unread':
			return '';
	}
}

import {answerLines} from './answer-lines.ts';
import {argumentsRules} from './arguments-rule.ts';
import {requestReading} from './request-reading.ts';
import {whoLines} from './review-lines.ts';
import {type ReviewView} from './review-view.ts';
import {type Line, ruleLine} from '../text/span.ts';

/** The card: who asks for what, the arguments and what else is to be read, the answers. */
export function cardPage(view: ReviewView): readonly Line[] {
	const {content, contentRows} = view.layout;
	const shown = content.lines.slice(view.review.scroll, view.review.scroll + contentRows);
	const blank = Array.from({length: contentRows - shown.length}, (): Line => []);
	const reading = requestReading(view.review, view.card, view.layout);
	return [
		...whoLines(view),
		...argumentsRules(view),
		...shown,
		...blank,
		...answerLines(view.card.kind, view.layout.compact, reading),
	];
}

/** The page that asks once more before a rule is stored. */
export function alwaysPage(view: ReviewView): readonly Line[] {
	const {layout, width} = view;
	const who = layout.compact ? [] : whoLines(view);
	return [...who, ruleLine('always allow this tool', width, 'strong'), ...(layout.alwaysPage ?? [])];
}

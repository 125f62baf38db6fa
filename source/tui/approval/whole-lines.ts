import {hiddenWords} from '../../state/approval-event.ts';
import {type ReviewView} from './review-view.ts';
import {own} from '../text/own-signs.ts';
import {type Screen} from '../state/screen.ts';
import {type Line, ruleLine, span} from '../text/span.ts';
import {openedWhole, wholeRows} from './whole-page.ts';

/** All of a request, scrolled: a rule that tells the place, then the rows that fit. */
export function wholeLines({card, review, width}: ReviewView, {size, readWhole}: Screen): readonly Line[] {
	const view = review.whole;
	const page = openedWhole({card, view, size}, readWhole);
	if (!page) {
		return [ruleLine('all of it', width), [span(' the gateway has no more of this request', 'busy')]];
	}

	const {lines, neededLines} = page;
	const end = Math.min(lines.length, view.scroll + wholeRows(size));
	const {found} = view;
	const parts = [
		own`${view.scroll + 1}–${end} of ${lines.length}`,
		neededLines === undefined ? 'too long to be shown' : '',
		...(view.masks === 'on' ? hiddenWords({cutBytes: 0, maskedValues: page.maskedValues}) : ['NOT MASKED']),
		found
			? found.rows.length === 0
				? `no ${found.words}`
				: `${found.at + 1} of ${found.rows.length} ${found.words}`
			: '',
	];
	const foundRow = found?.rows[found.at];
	const rows = lines
		.slice(view.scroll, end)
		.map((line, index) =>
			view.scroll + index === foundRow ? line.map(piece => ({...piece, tone: 'selected' as const})) : line,
		);
	return [ruleLine(parts.filter(Boolean).join(own` · `), width), ...rows];
}

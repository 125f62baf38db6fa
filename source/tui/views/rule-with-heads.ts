import {type ColumnHead} from '../lists/columns.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {cutLine, type Line, lineWidth, type Span, span} from '../text/span.ts';

/** Title texts from the longest to the shortest, and the one without filter and order. */
export type Titles = {readonly worded: readonly string[]; readonly plain: string};

/** Blanks around a piece of the rule: so much parts a title from the first heading. */
const titleGap = 2;

/** A rule with a title, and the headings of the columns below it that the title leaves room for; neither filter nor order takes their room if fewer words say it. */
export function ruleWithHeads(
	{worded, plain}: Titles,
	heads: readonly ColumnHead[],
	{width, isPicked}: {readonly width: number; readonly isPicked: boolean},
): Line {
	const startOf = (title: string) =>
		cutLine([span(glyphs.rule, 'dim'), span(` ${title} `, isPicked ? 'strong' : 'dim')], width);
	const hasRoom = (line: Line) => heads.filter(({start}) => start >= lineWidth(line) + titleGap).length;
	const starts = worded.map(startOf);
	const start = starts.find(line => hasRoom(line) >= hasRoom(startOf(plain))) ?? starts.at(-1) ?? [];
	const line: Span[] = [...start];
	let end = lineWidth(start);
	let gap = titleGap;
	for (const {text, start: at} of heads) {
		if (at >= end + gap && at + text.length < width) {
			// There is a blank behind what comes before it.
			line.push(span(`${at === end ? '' : `${glyphs.rule.repeat(at - end - 1)} `}${text} `, 'dim'));
			end = at + text.length + 1;
			gap = 0;
		}
	}

	return [...line, span(glyphs.rule.repeat(Math.max(0, width - end)), 'dim')];
}

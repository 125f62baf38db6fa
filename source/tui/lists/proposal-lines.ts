import {type ProposalRow} from '../../state/snapshot.ts';
import {labelled} from './list-row.ts';
import {ruleLine} from '../text/rule-line.ts';
import {own, type Line, span} from '../text/span.ts';
import {signs} from '../text/status-text.ts';
import {splitAtWidth, wrapToWidth} from '../text/text-width.ts';

/** The whole dialog of a server that wants to be installed, in lines. Nothing is cut. */
export function proposalLines(card: ProposalRow, width: number): readonly Line[] {
	return [
		...labelled('name', card.name, width),
		...(card.nameState === 'taken'
			? [[span(`${' '.repeat(12)}a server of this name is configured already`, 'bad')]]
			: []),
		...labelled('profile', card.profile, width),
		...card.warnings.flatMap(warning =>
			wrapToWidth(warning, width - 5).map(
				(text, index): Line => [span(index === 0 ? ` ${signs.approval} ` : '   ', 'bad'), span(text, 'bad')],
			),
		),
		...(card.commandLines.length === 0
			? []
			: [
					ruleLine('this would run, as you, one word a line', width),
					...card.commandLines.flatMap(text => exact(text, width)),
				]),
		ruleLine('entry for config.yaml', width),
		...card.entryLines.flatMap(text => exact(text, width)),
	];
}

/** A line in which each sign counts; its continuations carry a mark. */
function exact(text: string, width: number): Line[] {
	return splitAtWidth(text, width - 2).map(
		(part, index): Line => [span(index === 0 ? ' ' : own`…`, 'dim'), span(part)],
	);
}

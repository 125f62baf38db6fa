import {proposalEntity, questionEntity} from '../../state/entities/question.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {type ProposalRow, type QuestionRow} from '../../state/snapshot.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {shownName} from '../../util/safe-text.ts';
import {type Line, ruleLine, span} from '../text/span.ts';
import {splitAtWidth, wrapToWidth} from '../text/text-width.ts';
import {entityRow} from './entity-row.ts';
import {labelled, rememberRows} from './list-row.ts';

/** The row of a question waiting for its answer. */
export const questionListRow = rememberRows((question: QuestionRow) => entityRow(questionEntity, question));

/** The row of a server waiting for consent. */
export const proposalListRow = rememberRows((proposal: ProposalRow) =>
	entityRow(proposalEntity, proposal, (row, {width}) => proposalLines(row, width)),
);

/** The dialog of an install proposal, in lines. Nothing is cut. */
export function proposalLines(card: ProposalRow, width: number): readonly Line[] {
	return [
		...labelled('name', shownName(card.name), width),
		...(card.nameState === 'taken' ? [[span(`${' '.repeat(12)}a server with this name already exists`, 'bad')]] : []),
		...labelled('profile', card.profile, width),
		...card.warnings.flatMap(warning =>
			wrapToWidth(warning, width - 5).map(
				(text, index): Line => [span(index === 0 ? ` ${glyphs.approval} ` : '   ', 'bad'), span(text, 'bad')],
			),
		),
		...(card.commandLines.length === 0
			? []
			: [
					ruleLine('this would run, as you, one argument per line', width),
					...card.commandLines.flatMap(text => exact(text, width)),
				]),
		ruleLine('entry for config.yaml', width),
		...card.entryLines.flatMap(text => exact(text, width)),
	];
}

/** An exact line; its continuation lines carry a mark. */
function exact(text: string, width: number): Line[] {
	return splitAtWidth(text, width - 2).map(
		(part, index): Line => [span(index === 0 ? ' ' : uiText`…`, 'dim'), span(part)],
	);
}

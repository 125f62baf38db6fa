import {askedFromText, originText} from '../../state/origin.ts';
import {type ProposalRow, type QuestionRow} from '../../state/snapshot.ts';
import {minutesText} from '../text/duration-text.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cell, type Line, ruleLine, span} from '../text/span.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {splitAtWidth, wrapToWidth} from '../text/text-width.ts';
import {wideCells} from './columns.ts';
import {labelled, type ListRow, rememberRows} from './list-row.ts';
import {shownName} from '../../util/safe-text.ts';

/** The row of a question waiting for its answer. */
export const questionListRow = rememberRows(
	(question: QuestionRow): ListRow => ({
		id: questionId(question),
		fields: () => ({
			server: question.asker,
			state: 'question',
			kind: question.kind,
			origin: originText(question.origin),
			...(question.node !== undefined && {node: question.node}),
			message: question.message,
			profile: question.profile,
		}),
		values: () => ({name: question.asker}),
		line: (width, now) => {
			const expires = `expires ${minutesText(question.expiresAt - now)}`;
			const {asker: name, message, node} = question;
			const text = node === undefined ? message : uiText`${node} · ${message}`;
			return waitingLine({name, note: expires, text}, width);
		},
		detail: width => [
			...labelled('asks', question.asker, width),
			...labelled('from', askedFromText(question, uiText` · `), width),
			...labelled('question', question.message, width),
			...labelled('fields', question.fields.map(({name}) => shownName(name)).join(', '), width),
		],
	}),
);

/** The row of a server waiting for consent. */
export const proposalListRow = rememberRows(
	(proposal: ProposalRow): ListRow => ({
		id: proposalId(proposal),
		fields: () => ({server: proposal.name, state: 'install', profile: proposal.profile}),
		values: () => ({name: proposal.name}),
		line: width =>
			waitingLine({name: shownName(proposal.name), note: 'install?', text: proposal.warnings.join(uiText` · `)}, width),
		detail: width => proposalLines(proposal, width),
	}),
);

/** Questions share a list with requests, whose ids may collide: the prefix keeps them apart. */
export function questionId({id}: Pick<QuestionRow, 'id'>): string {
	return `question-${id}`;
}

/** The same for proposals. */
export function proposalId({id}: Pick<ProposalRow, 'id'>): string {
	return `proposal-${id}`;
}

function waitingLine(
	{name, note, text}: {readonly name: string; readonly note: string; readonly text: string},
	width: number,
): Line {
	const oneLine = text.replaceAll('\n', ' ');
	return width < 60
		? [span(`${glyphs.question} `, 'notice'), cell(name, 15, 'strong'), span(note, 'busy')]
		: [
				span(`${glyphs.question} `, 'notice'),
				cell('asks', 6, 'dim'),
				cell(name, wideCells(33, 0.2, width), 'strong'),
				cell(note, 15, 'busy'),
				span(oneLine, 'dim'),
			];
}

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

import {questionKinds} from '../person-event.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {shownId} from '../../util/id-part.ts';
import {shownName} from '../../util/safe-text.ts';
import {type GatewayEvent} from '../event.ts';
import {askedFromText, originText} from '../origin.ts';
import {type ProposalRow, type QuestionRow} from '../snapshot.ts';
import {because} from '../status-line.ts';
import {deadlineLogText, shortDeadlineText, untilText} from '../time-text.ts';
import {type Column, type Entity, type Fields} from './entity.ts';
import {glyphs} from './status-text.ts';
import {tableOf} from './table.ts';

/** The properties of a question that waits for an answer. */
export const questionFields = {
	id: {json: 'id'},
	kind: {json: questionKinds, text: ({kind}) => kind},
	/** The name of a server, or the run. */
	asker: {json: 'text', title: 'FROM', filter: 'server', label: 'asks', text: ({asker}) => asker},
	message: {json: 'text', title: 'QUESTION', label: 'question', text: ({message}) => message},
	/** Kind, bounds, options and default of each value that is asked for. */
	fields: {json: 'form', text: ({fields}) => fields.map(({name}) => shownName(name)).join(', ')},
	/** The page that the server wants to have opened. */
	url: {json: 'text-?', label: 'address', text: ({url}) => url?.address},
	origin: {
		json: 'origin',
		label: 'from',
		text: ({origin}) => originText(origin),
		detail: question => askedFromText(question, uiText` · `),
	},
	/** The gateway that asks, where several share a journal. */
	node: {json: 'text-?', text: ({node}) => node},
	requested_at: {json: 'time'},
	/** Null while everything is held: what is left of the time stands still. */
	expires_at: {json: 'time?', title: 'UNTIL'},
	state: {text: () => 'question'},
	profile: {text: ({profile}) => profile},
} as const satisfies Fields<QuestionRow>;

/** A question among what needs a person. */
export const questionEntity: Entity<QuestionRow, keyof typeof questionFields> = {
	fields: questionFields,
	id: questionId,
	filter: ['asker', 'state', 'kind', 'origin', 'node', 'message', 'profile'],
	details: ['asker', 'origin', 'message', 'url', 'fields'],
	columns: askingColumns({
		name: ({asker}) => asker,
		note: (question, {now}) => shortDeadlineText(question, now),
		text: ({node, message, url}) => [node, url?.host, message].filter(part => part !== undefined).join(uiText` · `),
	}),
	values: ({asker}) => ({name: asker}),
};

/** `sluice questions list`. */
export const questionTable = tableOf(questionFields, [
	'id',
	'asker',
	'message',
	{
		title: 'FIELDS',
		cell: ({fields, url}) =>
			url ?? fields.map(({name, required}) => (required ? shownName(name) : `${shownName(name)}?`)).join(', '),
	},
	{title: 'UNTIL', cell: ({expires_at: until}) => untilText(until)},
]);

const proposalFields = {
	name: {filter: 'server', text: ({name}) => name},
	state: {text: () => 'install'},
	profile: {text: ({profile}) => profile},
} as const satisfies Fields<ProposalRow>;

/** A server that waits for consent; the dashboard draws its page. */
export const proposalEntity: Entity<ProposalRow, keyof typeof proposalFields> = {
	fields: proposalFields,
	id: proposalId,
	filter: ['name', 'state', 'profile'],
	details: [],
	columns: askingColumns({
		name: ({name}) => shownName(name),
		note: () => 'install?',
		text: ({warnings}) => warnings.join(uiText` · `),
	}),
	values: ({name}) => ({name}),
};

/** Questions share a list with requests, whose ids may collide: the prefix keeps them apart. */
export function questionId({id}: Pick<QuestionRow, 'id'>): string {
	return `question-${id}`;
}

/** The same for proposals. */
export function proposalId({id}: Pick<ProposalRow, 'id'>): string {
	return `proposal-${id}`;
}

/** The columns of a row that waits for words of a person. */
function askingColumns<Row>({
	name,
	note,
	text,
}: Readonly<Record<'name' | 'note' | 'text', Column<Row>['text']>>): ReadonlyArray<Column<Row>> {
	return [
		{narrow: 2, wide: 2, tone: 'notice', text: () => glyphs.question},
		{wide: 6, tone: 'dim', text: () => 'asks'},
		{narrow: 15, wide: [33, 0.2], tone: 'strong', text: name},
		{narrow: 'rest', wide: 15, tone: 'busy', text: note},
		{wide: 'rest', tone: 'dim', text: (row, at) => text(row, at).replaceAll('\n', ' ')},
	];
}

type AskingEvent = Extract<
	GatewayEvent,
	{
		type:
			| 'question.asked'
			| 'question.deadline'
			| 'question.finished'
			| 'question.settled'
			| 'proposal.asked'
			| 'proposal.settled';
	}
>;

/** A question, a proposal or its end as a line of the log. */
export function questionLogText(event: AskingEvent): string {
	const id = shownId(event.id);
	switch (event.type) {
		case 'question.asked':
			// The rest of an address behind its host may be secret.
			return `${id} ${event.asker} asks${event.url ? ` to open a page of ${event.url.host}` : ''}${because(event.message)}`;
		case 'question.deadline':
			return `${id} ${deadlineLogText(event)}`;
		case 'question.finished':
			return `${id} ${event.asker} says that the page is finished with`;
		case 'question.settled':
			return `${id} ${event.outcome} ${event.asker}${event.by ? ` by ${event.by}` : ''}`;
		case 'proposal.asked':
			return `${id} wants to install ${shownName(event.name)}`;
		case 'proposal.settled':
			return `${id} ${event.outcome}${event.name ? ` ${shownName(event.name)}` : ''}`;
	}
}

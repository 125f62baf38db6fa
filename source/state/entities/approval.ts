import {uiText} from '../../util/characters/ui-glyphs.ts';
import {shownId} from '../../util/id-part.ts';
import {toolText} from '../../util/safe-text.ts';
import {shownValue} from '../../util/shown-json.ts';
import {hiddenWords, markedWords} from '../approval-event.ts';
import {type GatewayEvent} from '../event.ts';
import {askedFromText, askerOf, askerText, originFromJson, originText} from '../origin.ts';
import {type ApprovalRow} from '../snapshot.ts';
import {because} from '../status-line.ts';
import {deadlineLogText, untilText} from '../time-text.ts';
import {type Entity, type Fields} from './entity.ts';
import {type JsonRow} from './json-kind.ts';
import {hintText} from './status-text.ts';
import {tableOf} from './table.ts';

/** The properties of a request that waits for a person. Texts in its arguments are exact: text between `‹` and `›` is an escape or a mark. */
export const approvalFields = {
	id: {json: 'id', text: ({id}) => id},
	kind: {json: 'text'},
	server: {json: 'text', text: ({server}) => server},
	tool: {json: 'name', text: ({tool}) => tool, detail: card => toolText(card)},
	arguments: {json: 'object', text: argumentsText},
	/** Of the arguments that are sent. */
	arguments_hash: {json: 'text'},
	origin: {
		json: 'origin',
		label: 'from',
		text: ({origin}) => originText(origin),
		detail: card => askedFromText(card, uiText` · `),
	},
	asker: {text: ({origin}) => askerText(askerOf(origin))},
	/** The gateway that asks, where several share a journal. */
	node: {json: 'text-?', text: ({node}) => node},
	requested_at: {json: 'time'},
	/** Null while everything is held: what is left of the time stands still. */
	expires_at: {json: 'time?'},
	/** Of the arguments as they are sent: all bytes, those missing here, values that are masked, characters that a reader may take for others. */
	sent_bytes: {json: 'count'},
	cut_bytes: {json: 'count'},
	masked_values: {json: 'count'},
	marked_characters: {json: 'count'},
	state: {text: () => 'waiting'},
	hints: {detail: ({hints}) => hintText(hints)},
	profile: {text: ({profile}) => profile},
} as const satisfies Fields<ApprovalRow>;

/** A request that waits for a person; the dashboard draws its line and its card. */
export const approvalEntity: Entity<ApprovalRow, keyof typeof approvalFields> = {
	fields: approvalFields,
	id: ({id}) => id,
	filter: ['server', 'tool', 'state', 'id', 'asker', 'origin', 'node', 'arguments', 'profile'],
	details: ['tool', 'origin', 'hints', 'arguments'],
	columns: [],
	values: ({server, tool, origin}) => ({name: `${server}/${tool}`, asker: askerText(askerOf(origin))}),
};

/** `sluice approvals list`. */
export const approvalTable = tableOf(approvalFields, [
	'id',
	'server',
	'tool',
	{title: 'ARGUMENTS', cell: argumentsCell},
	{title: 'FROM', cell: ({origin}) => originText(originFromJson(origin))},
	{title: 'UNTIL', cell: ({expires_at: until}) => untilText(until)},
]);

/** The text about missing parts comes first: the end of a long cell is cut. */
function argumentsCell(approval: JsonRow<typeof approvalFields>): string {
	const {cut_bytes: cutBytes, masked_values: maskedValues, marked_characters: markedCharacters} = approval;
	const hidden = [...hiddenWords({cutBytes, maskedValues}), ...markedWords({markedCharacters})];
	return `${hidden.length > 0 ? `(${hidden.join(', ')}) ` : ''}${JSON.stringify(shownValue(approval.arguments))}`;
}

const argumentTexts = new WeakMap<ApprovalRow, string>();

/** The arguments of a request in one line, as its card has them; filters look through all of them. */
export function argumentsText(card: ApprovalRow): string {
	const text = argumentTexts.get(card) ?? JSON.stringify(shownValue(card.arguments));
	argumentTexts.set(card, text);
	return text;
}

/** A request or its end as a line of the log. */
export function approvalLogText(
	event: Extract<GatewayEvent, {type: 'approval.requested' | 'approval.deadline' | 'approval.settled'}>,
): string {
	const id = shownId(event.id);
	if (event.type === 'approval.requested') {
		const facts = [askedFromText(event), ...hiddenWords(event), ...markedWords(event)];
		return `${id} asks for ${toolText(event)}, from ${facts.join(', ')}`;
	}

	if (event.type === 'approval.deadline') {
		return `${id} ${deadlineLogText(event)}`;
	}

	const {outcome, scope, by, message} = event;
	return `${id} ${outcome} ${toolText(event)}${scope ? ` (${scope})` : ''}${by ? ` by ${by}` : ''}${because(message)}`;
}

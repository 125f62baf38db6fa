import {uiText} from '../../util/characters/ui-glyphs.ts';
import {toolText} from '../../util/safe-text.ts';
import {askerOf, askerText, originText} from '../origin.ts';
import {type DecisionRow} from '../snapshot.ts';
import {dateAndTime, timeOfDay} from '../time-text.ts';
import {type Entity, type Fields, glyphColumn, wordColumn} from './entity.ts';
import {type JsonRow} from './json-kind.ts';
import {approvalText} from './status-text.ts';

/** The properties of a decision about a call, or about a request of a server to the model, which has no call. */
export const decisionFields = {
	id: {json: 'text', label: 'request', text: ({id}) => id},
	call_id: {json: 'text?'},
	time: {json: 'time', text: ({time}) => timeOfDay(time)},
	/** When a person was asked; null where nobody was. */
	requested_at: {json: 'time?'},
	server: {json: 'text', text: ({server}) => server},
	tool: {json: 'text', text: ({tool}) => tool, detail: decision => toolText(decision)},
	outcome: {
		json: 'text',
		filter: 'state',
		text: ({outcome}) => outcome,
		detail: decision => `${status(decision).glyph} ${status(decision).word}${inScope(decision)}`,
	},
	asker: {text: askerName},
	origin: {label: 'from', text: ({origin}) => origin && originText(origin, uiText` · `)},
	scope: {json: 'text?'},
	by: {json: 'text?', text: ({by = ''}) => by},
	message: {json: 'text?', text: ({message}) => message},
	node: {json: 'text-?'},
	profile: {text: ({profile}) => profile},
} as const satisfies Fields<DecisionRow>;

function askerName({origin}: DecisionRow): string {
	return origin ? askerText(askerOf(origin)) : '';
}

const status = ({outcome}: DecisionRow) => approvalText[outcome];

/** A decision among what needs a person: it is over. */
export const decisionEntity: Entity<DecisionRow, keyof typeof decisionFields> = {
	fields: decisionFields,
	id: decisionId,
	status,
	filter: ['server', 'tool', 'outcome', 'asker', 'by', 'id', 'profile'],
	details: ['outcome', 'tool', 'origin', 'by', 'message', 'time', 'id'],
	columns: [
		glyphColumn(status),
		wordColumn(status, {narrow: 14, wide: 14}),
		{wide: 9, text: ({scope}) => scope ?? ''},
		{wide: [12, 0.06], text: askerName},
		{narrow: 'rest', wide: [24, 0.24], text: decision => toolText(decision)},
		{wide: 9, tone: 'dim', text: ({time}) => timeOfDay(time)},
		{wide: 'rest', tone: 'dim', text: ({by, message}) => [by && `by ${by}`, message].filter(Boolean).join(': ')},
	],
	values: ({server, tool, origin}) => ({
		name: `${server}/${tool}`,
		...(origin && {asker: askerText(askerOf(origin))}),
	}),
	repeats: {
		at: ({seq}) => seq,
		parts: ({outcome, scope, server, tool, by, message, profile, origin}) => [
			'request',
			origin && askerText(askerOf(origin)),
			outcome,
			scope,
			server,
			tool,
			by,
			message,
			profile,
		],
	},
	isPast: true,
};

/** Settled approvals share a list with requests, whose ids may collide: the prefix keeps them apart. */
export function decisionId({seq}: Pick<DecisionRow, 'seq'>): string {
	return `settled-${seq}`;
}

/** A stored decision in one line: `files/write approved (once) by dashboard 2026-05-04 14:02:31`. */
export function decisionText(decision: JsonRow<typeof decisionFields>): string {
	const {outcome, by, message, time} = decision;
	const end = `${inScope(decision)}${by === null ? '' : ` by ${by}`} ${dateAndTime(time)}`;
	return `${toolText(decision)} ${outcome}${end}${message === null ? '' : `: ${message}`}`;
}

function inScope({scope}: {readonly scope?: string | null}): string {
	return scope === undefined || scope === null ? '' : ` (${scope})`;
}

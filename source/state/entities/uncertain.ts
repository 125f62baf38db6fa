import {uiText} from '../../util/characters/ui-glyphs.ts';
import {exactLine} from '../../util/exact-text.ts';
import {shownName, toolText} from '../../util/safe-text.ts';
import {shownValue} from '../../util/shown-json.ts';
import {originFromJson, originText} from '../origin.ts';
import {type UncertainRow} from '../snapshot.ts';
import {timeOfDay} from '../time-text.ts';
import {callFields} from './call.ts';
import {type Entity, type Fields, glyphColumn, type KeyNames, wordColumn} from './entity.ts';
import {callText} from './status-text.ts';
import {tableOf} from './table.ts';

const {id, time, server, tool, code, ms, rule, node, profile, origin} = callFields;

/** The properties of a call with an unknown outcome. */
export const uncertainFields = {
	id,
	time,
	server,
	tool,
	arguments: {json: 'object', text: call => JSON.stringify(shownValue(call.arguments))},
	code,
	ms,
	rule,
	node,
	profile,
	origin,
	arguments_hash: {json: 'text'},
	sent_bytes: {json: 'count'},
	cut_bytes: {json: 'count'},
	masked_values: {json: 'count'},
	marked_characters: {json: 'count'},
	/** The hash that a decision has to carry; no list has it. */
	review_hash: {json: 'text-?'},
	state: {text: () => 'uncertain'},
	reason: {label: 'because', text: ({reason}) => reason},
	next: {detail: (_, {keys}) => nextText(keys)},
	registered_name: {label: 'known as', text: ({registeredName}) => registeredName},
	ended: {text: ({at}) => timeOfDay(at)},
} as const satisfies Fields<UncertainRow>;

const uncertain = callText['outcome_uncertain'];

/** A call with an unknown outcome. */
export const uncertainEntity: Entity<UncertainRow, keyof typeof uncertainFields> = {
	fields: uncertainFields,
	id: uncertainId,
	copy: ({callId}) => callId,
	status: () => uncertain,
	statusLine: {
		label: 'outcome',
		more: (call, {width}) =>
			width < 60
				? {text: ` ${toolText(call)}`, tone: 'strong'}
				: {text: ': it may have taken effect', tone: uncertain.tone},
	},
	filter: ['server', 'tool', 'state', 'origin', 'arguments', 'id', 'profile'],
	details: ['reason', 'next', 'tool', 'registered_name', 'origin', 'ended', 'id', 'profile'],
	columns: [
		glyphColumn(() => uncertain),
		wordColumn(() => uncertain, {narrow: 10, wide: 14}),
		{wide: 9, text: () => ''},
		{narrow: 'rest', wide: [33, 0.3], tone: 'strong', text: call => toolText(call)},
		{wide: 9, tone: 'dim', text: ({at}) => timeOfDay(at)},
		{wide: 'rest', tone: 'dim', text: (_, {keys}) => endKeys(keys)},
	],
	values: call => ({name: `${call.server}/${call.tool}`}),
};

/** `sluice uncertain list`. */
export const uncertainTable = tableOf(uncertainFields, [
	'time',
	'id',
	'server',
	{title: 'TOOL', cell: call => shownName(exactLine(call.tool))},
	'arguments',
	{title: 'FROM', cell: call => originText(originFromJson(call.origin))},
]);

/** Uncertain calls share a list with requests, whose ids may collide: the prefix keeps them apart. */
export function uncertainId({callId}: Pick<UncertainRow, 'callId'>): string {
	return `uncertain-${callId}`;
}

/** The keys that end the uncertainty. */
function endKeys({named}: KeyNames): string {
	return [
		named('call-happened', 'it happened'),
		named('call-did-not-happen', 'it did not'),
		named('repeat-call', 'repeat'),
	]
		.filter(Boolean)
		.join(uiText` · `);
}

/** The way to find out the outcome, and the keys that record it. */
function nextText(keys: KeyNames): string {
	const look = `look at the server (${keys.named('server-tools', 'lists its tools')}; read-only ones are safe to call)`;
	return [endKeys(keys), look].filter(Boolean).join('; first ');
}

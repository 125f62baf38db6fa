import {uiText} from '../../util/characters/ui-glyphs.ts';
import {shownId} from '../../util/id-part.ts';
import {quoted, shownName, toolText} from '../../util/safe-text.ts';
import {type GatewayEvent} from '../event.ts';
import {originFromJson, originText} from '../origin.ts';
import {type CallRow, type ServerCalls} from '../snapshot.ts';
import {because, nodeWords} from '../status-line.ts';
import {minutesText, timeOfDay, tookText} from '../time-text.ts';
import {type ServerCall} from '../view-event.ts';
import {type Entity, type Fields, glyphColumn, wordColumn} from './entity.ts';
import {type JsonRow} from './json-kind.ts';
import {callText, glyphs, type StatusLabel} from './status-text.ts';
import {tableOf} from './table.ts';

/** The properties that all calls share: under way, ended or uncertain. */
const sharedFields = {
	id: {json: 'id', label: 'call', text: ({callId}) => callId},
	/** When it began. */
	time: {json: 'time'},
	server: {json: 'text', text: ({server}) => server},
	tool: {json: 'name', text: ({tool}) => tool, detail: call => toolText(call)},
	arguments: {json: 'object'},
} as const satisfies Fields<Pick<CallRow, 'callId' | 'server' | 'tool'>>;

const sharedEnd = {
	code: {json: 'text?'},
	ms: {json: 'ms?'},
	/** The id of the rule that allowed or denied it, or had a person asked. */
	rule: {json: 'text?'},
	node: {json: 'text-?', text: ({node}) => node ?? ''},
	profile: {json: 'text', text: ({profile}) => profile},
	origin: {
		json: 'origin',
		title: 'FROM',
		label: 'from',
		text: ({origin}) => originText(origin),
		detail: ({origin}) => originText(origin, uiText` · `),
	},
} as const satisfies Fields<Pick<CallRow, 'profile' | 'origin' | 'node'>>;

/** Null while it is under way, or when the gateway stopped during it. */
const outcome = {json: 'text?'} as const;

/** The properties of a stored call of a run. Its arguments and its answer are cut where they are long; secrets in them are masked. */
export const storedCallFields = {
	...sharedFields,
	outcome,
	code: sharedEnd.code,
	ms: sharedEnd.ms,
	rule: sharedEnd.rule,
	/** The result, or the message of the error. */
	answer: {json: 'text?'},
	node: sharedEnd.node,
} as const satisfies Fields<CallRow>;

/** The properties of a tool call. */
export const callFields = {
	...sharedFields,
	outcome,
	...sharedEnd,
	/** Of the arguments as they are sent: their hash, all bytes, those missing here, values that are masked, characters that a reader may take for others. */
	arguments_hash: {show: 'text'},
	sent_bytes: {show: 'count'},
	cut_bytes: {show: 'count'},
	masked_values: {show: 'count'},
	marked_characters: {show: 'count'},
	answer: {show: 'text?'},
	registered_name: {label: 'known as', text: ({registeredName}) => registeredName},
	running: {detail: ({startedAt}, {now}) => minutesText(now - startedAt)},
	progress: {text: progressText},
} as const satisfies Fields<CallRow>;

/** A call under way. */
export const callEntity: Entity<CallRow, keyof typeof callFields> = {
	fields: callFields,
	id: ({callId}) => callId,
	copy: ({callId}) => callId,
	filter: ['server', 'tool', 'origin', 'id', 'profile', 'node'],
	details: ['tool', 'registered_name', 'origin', 'running', 'progress', 'id', 'profile', 'node'],
	columns: [
		{narrow: 2, wide: 2, tone: 'busy', text: () => glyphs.running},
		{narrow: 17, tone: 'strong', text: ({tool}) => shownName(tool)},
		{wide: [33, 0.25], tone: 'strong', text: call => toolText(call)},
		{narrow: 'rest', text: (call, {now}) => `${minutesText(now - call.startedAt)} ${doingText(call)}`},
		{wide: 7, tone: 'busy', text: ({startedAt}, {now}) => minutesText(now - startedAt)},
		{wide: [33, 0.25], text: doingText},
		{wide: 'rest', tone: 'dim', text: ({origin}) => originText(origin, uiText` · `)},
	],
	values: ({server, tool}) => ({name: `${server}/${tool}`}),
	repeats: {
		at: ({startedAt}) => startedAt,
		parts: call => [call.server, call.tool, originText(call.origin), progressText(call), call.profile, call.node],
	},
};

/** `sluice calls list`. */
export const callTable = tableOf(callFields, [
	'time',
	'id',
	'server',
	'tool',
	{title: 'OUTCOME', cell: outcomeText},
	'ms',
	{title: 'FROM', cell: ({origin}) => originText(originFromJson(origin))},
	'arguments',
]);

/** The outcome and the code of a stored call; `without an end` while it has none. */
export function outcomeText({outcome, code}: Pick<JsonRow<typeof callFields>, 'outcome' | 'code'>): string {
	return outcome === null
		? 'without an end'
		: [outcome, ...(code === null || code === outcome ? [] : [code])].join(' ');
}

/** One of the latest calls of a server; the journal has all of it. */
type LatestCall = ServerCall & Pick<ServerCalls, 'server' | 'profile'>;

const latestFields = {
	...sharedFields,
	arguments: {json: 'object', text: call => call.arguments},
	...sharedEnd,
	outcome: {text: ({end}) => end?.outcome ?? ''},
	again: {detail: (_, {keys}) => keys.named('call-again', 'repeats it (asks)')},
} as const satisfies Fields<LatestCall>;

const withoutEnd = {glyph: glyphs.running, word: 'no end', tone: 'busy'} as const;

function latestStatus({end}: LatestCall): StatusLabel {
	return end ? callText[end.outcome] : withoutEnd;
}

/** A call in the list of the latest ones of its server. */
export const latestCallEntity: Entity<LatestCall, keyof typeof latestFields> = {
	fields: latestFields,
	id: ({callId}) => callId,
	copy: ({callId}) => callId,
	status: latestStatus,
	filter: ['tool', 'server', 'arguments', 'outcome', 'origin', 'id', 'profile'],
	details: ['again'],
	columns: [
		glyphColumn(latestStatus),
		wordColumn(latestStatus, {wide: 12}),
		{wide: 9, tone: 'dim', text: ({at}) => timeOfDay(at)},
		{narrow: 14, wide: [20, 0.15], tone: 'strong', text: ({tool}) => shownName(tool)},
		{narrow: 8, tone: 'dim', text: latestTook},
		{wide: 9, text: latestTook},
		{narrow: 'rest', wide: 'rest', tone: 'dim', text: call => call.arguments},
	],
	values: ({tool, end}) => ({name: tool, took: end?.ms}),
	repeats: {
		at: ({at}) => at,
		parts: call => [call.tool, call.end?.outcome, call.arguments, originText(call.origin)],
	},
	isTimeless: true,
};

function latestTook({end}: LatestCall): string {
	return end ? tookText(end.ms) : '';
}

/** The completed share of a call, from 0 to 1; undefined if its server does not report enough. */
export function progressShare({progress, total}: CallRow): number | undefined {
	const share = progress !== undefined && total !== undefined && total > 0 ? progress / total : undefined;
	return share === undefined || share > 1 || share < 0 ? undefined : share;
}

/** The progress of a call as text only: `30 % · copying`. */
export function progressWords(call: CallRow): string {
	const share = progressShare(call);
	const amount = share === undefined ? (call.progress?.toLocaleString('en-US') ?? '') : `${Math.floor(share * 100)} %`;
	return [amount, call.message ? quoted(call.message) : ''].filter(part => part !== '').join(uiText` · `);
}

/** The same behind a bar. */
export function progressText(call: CallRow): string {
	const share = progressShare(call);
	return share === undefined ? progressWords(call) : `${bar(share)} ${progressWords(call)}`;
}

const barCells = 10;

function bar(share: number): string {
	const full = Math.floor(share * barCells);
	return glyphs.full.repeat(full) + glyphs.rule.repeat(barCells - full);
}

/** The progress of a call; other gateways do not say that of theirs. */
function doingText(call: CallRow): string {
	return call.node === undefined ? progressText(call) : `node ${call.node}`;
}

type CallEvent = Extract<
	GatewayEvent,
	{type: 'tool.started' | 'tool.progress' | 'tool.finished' | 'call.uncertain' | 'call.resolved'}
>;

/** `failed call_timeout`; a code with the words of the outcome adds nothing. */
function endText({outcome, code}: Pick<Extract<CallEvent, {type: 'tool.finished'}>, 'outcome' | 'code'>): string {
	return code === undefined || code === outcome ? outcome : `${outcome} ${code}`;
}

/** A change of a call as a line of the log. */
export function callLogText(event: CallEvent): string {
	switch (event.type) {
		case 'tool.started':
			return `${toolText(event)} started, from ${originText(event.origin)}${nodeWords(event)}`;
		case 'tool.progress':
			return `${shownId(event.callId)} ${event.progress}${event.total === undefined ? '' : ` of ${event.total}`}${because(event.message && quoted(event.message))}`;
		case 'tool.finished':
			return `${toolText(event)} ${endText(event)}, ${tookText(event.ms)}${event.rule ? `, rule ${event.rule.id}` : ''}, from ${originText(event.origin)}${nodeWords(event)}`;
		case 'call.uncertain':
			return `${shownId(event.callId)} ${toolText(event)} may have taken effect${because(event.reason)}`;
		case 'call.resolved':
			return `${shownId(event.callId)} ${event.resolution}${event.by ? ` by ${event.by}` : ''}`;
	}
}

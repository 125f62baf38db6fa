import {originText} from '../../state/origin.ts';
import {type CallRow, type ServerCalls, type UncertainRow} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {type ServerCall} from '../../state/view-event.ts';
import {indentJson} from '../../util/json-text.ts';
import {minutesText, tookText} from '../text/duration-text.ts';
import {jsonLines} from '../text/json-lines.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cell, type Line, span} from '../text/span.ts';
import {callText, glyphs, type StatusLabel} from '../../state/entities/status-text.ts';
import {wideCells} from './columns.ts';
import {type KeyNames, labelled, labelledStatus, type ListRow, rememberRows, repeatedText} from './list-row.ts';
import {stateValue} from './sorting.ts';
import {shownValue} from '../../util/shown-json.ts';
import {quoted, shownName, toolText} from '../../util/safe-text.ts';

/** The row of a call under way. */
export const callListRow = rememberRows(
	(call: CallRow): ListRow => ({
		id: call.callId,
		copy: call.callId,
		fields: () => ({
			server: call.server,
			tool: call.tool,
			origin: originText(call.origin),
			id: call.callId,
			profile: call.profile,
			node: call.node ?? '',
		}),
		values: () => ({name: `${call.server}/${call.tool}`}),
		repeats: {
			at: call.startedAt,
			text: () =>
				repeatedText(call.server, call.tool, originText(call.origin), progressText(call), call.profile, call.node),
			line: (width, now) => callLine(call, width, now),
		},
		line: (width, now) => callLine(call, width, now),
		detail: (width, now) => callDetail(call, width, now),
	}),
);

/** The progress of a call as its server reports it: `3 of 10 · copying`, `30 %`. */
export function progressText(call: CallRow): string {
	const share = progressShare(call);
	return share === undefined ? progressWords(call) : `${bar(share)} ${progressWords(call)}`;
}

/** The completed share of a call, from 0 to 1; undefined if its server does not report enough. */
export function progressShare({progress, total}: CallRow): number | undefined {
	const share = progress !== undefined && total !== undefined && total > 0 ? progress / total : undefined;
	return share === undefined || share > 1 || share < 0 ? undefined : share;
}

/** The same as text only: `30 % · copying`. */
export function progressWords(call: CallRow): string {
	const share = progressShare(call);
	const amount = share === undefined ? (call.progress?.toLocaleString('en-US') ?? '') : `${Math.floor(share * 100)} %`;
	return [amount, call.message ? quoted(call.message) : ''].filter(part => part !== '').join(uiText` · `);
}

const barCells = 10;

function bar(share: number): string {
	const full = Math.floor(share * barCells);
	return glyphs.full.repeat(full) + glyphs.rule.repeat(barCells - full);
}

function callLine(call: CallRow, width: number, now: number): Line {
	const age = minutesText(now - call.startedAt);
	return width < 60
		? [span(`${glyphs.running} `, 'busy'), cell(shownName(call.tool), 17, 'strong'), span(`${age} ${doingText(call)}`)]
		: [
				span(`${glyphs.running} `, 'busy'),
				cell(toolText(call), wideCells(33, 0.25, width), 'strong'),
				cell(age, 7, 'busy'),
				cell(doingText(call), wideCells(33, 0.25, width)),
				span(originText(call.origin, uiText` · `), 'dim'),
			];
}

/** The progress of a call; other gateways do not say that of theirs. */
function doingText(call: CallRow): string {
	return call.node === undefined ? progressText(call) : `node ${call.node}`;
}

function callDetail(call: CallRow, width: number, now: number): Line[] {
	return [
		...labelled('tool', toolText(call), width),
		...labelled('known as', call.registeredName, width),
		...labelled('from', originText(call.origin, uiText` · `), width),
		...labelled('running', minutesText(now - call.startedAt), width),
		...labelled('progress', progressText(call), width),
		...labelled('call', call.callId, width),
		...labelled('profile', call.profile, width),
		...labelled('node', call.node, width),
	];
}

/** The row of one of the latest calls of a server; the journal has all of it. */
export function serverCallRow(call: ServerCall, {server, profile}: Pick<ServerCalls, 'server' | 'profile'>): ListRow {
	const {callId, tool, end, origin} = call;
	return {
		id: callId,
		copy: callId,
		isTimeless: true,
		fields: () => ({
			tool,
			server,
			arguments: call.arguments,
			outcome: end?.outcome ?? '',
			origin: originText(origin),
			id: callId,
			profile,
		}),
		values: () => ({name: tool, state: stateValue(labelOf(call)), took: end?.ms}),
		repeats: {
			at: call.at,
			text: () => repeatedText(tool, end?.outcome, call.arguments, originText(origin)),
			line: width => serverCallLine(call, width),
		},
		line: width => serverCallLine(call, width),
		detail: (width, _, {named}) => labelled('again', named('call-again', 'calls it once more (asks)'), width),
	};
}

const withoutEnd = {glyph: glyphs.running, word: 'no end', tone: 'busy'} as const;

function labelOf({end}: ServerCall): StatusLabel {
	return end ? callText[end.outcome] : withoutEnd;
}

function serverCallLine(call: ServerCall, width: number): Line {
	const {tool, at, end, arguments: args} = call;
	const {glyph, word, tone} = labelOf(call);
	const took = end ? tookText(end.ms) : '';
	return width < 60
		? [span(`${glyph} `, tone), cell(shownName(tool), 14, 'strong'), cell(took, 8, 'dim'), span(args, 'dim')]
		: [
				span(`${glyph} `, tone),
				cell(word, 12, tone),
				cell(timeOfDay(at), 9, 'dim'),
				cell(shownName(tool), wideCells(20, 0.15, width), 'strong'),
				cell(took, 9),
				span(args, 'dim'),
			];
}

const uncertain = callText['outcome_uncertain'];

/** The row of a call whose outcome is unknown. */
export const uncertainListRow = rememberRows(
	(call: UncertainRow): ListRow => ({
		id: uncertainId(call),
		copy: call.callId,
		fields: () => ({
			server: call.server,
			tool: call.tool,
			state: 'uncertain',
			origin: originText(call.origin),
			arguments: JSON.stringify(shownValue(call.arguments)),
			id: call.callId,
			profile: call.profile,
		}),
		values: () => ({name: `${call.server}/${call.tool}`}),
		line: (width, _, keys) => uncertainLine(call, width, keys),
		detail: (width, _, keys) => uncertainDetail(call, width, keys),
	}),
);

/** Uncertain calls share a list with requests, whose ids may collide: the prefix keeps them apart. */
export function uncertainId({callId}: Pick<UncertainRow, 'callId'>): string {
	return `uncertain-${callId}`;
}

function uncertainLine(call: UncertainRow, width: number, keys: KeyNames): Line {
	const {glyph, word, tone} = uncertain;
	const name = toolText(call);
	return width < 60
		? [span(`${glyph} `, tone), cell(word, 10, tone), span(name, 'strong')]
		: [
				span(`${glyph} `, tone),
				cell(word, 14, tone),
				cell('', 9),
				cell(name, wideCells(33, 0.3, width), 'strong'),
				cell(timeOfDay(call.at), 9, 'dim'),
				span(endKeys(keys), 'dim'),
			];
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

/** How to find out what became of it, and the keys that say so. */
function nextText(keys: KeyNames): string {
	const look = `look at the server (${keys.named('server-tools', 'lists its tools')}; read-only ones are safe to call)`;
	return [endKeys(keys), look].filter(Boolean).join('; first ');
}

function uncertainDetail(call: UncertainRow, width: number, keys: KeyNames): Line[] {
	const name = toolText(call);
	return [
		labelledStatus(
			'outcome',
			uncertain,
			width < 60 ? span(` ${name}`, 'strong') : span(': it may have taken effect', uncertain.tone),
		),
		...labelled('because', call.reason, width),
		...labelled('next', nextText(keys), width),
		...labelled('tool', name, width),
		...labelled('known as', call.registeredName, width),
		...labelled('from', originText(call.origin, uiText` · `), width),
		...labelled('ended', timeOfDay(call.at), width),
		...labelled('call', call.callId, width),
		...labelled('profile', call.profile, width),
		[],
		[span(' arguments as sent', 'dim')],
		...jsonLines(indentJson(shownValue(call.arguments)), width),
	];
}

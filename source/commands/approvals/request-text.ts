import {approvalKinds} from '../../state/approval-event.ts';
import {type DecidedCall, type DecisionFacts, decisionFacts, type RiskyClaim} from '../../state/decision.ts';
import {originFromJson, originText} from '../../state/origin.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {safeText, shownName, uncut} from '../../util/safe-text.ts';
import {shownValue} from '../../util/shown-json.ts';
import {gutterWording} from '../../util/values/line-wording.ts';
import {valueLines} from '../../util/values/value-lines.ts';

/** A call that a person decides about at a command line, as the gateway sends it: a waiting request, or an uncertain call. */
export type ShownCall = {
	readonly server: string;
	readonly tool: string;
	readonly arguments: JsonObject;
	readonly arguments_hash: string;
	readonly origin: {readonly kind: string; readonly [name: string]: unknown};
	readonly node?: string | undefined;
	readonly sent_bytes: number;
	readonly cut_bytes: number;
	readonly masked_values: number;
	readonly marked_characters: number;
	readonly review_hash?: string | undefined;
	readonly kind?: string;
	readonly trust?: 'full' | 'untrusted';
	readonly hints?: JsonObject;
	readonly description?: string;
	readonly definition_change?: string | null;
	readonly payload_paths?: readonly string[];
	readonly rule?: string | null;
};

/** The call that is decided about. */
export function decidedCall(call: ShownCall): DecidedCall {
	const {server, tool, node, trust, hints = {}, description, rule} = call;
	return {
		server,
		tool,
		node,
		trust,
		description,
		kind: approvalKinds.find(kind => kind === call.kind) ?? 'tool-call',
		arguments: call.arguments,
		origin: originFromJson(call.origin),
		sentBytes: call.sent_bytes,
		cutBytes: call.cut_bytes,
		maskedValues: call.masked_values,
		markedCharacters: call.marked_characters,
		hints: {destructiveHint: hints['destructiveHint'] === true, openWorldHint: hints['openWorldHint'] === true},
		definitionChange: call.definition_change ?? undefined,
		payloadPaths: call.payload_paths,
		rule: rule === null || rule === undefined ? undefined : {words: rule},
	};
}

/** The call and its origin, line by line, with all that the gateway sent. Safe to print. */
export function callLines(call: ShownCall): readonly string[] {
	const {hidden} = decisionFacts(decidedCall(call));
	return [
		...fact('server', call.server),
		...fact('tool', shownName(call.tool, uncut)),
		...fact('node', call.node ?? ''),
		...fact('from', originText(originFromJson(call.origin))),
		...(call.marked_characters > 0 ? [] : fact('hash', call.arguments_hash)),
		...(hidden.length === 0 ? [] : [`Not shown in full: ${hidden.join(', ')}.`]),
		`arguments, ${call.sent_bytes.toLocaleString('en-US')} bytes:`,
		...argumentLines(call.arguments),
	];
}

/** Arguments as JSON, escaped; texts with line ends and edits in numbered lines. */
export function argumentLines(masked: JsonObject, wording = gutterWording): readonly string[] {
	return valueLines(shownValue(masked), {form: 'lines', wording}).lines.map(({text}) => text);
}

/** The claims of the server that make a call risky. */
export function claimLines({claims}: DecisionFacts): readonly string[] {
	return claims.map(claim => claimTexts[claim]);
}

const claimTexts: Readonly<Record<RiskyClaim, string>> = {
	destructive: 'The server marks this as destructive.',
	'open world': 'The server says that this reaches other systems.',
};

/** The facts that follow the arguments. `end` is what ends a sentence. */
export function lowerLines(
	{payloadPaths, rule, definitionChange, description, liftedFor}: DecisionFacts,
	end: '' | '.',
): readonly string[] {
	const sentence = (words: string, text: string) => (text === '' ? [] : [`${words}: ${safeText(text, uncut)}${end}`]);
	return [
		...sentence('Copied word for word from the untrusted payload', payloadPaths.join(', ')),
		...sentence('A rule asks, so it can only be allowed once', rule),
		...quotedLines('The definition has changed since it was allowed', definitionChange),
		...quotedLines(liftedFor === undefined ? 'Description by the server' : 'Effect', description),
	];
}

/** The end of a page whose marked characters have to be read: what they are, and the hash that says so. */
export function reviewLines(call: ShownCall): readonly string[] {
	const lines = markedLines(decisionFacts(decidedCall(call)));
	return lines.length === 0 || call.cut_bytes > 0 ? lines : [...lines, ...fact('hash', call.review_hash ?? '')];
}

/** The number of marked characters, and their meaning. */
export function markedLines({marked}: DecisionFacts): readonly string[] {
	return marked.map(words => `${words}: shown as ‹U+…›, a look-alike or foreign to its word, host or path.`);
}

/** A fact on a line of its own; nothing for an empty one. */
export function fact(name: string, value: string): readonly string[] {
	return value === '' ? [] : [`${name}: ${safeText(value)}`];
}

/** Words of a server. Every line begins with whose they are, so that none can pass for one of ours. */
function quotedLines(whose: string, text: string): readonly string[] {
	return text === '' ? [] : linesOf(text).map(line => `${whose}: ${line}`);
}

/** A text is cut nowhere: what a person allows has to be all there. */
function linesOf(text: string): readonly string[] {
	return text.split('\n').map(line => safeText(line, uncut));
}

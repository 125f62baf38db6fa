import {hiddenWords} from '../../state/approval-event.ts';
import {shownId} from '../../util/id-part.ts';
import {indentJson, type JsonObject} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {shownValue} from '../../util/shown-json.ts';

/** A call that a person decides about at a command line: a waiting request, or an uncertain call. */
type ShownCall = {
	readonly server: string;
	readonly tool: string;
	readonly arguments: JsonObject;
	readonly arguments_hash: string;
	readonly origin: {readonly kind: string; readonly [name: string]: unknown};
	readonly node?: string | undefined;
	readonly sent_bytes: number;
	readonly cut_bytes: number;
	readonly masked_values: number;
};

/** What a call is and where it comes from, line by line, with nothing left out that the gateway sent. Safe to print. */
export function callLines(call: ShownCall): readonly string[] {
	const hidden = hiddenWords({cutBytes: call.cut_bytes, maskedValues: call.masked_values});
	return [
		...fact('server', call.server),
		...fact('tool', call.tool),
		...fact('node', call.node ?? ''),
		...fact('from', originWords(call.origin)),
		...fact('hash', call.arguments_hash),
		...(hidden.length === 0 ? [] : [`Not shown in full: ${hidden.join(', ')}.`]),
		`arguments, ${call.sent_bytes.toLocaleString('en-US')} bytes:`,
		...indentJson(shownValue(call.arguments)).split('\n'),
	];
}

/** A fact on a line of its own; nothing for an empty one. */
export function fact(name: string, value: string): readonly string[] {
	return value === '' ? [] : [`${name}: ${safeText(value)}`];
}

/** Words of a server. Every line begins with whose they are, so that none can pass for one of ours. */
export function quotedLines(whose: string, text: string | null): readonly string[] {
	return text === null || text === '' ? [] : linesOf(text).map(line => `${whose}: ${line}`);
}

/** The caller in a few words; each part of a run says what it is. */
export function originWords({kind, ...rest}: ShownCall['origin']): string {
	const known = Object.entries(rest).flatMap(([name, value]) =>
		typeof value === 'string' && value !== ''
			? [{name: name.replace(/_id$/u, ''), value: name === 'run_id' ? shownId(value) : value}]
			: [],
	);
	return kind === 'run'
		? known.map(({name, value}) => `${name} ${value}`).join(' · ')
		: [kind, ...known.map(({value}) => value)].join(' ');
}

/** A text is cut nowhere: what a person allows has to be all there. */
export function linesOf(text: string): readonly string[] {
	return text.split('\n').map(line => safeText(line, {maximumCharacters: Number.POSITIVE_INFINITY}));
}

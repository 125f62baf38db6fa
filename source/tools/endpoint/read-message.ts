import {Transform} from 'node:stream';
import {createLineBuffer} from '../../mcp/transport/line-buffer.ts';
import {isJsonObject, type JsonObject, lossInJson, textsOfItems} from '../../util/json-text.ts';

/** The member of `_meta` that carries the flaw of a call through the SDK. A client that writes it itself has its own call refused. */
const flawMember = 'sluice/flaw';

/**
Parses a message of a client. A call in it that would not be sent on as it is written carries what is wrong, for `flawOf`. Throws a `SyntaxError` for
what is no JSON.
*/
export function parseMessage(text: string): unknown {
	return markFlaws(JSON.parse(text), text);
}

/** The message itself, where nothing is wrong with its calls. */
function markFlaws(message: unknown, text: string): unknown {
	const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
	if (!messages.some(isCall)) {
		return message;
	}

	const flaw = lossInJson(text, message);
	if (flaw === undefined) {
		return message;
	}

	if (!Array.isArray(message)) {
		return withFlaw(message, flaw);
	}

	// The other calls of a batch are answered.
	const texts = textsOfItems(text);
	return messages.map((one, index) => withFlaw(one, lossInJson(texts[index] ?? text, one)));
}

/** The reason in its `_meta` that a call must not be sent on; undefined if it may. */
export function flawOf(meta: unknown): string | undefined {
	const flaw = isJsonObject(meta) ? meta[flawMember] : undefined;
	return typeof flaw === 'string' ? flaw : undefined;
}

/** The requests that become calls of tools with arguments of the client. */
const callMethods: ReadonlySet<unknown> = new Set([
	'tools/call',
	'prompts/get',
	'completion/complete',
	'resources/read',
	'resources/subscribe',
]);
const callMethod = /tools\/call|prompts\/get|completion\/complete|resources\/(?:read|subscribe)|\\/u;

function isCall(message: unknown): message is JsonObject {
	return isJsonObject(message) && callMethods.has(message['method']);
}

function withFlaw(message: unknown, flaw: string | undefined): unknown {
	const params = isCall(message) && flaw !== undefined ? message['params'] : undefined;
	if (!isJsonObject(message) || !isJsonObject(params)) {
		return message;
	}

	const {_meta: meta = {}} = params;
	return isJsonObject(meta) ? {...message, params: {...params, _meta: {...meta, [flawMember]: flaw}}} : message;
}

/** As much as the SDK reads of an unfinished line. */
const maxLineBytes = 10 * 1024 * 1024;

/** A stream of messages, one a line, in which calls carry their flaws. What is no JSON passes as it is, for the SDK to refuse. */
export function flawedLines(): Transform {
	const buffer = createLineBuffer(maxLineBytes);
	return new Transform({
		transform(chunk: Buffer, _encoding, callback) {
			try {
				callback(null, buffer.push(chunk).map(lineWithFlaw).join(''));
			} catch {
				callback(new Error(`The client sent a message of more than ${maxLineBytes} bytes`));
			}
		},
	});
}

function lineWithFlaw(line: string): string {
	// Most lines need no other text.
	if (!callMethod.test(line)) {
		return `${line}\n`;
	}

	try {
		const message: unknown = JSON.parse(line);
		const marked = markFlaws(message, line);
		return marked === message ? `${line}\n` : `${JSON.stringify(marked)}\n`;
	} catch {
		return `${line}\n`;
	}
}

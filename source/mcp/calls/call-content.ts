import {isSpecType} from '@modelcontextprotocol/client';
import {isJsonObject, isList, isDeeperThan, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type CallContent} from '../connection.ts';
import {passedMeta} from '../protocol/passed-meta.ts';

/** Deeper structures are replaced by a note: serialising them could exhaust the stack. */
const deepestWritten = 500;

/**
The response to a call as content blocks. Unknown parts become text in brackets.
Throws Problem `call_failed` when it is not the result of a call.
*/
export function callContent(answer: JsonValue | undefined): CallContent {
	if (!isJsonObject(answer) || isTask(answer)) {
		throw unreadableResult();
	}

	const {content, structuredContent, isError, _meta: meta} = answer;
	const passed = passedMeta(meta);
	const structure = isJsonObject(structuredContent) ? structuredContent : undefined;
	const isMarked = isError !== undefined && typeof isError !== 'boolean';
	return {
		content: [
			...contentBlocks(content, structure === undefined),
			...(structuredContent === undefined || structure ? [] : [marked('structured content', structuredContent)]),
			...(isMarked ? [marked('isError', isError)] : []),
		],
		...(structure && {structuredContent: structure}),
		...(passed && {source: {_meta: passed}}),
		isError: isError === true || (typeof isError === 'string' && isError.trim().toLowerCase() === 'true'),
	};
}

/** The list of that name in a response. Throws Problem `call_failed` when there is none. */
export function listIn(answer: JsonValue | undefined, name: string): readonly JsonValue[] {
	const list = isJsonObject(answer) ? ownMember(answer, name) : undefined;
	if (list === undefined || !isList(list)) {
		throw unreadableResult();
	}

	return list;
}

/** A valid content block unchanged, else its usable parts as text. */
export function readableBlock(block: JsonValue): JsonObject {
	if (!isJsonObject(block)) {
		return marked('content block', block);
	}

	if (isSpecType.ContentBlock(block)) {
		return block;
	}

	const bare = withoutNotes(block);
	if (isSpecType.ContentBlock(bare)) {
		return bare;
	}

	const {type, data, mimeType} = block;
	return (type === 'image' || type === 'audio') && typeof data === 'string'
		? textBlock(`[${type}${typeof mimeType === 'string' ? ` (${mimeType})` : ''}: its data cannot be read]`)
		: marked('content block', block);
}

/** The reason that a response cannot be read; the call itself may have taken effect. */
function unreadableResult(): Problem {
	return new Problem('call_failed', {message: 'The answer of the server cannot be read'});
}

/** The server started a task and returned a handle to it, which is not a result. */
function isTask(answer: JsonObject): boolean {
	return answer['content'] === undefined && isJsonObject(answer['task']);
}

function contentBlocks(content: JsonValue | undefined, expected: boolean): readonly JsonObject[] {
	if (content === undefined) {
		return expected ? [textBlock('[the answer has no content]')] : [];
	}

	return isList(content) ? content.map(block => readableBlock(block)) : [marked('content', content)];
}

/** Metadata of a block; dropped when invalid. */
const notes: ReadonlySet<string> = new Set(['_meta', 'annotations', 'icons', 'title', 'description', 'size']);

function withoutNotes(block: JsonObject): JsonObject {
	const members = Object.entries(block).filter(([name]) => !notes.has(name));
	return Object.fromEntries(
		members.map(([name, value]) => [name, name === 'resource' && isJsonObject(value) ? withoutNotes(value) : value]),
	);
}

function marked(what: string, value: JsonValue): JsonObject {
	const text = isDeeperThan(value, deepestWritten)
		? `nested more than ${deepestWritten} levels deep`
		: JSON.stringify(value);
	return textBlock(`[${what} of an unknown form: ${text}]`);
}

function textBlock(text: string): JsonObject {
	return {type: 'text', text};
}

import {type CallContent} from '../mcp/connection.ts';
import {hashJson} from '../util/json-hash.ts';
import {isJsonObject, type JsonObject, jsonDepth, parseJson} from '../util/json-text.ts';
import {problemCodes} from '../util/problem-codes.ts';
import {type BlockOptions, blockText, type SaveMedia} from './block-text.ts';
import {cutMiddle} from './cut-middle.ts';
import {type ToolOutcome} from './tool-outcome.ts';

/** Longer results keep head and tail (docs/tool-servers.md, Results). */
export const mostResultCharacters = 2_000_000;

/** Deeper structures are told of instead of written out: writing them could exhaust the stack. */
const deepestStructure = 500;

/** Turns the answer of a server into text, a line break between blocks; a tool that says it failed becomes `tool_error`. */
export async function toolResult(
	answer: CallContent,
	options: BlockOptions & {readonly server: string},
): Promise<ToolOutcome> {
	const texts: string[] = [];
	const saved: string[] = [];
	const saveMedia: SaveMedia = async one => {
		const path = await options.saveMedia(one);
		saved.push(path);
		return path;
	};
	for (const block of answer.content) {
		texts.push(await blockText(block, {...options, saveMedia}));
	}

	const media = saved.length > 0 ? {media: saved} : {};

	const structure = placeStructure(answer);
	const blocks = structure.kind === 'text' ? [...texts, structure.text] : texts;
	const result = cutMiddle(blocks.join('\n'), mostResultCharacters);
	if (answer.isError) {
		const message = result === '' ? problemCodes.tool_error.meaning : result;
		return {kind: 'error', error: {code: 'tool_error', message, server: options.server}};
	}

	return structure.kind === 'apart'
		? {kind: 'result', result, structuredContent: structure.structuredContent, ...media}
		: {kind: 'result', result, ...media};
}

/**
Where the structured content goes: nowhere when a text block says the same, into the text when it is too large to be handed on whole
or belongs to an error, else beside the text.
*/
function placeStructure({
	content,
	structuredContent,
	isError,
}: CallContent):
	| {readonly kind: 'none'}
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'apart'; readonly structuredContent: JsonObject} {
	if (structuredContent === undefined) {
		return {kind: 'none'};
	}

	if (jsonDepth(structuredContent) > deepestStructure) {
		return {kind: 'text', text: `[structured content, nested deeper than ${deepestStructure} levels]`};
	}

	if (content.some(block => isJsonEqual(block.text, structuredContent))) {
		return {kind: 'none'};
	}

	const text = JSON.stringify(structuredContent);
	return isError || text.length > mostResultCharacters ? {kind: 'text', text} : {kind: 'apart', structuredContent};
}

/** True for a text that is the JSON of `structure`, whatever its layout and the order of its members. */
function isJsonEqual(text: unknown, structure: JsonObject): boolean {
	const parsed = typeof text === 'string' && text.trimStart().startsWith('{') ? parseJson(text) : undefined;
	return isJsonObject(parsed) && jsonDepth(parsed) <= deepestStructure && hashJson(parsed) === hashJson(structure);
}

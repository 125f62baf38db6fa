import {z} from 'zod';
import {type CallContent} from '../mcp/connection.ts';
import {hashJson} from '../util/json-hash.ts';
import {isList, isDeeperThan, type JsonObject, type JsonValue, parseJson} from '../util/json-text.ts';
import {problemCodes} from '../util/problem-codes.ts';
import {cutMiddle} from './cut-middle.ts';
import {type ToolOutcome} from './tool-outcome.ts';

/** Longer results are cut in the middle (docs/connections.md, Results). */
export const resultCharacterLimit = 2_000_000;

/** Deeper structures are replaced by a note: serialising them could exhaust the stack. */
const deepestStructure = 500;

/** Converts the response of a server to text, with a line break between blocks; a result with `isError` becomes `tool_error`. */
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
	const result = cutMiddle(blocks.join('\n'), resultCharacterLimit);
	if (answer.isError) {
		const message = result === '' ? problemCodes.tool_error.meaning : result;
		return {kind: 'error', error: {code: 'tool_error', message, server: options.server}};
	}

	return structure.kind === 'apart'
		? {kind: 'result', result, structuredContent: structure.structuredContent, ...media}
		: {kind: 'result', result, ...media};
}

/**
The place of the structured content: dropped when the text repeats it, into the text when it is too large to pass on
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

	if (isDeeperThan(structuredContent, deepestStructure)) {
		return {kind: 'text', text: `[structured content, nested more than ${deepestStructure} levels deep]`};
	}

	if (isRepeated(structuredContent, content)) {
		return {kind: 'none'};
	}

	const text = JSON.stringify(structuredContent);
	return isError || text.length > resultCharacterLimit ? {kind: 'text', text} : {kind: 'apart', structuredContent};
}

/** True if the text says the same: as the JSON of the structure, or of the value in a single member such as `result`. */
function isRepeated(structure: JsonObject, content: CallContent['content']): boolean {
	if (content.some(({text}) => isSame(text, structure))) {
		return true;
	}

	const [wrapped, ...others] = Object.values(structure);
	if (wrapped === undefined || others.length > 0) {
		return false;
	}

	// A list may come as one text for each item.
	const isItemByItem =
		isList(wrapped) &&
		wrapped.length > 0 &&
		wrapped.length === content.length &&
		wrapped.every((item, index) => isSame(content[index]?.['text'], item));
	return isItemByItem || content.some(({text}) => isSame(text, wrapped));
}

/** True for a text that is the value itself, or its JSON in any layout and order of members. */
function isSame(text: unknown, value: JsonValue): boolean {
	if (typeof text !== 'string' || text === value) {
		return text === value;
	}

	// Texts of another kind are not parsed: they may be long.
	const opening = typeof value === 'object' && value !== null ? (isList(value) ? '[' : '{') : '';
	const parsed = text.trimStart().startsWith(opening) ? parseJson(text) : undefined;
	return parsed !== undefined && !isDeeperThan(parsed, deepestStructure) && hashJson(parsed) === hashJson(value);
}

/** An image, an audio clip or a file in a result. */
export type Media = {readonly bytes: Uint8Array; readonly mimeType: string};

/** Saves a medium in the profile's `cache/media` and returns its path. */
export type SaveMedia = (media: Media) => Promise<string>;

type BlockOptions = {
	readonly saveMedia: SaveMedia;
	/** The registered name of the tool that reads resources of this server; undefined when there is none. */
	readonly readTool: string | undefined;
};

/** Larger media are mentioned, not saved. */
const maxMediaBytes = 50 * 1024 * 1024;

const mimeType = z.string().max(100).catch('application/octet-stream');
const optionalText = z.string().optional().catch(undefined);

const blockSchema = z.discriminatedUnion('type', [
	z.object({type: z.literal('text'), text: z.string()}),
	z.object({type: z.literal('image'), data: z.string(), mimeType}),
	z.object({type: z.literal('audio'), data: z.string(), mimeType}),
	z.object({type: z.literal('resource_link'), uri: z.string(), name: optionalText, mimeType: optionalText}),
	z.object({
		type: z.literal('resource'),
		resource: z.union([
			z.object({uri: z.string(), text: z.string()}),
			z.object({uri: z.string(), blob: z.string(), mimeType}),
		]),
	}),
]);

/** One content block as text (docs/connections.md, Results). A block of an unknown kind becomes its own JSON. */
async function blockText(block: JsonObject, options: BlockOptions): Promise<string> {
	const parsed = blockSchema.safeParse(block);
	if (!parsed.success) {
		return unknownBlock(block);
	}

	const {data} = parsed;
	switch (data.type) {
		case 'text':
			return data.text;
		case 'image':
		case 'audio':
			return mediaText({label: data.type, base64: data.data, mimeType: data.mimeType}, options.saveMedia);
		case 'resource_link':
			return linkText(data, options.readTool);
		case 'resource':
			return 'text' in data.resource
				? data.resource.text
				: mediaText(
						{label: `resource ${data.resource.uri}`, base64: data.resource.blob, mimeType: data.resource.mimeType},
						options.saveMedia,
					);
	}
}

function unknownBlock(block: JsonObject): string {
	try {
		return JSON.stringify(block);
	} catch {
		return '[a block that cannot be shown as text]';
	}
}

function linkText(
	link: {readonly uri: string; readonly name?: string | undefined},
	readTool: string | undefined,
): string {
	const how = readTool === undefined ? '' : `, read it with ${readTool}`;
	return `[resource ${link.name === undefined ? '' : `"${link.name}" `}${link.uri}${how}]`;
}

/** A result must not be lost because its image could not be saved. */
async function mediaText(
	media: {readonly label: string; readonly base64: string; readonly mimeType: string},
	saveMedia: SaveMedia,
): Promise<string> {
	const label = `${media.label} (${media.mimeType})`;
	if (media.base64.length > (maxMediaBytes / 3) * 4) {
		return `[${label}: larger than ${maxMediaBytes} bytes, not kept]`;
	}

	try {
		const path = await saveMedia({bytes: Buffer.from(media.base64, 'base64'), mimeType: media.mimeType});
		return `[${label}: ${path}]`;
	} catch {
		return `[${label}: could not be kept]`;
	}
}

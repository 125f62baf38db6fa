import {z} from 'zod';
import {type JsonObject} from '../util/json-text.ts';

/** An image, a sound or a file that came with a result. */
export type Media = {readonly bytes: Uint8Array; readonly mimeType: string};

/** Keeps a medium in the profile's `cache/media` and answers its path. */
export type SaveMedia = (media: Media) => Promise<string>;

export type BlockOptions = {
	readonly saveMedia: SaveMedia;
	/** The registered name of the tool that reads resources of this server; undefined when there is none. */
	readonly readTool: string | undefined;
};

/** Larger media are told of, not kept. */
const mostMediaBytes = 50 * 1024 * 1024;

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

/** One content block as text (docs/tool-servers.md, Results). A block of an unknown kind is its own JSON. */
export async function blockText(block: JsonObject, options: BlockOptions): Promise<string> {
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
		return '[a block that cannot be written out]';
	}
}

function linkText(
	link: {readonly uri: string; readonly name?: string | undefined},
	readTool: string | undefined,
): string {
	const how = readTool === undefined ? '' : `, to be read with ${readTool}`;
	return `[resource ${link.name === undefined ? '' : `"${link.name}" `}${link.uri}${how}]`;
}

/** A result must not be lost because its picture could not be kept. */
async function mediaText(
	media: {readonly label: string; readonly base64: string; readonly mimeType: string},
	saveMedia: SaveMedia,
): Promise<string> {
	const told = `${media.label} (${media.mimeType})`;
	if (media.base64.length > (mostMediaBytes / 3) * 4) {
		return `[${told}: larger than ${mostMediaBytes} bytes, not kept]`;
	}

	try {
		const path = await saveMedia({bytes: Buffer.from(media.base64, 'base64'), mimeType: media.mimeType});
		return `[${told}: ${path}]`;
	} catch {
		return `[${told}: could not be kept]`;
	}
}

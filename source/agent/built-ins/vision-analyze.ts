import {z} from 'zod';
import {Problem} from '../../util/problem.ts';
import {complete, type CompleteOptions} from '../models/complete.ts';
import {type Models} from '../models/models.ts';
import {type BuiltIn} from './built-in-tool.ts';
import {type ImageFile, readImage, toImage} from './image-file.ts';
import {type WebFetch, webFetch} from './web-fetch.ts';

/** Asks a model about an image. */
export type AskAboutImage = (
	question: {readonly text: string; readonly image: ImageFile},
	options: {readonly signal: AbortSignal},
) => Promise<string>;

const inputSchema = {
	type: 'object',
	properties: {
		image: {
			type: 'string',
			description: 'URL of the image (http, https or data), or its path from a tool result.',
		},
		question: {type: 'string', maxLength: 4000, description: 'The question about the image.'},
	},
	required: ['image', 'question'],
	additionalProperties: false,
};

const input = z.object({image: z.string(), question: z.string()});

/** The built-in `vision_analyze`: the vision model, or that of the runs, analyses an image. Its path must be below `mediaFolder`. */
export function visionAnalyze(options: {
	/** Default: the guarded one. */
	readonly fetch?: WebFetch;
	readonly ask: AskAboutImage;
	readonly mediaFolder: string;
}): BuiltIn {
	const {fetch = webFetch, ask, mediaFolder} = options;

	const load = async (image: string, signal: AbortSignal): Promise<ImageFile> => {
		const data = /^data:[^,]*;base64,(?<base64>.*)$/su.exec(image)?.groups?.['base64'];
		if (data !== undefined) {
			return asImage(Buffer.from(data, 'base64'));
		}

		return /^https?:/iu.test(image)
			? asImage((await fetch({url: image, headers: {accept: 'image/*'}, reach: 'internet', signal})).bytes)
			: readImage(image, mediaFolder);
	};

	return {
		name: 'vision_analyze',
		description: 'Answers a question about an image.',
		inputSchema,
		timeoutSeconds: 120,
		async work(given, {signal}) {
			const {image, question} = input.parse(given);
			return ask({text: question, image: await load(image, signal)}, {signal});
		},
	};
}

function asImage(bytes: Uint8Array): ImageFile {
	const image = toImage(bytes);
	if (!image) {
		throw new Problem('invalid_arguments', {message: 'This is not a PNG, JPEG, GIF or WebP of at most 5 MB'});
	}

	return image;
}

const maxAnswerTokens = 4000;

/** Creates the function that asks the vision model, without tools. */
export function createAskAboutImage(options: {
	readonly models: Pick<Models, 'ofVision'>;
	readonly maxRetries: number | undefined;
	readonly timeoutSeconds: number;
	/** Counts the request before it is sent. */
	readonly reserve?: CompleteOptions['reserve'];
}): AskAboutImage {
	const {models, ...limits} = options;
	return async ({text, image}, {signal}) => {
		const {bytes, mediaType} = image;
		const parts = [
			{kind: 'image', data: Buffer.from(bytes).toString('base64'), mediaType},
			{kind: 'text', text},
		] as const;
		const request = {messages: [{role: 'user', parts}], maximumTokens: maxAnswerTokens} as const;
		return (await complete(request, {choice: await models.ofVision(), signal, ...limits})).text;
	};
}

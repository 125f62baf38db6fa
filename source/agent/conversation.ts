import {type ModelMessage, modelMessageSchema} from 'ai';
import {z} from 'zod';
import {parseJson} from '../util/json-text.ts';

/** A longer conversation loses its tool calls, then its beginning. */
const maxCharacters = 400_000;

const conversationSchema = z.array(modelMessageSchema);

/** A conversation as text for the journal. */
export function packConversation(messages: readonly ModelMessage[]): string {
	const whole = JSON.stringify(messages, withoutPictures);
	if (whole.length <= maxCharacters) {
		return whole;
	}

	let words = messages.map(withoutTools).filter(message => message !== undefined);
	while (words.length > 0 && JSON.stringify(words).length > maxCharacters) {
		words = words.slice(1);
	}

	return JSON.stringify(words);
}

/** A conversation from the journal; empty when it cannot be read because another version wrote it. */
export function unpackConversation(text: string): ModelMessage[] {
	const read = conversationSchema.safeParse(parseJson(text));
	return read.success ? read.data : [];
}

const pictures = z.object({type: z.literal('content'), value: z.array(z.looseObject({text: z.string().optional()}))});

/** Images are in the media folder; in the journal they would only waste space. */
function withoutPictures(name: string, value: unknown): unknown {
	const found = name === 'output' ? pictures.safeParse(value) : undefined;
	return found?.success
		? {type: 'text', value: found.data.value.map(part => part.text ?? '[picture]').join('\n')}
		: value;
}

/** Only the texts: providers would reject a call without its result. */
function withoutTools(message: ModelMessage): ModelMessage | undefined {
	switch (message.role) {
		case 'system':
		case 'user':
			return message;
		case 'assistant': {
			const {content} = message;
			const text =
				typeof content === 'string'
					? content
					: content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
			return text === '' ? undefined : {role: 'assistant', content: text};
		}

		case 'tool':
			return undefined;
	}
}

/** The share of a context window for messages; the rest is for tool definitions and the answer. */
const messageShare = 0.6;

/** Fewer than average, so that numbers and code, which need more tokens, fit too. */
const charactersPerToken = 3;

/** The maximum text of one tool result, so that several of them fit. */
export function modelResultCharacterLimit(contextTokens: number): number {
	return Math.floor((contextTokens * charactersPerToken * messageShare) / 4);
}

/** The messages without the oldest tool results, as far as needed to fit the context window; the last message is never changed. Pure. */
export function fitContext(messages: readonly ModelMessage[], contextTokens: number): ModelMessage[] {
	const limit = contextTokens * charactersPerToken * messageShare;
	const sizes = messages.map(sizeOf);
	let size = sizes.reduce((sum, one) => sum + one, 0);
	return messages.map((message, index) => {
		if (size <= limit || message.role !== 'tool' || index === messages.length - 1) {
			return message;
		}

		const shorter = withoutResults(message);
		size -= (sizes[index] ?? 0) - sizeOf(shorter);
		return shorter;
	});
}

type ToolMessage = Extract<ModelMessage, {role: 'tool'}>;

function withoutResults(message: ToolMessage): ToolMessage {
	const output = {type: 'text', value: '[left out to make room; call the tool again if you need it]'} as const;
	return {...message, content: message.content.map(part => (part.type === 'tool-result' ? {...part, output} : part))};
}

/** Images are counted by their base64, which is more than they cost. */
function sizeOf(message: ModelMessage): number {
	return JSON.stringify(message.content).length;
}

import {type ModelMessage, modelMessageSchema} from 'ai';
import {z} from 'zod';
import {parseJson} from '../util/json-text.ts';

/** A longer conversation loses its tool calls, then its beginning. */
const mostCharacters = 400_000;

const conversationSchema = z.array(modelMessageSchema);

/** A conversation as text for the journal. */
export function packConversation(messages: readonly ModelMessage[]): string {
	const whole = JSON.stringify(messages, withoutPictures);
	if (whole.length <= mostCharacters) {
		return whole;
	}

	let words = messages.map(withoutTools).filter(message => message !== undefined);
	while (words.length > 0 && JSON.stringify(words).length > mostCharacters) {
		words = words.slice(1);
	}

	return JSON.stringify(words);
}

/** A kept conversation; what cannot be read, because another version wrote it, is none. */
export function unpackConversation(text: string): ModelMessage[] {
	const read = conversationSchema.safeParse(parseJson(text));
	return read.success ? read.data : [];
}

const pictures = z.object({type: z.literal('content'), value: z.array(z.looseObject({text: z.string().optional()}))});

/** Pictures lie in the media folder; in the journal they would only take room. */
function withoutPictures(name: string, value: unknown): unknown {
	const found = name === 'output' ? pictures.safeParse(value) : undefined;
	return found?.success
		? {type: 'text', value: found.data.value.map(part => part.text ?? '[picture]').join('\n')}
		: value;
}

/** Only what was said: a call without its result would be refused by providers. */
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

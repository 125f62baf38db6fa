import {type ModelMessage} from 'ai';

/** Of a model's window this share may be results and words; the rest is for tool definitions and the answer. */
const messageShare = 0.6;

/** Fewer than usual, so that numbers and code, which cost more, fit too. */
const charactersPerToken = 3;

/** How much text one tool result may have, so that several of them fit. */
export function mostResultCharacters(contextTokens: number): number {
	return Math.floor((contextTokens * charactersPerToken * messageShare) / 4);
}

/** The messages, with the oldest tool results left out until all of them fit the window; the last message is never touched. Pure. */
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

/** Pictures are counted by their base64, which is more than they cost. */
function sizeOf(message: ModelMessage): number {
	return JSON.stringify(message.content).length;
}

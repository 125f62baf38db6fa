import {type ImageFile} from './image-file.ts';

/** One part of a message of a completion. */
export type CompletionPart =
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'image'; readonly image: ImageFile};

/** One question to a model, with what was said before. */
export type CompletionRequest = {
	/** What the model is told by whoever asks: it stands below the words of the gateway. */
	readonly instructions?: string;
	readonly messages: ReadonlyArray<{
		readonly role: 'user' | 'assistant';
		readonly content: readonly CompletionPart[];
	}>;
	readonly maxTokens: number;
	readonly temperature?: number;
	readonly stopSequences?: readonly string[];
	/** Another model of the same provider. */
	readonly model?: string;
};

/** The answer of a model, not safe to show, and why it ended. */
export type CompletionAnswer = {
	readonly text: string;
	/** The name of the model. */
	readonly model: string;
	readonly stopReason: 'end' | 'length';
};

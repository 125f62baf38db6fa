/** A part of a message. `data` is base64. */
export type CompletionPart =
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'image' | 'audio'; readonly data: string; readonly mediaType: string};

/** One request to a model, with the conversation so far. The texts may be untrusted. */
export type CompletionRequest = {
	/** Another model of the same provider; absent: the configured one. */
	readonly model?: string;
	readonly system?: string;
	readonly messages: ReadonlyArray<{readonly role: 'user' | 'assistant'; readonly parts: readonly CompletionPart[]}>;
	readonly maximumTokens: number;
	readonly temperature?: number;
	readonly stopSequences?: readonly string[];
};

/** The answer of a model, not safe to show, and why it ended. */
export type Completion = {
	/** The model that answered. */
	readonly model: string;
	readonly text: string;
	readonly stopReason: 'endTurn' | 'maxTokens';
};

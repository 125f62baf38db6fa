/** A piece of a conversation. `data` is base64. */
export type CompletionPart =
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'image' | 'audio'; readonly data: string; readonly mediaType: string};

/** What a model is asked on behalf of a server. Every text is the server's: untrusted. */
export type CompletionRequest = {
	/** Absent: the configured model. */
	readonly model?: string;
	readonly system?: string;
	readonly messages: ReadonlyArray<{readonly role: 'user' | 'assistant'; readonly parts: readonly CompletionPart[]}>;
	readonly maximumTokens: number;
	readonly temperature?: number;
	readonly stopSequences?: readonly string[];
};

export type Completion = {
	/** The model that answered. */
	readonly model: string;
	readonly text: string;
	readonly stopReason: 'endTurn' | 'stopSequence' | 'maxTokens';
};

/** Asks a model once, without tools. Rejects with a Problem whose message may be told to the server. */
export type Complete = (request: CompletionRequest, options: {readonly signal: AbortSignal}) => Promise<Completion>;

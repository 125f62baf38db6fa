import {type CallContent, type CallProgress} from '../mcp/connection.ts';

/** For callers who pass on what a server says, such as the endpoint. What they are told is as the server said it: not safe to show. */
export type CallWatch = {
	/** Told how far the call has come, each time its server tells. */
	readonly onProgress?: (progress: CallProgress) => void;
	/** Told the answer before it becomes text, also one that says the tool failed. */
	readonly onAnswer?: (answer: CallContent) => void;
};

/** What a caller may say beside the call itself. */
export type CallOptions = {readonly signal: AbortSignal} & CallWatch;

import {type CallOutcome} from '../state/approval-event.ts';
import {type JsonObject} from '../util/json-text.ts';
import {type ImageFile} from './built-ins/image-file.ts';

/** The answer of a tool. A failure is an answer too: the model reads it and goes on. */
export type AgentAnswer = {
	readonly outcome: CallOutcome;
	/** For the model: not safe to show. */
	readonly text: string;
	readonly images?: readonly ImageFile[];
};

/** What a run waits for while a person is asked. */
export type Waiting = 'approval' | 'answer' | 'nothing';

export type ToolUse = {
	readonly signal: AbortSignal;
	/** Called when the call starts and stops to wait for a person. */
	readonly onWaiting: (waiting: Waiting) => void;
};

/** A tool as a run has it, whether a server's or a built-in. */
export type AgentTool = {
	/** The registered name, or the name of the built-in. */
	readonly name: string;
	/** Written by a server: not safe to show. */
	readonly description: string;
	readonly inputSchema: JsonObject;
	/** `input` fits the schema. Rejects with the reason of the signal, else never: errors are answers. */
	readonly run: (input: JsonObject, use: ToolUse) => Promise<AgentAnswer>;
};

/** An error as the model reads it (docs/tool-servers.md, Results). */
export function errorAnswer(
	outcome: CallOutcome,
	error: {readonly code: string; readonly message: string; readonly [name: string]: unknown},
): AgentAnswer {
	return {outcome, text: JSON.stringify({error})};
}

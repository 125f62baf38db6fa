import {type CallOutcome} from '../state/approval-event.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {type ImageFile} from './built-ins/image-file.ts';

/** The result of a tool. A failure is a result too: the model reads it and continues. */
export type AgentToolResult = {
	readonly outcome: CallOutcome;
	/** For the model: not safe to show. */
	readonly text: string;
	readonly images?: readonly ImageFile[];
	/** The call was not made, because the journal could not be written: nothing else of the run can be, either. */
	readonly unwritten?: Problem;
};

/** The person's part that a call waits for; the release is that of a hold. */
export type Waiting = 'approval' | 'answer' | 'release' | 'nothing';

export type ToolUse = {
	readonly signal: AbortSignal;
	/** Called when the call starts and stops waiting for a person. */
	readonly onWaiting: (waiting: Waiting) => void;
	/** Resolves once a call that waited may go on: its run gave its slot back. Rejects with the reason of the signal. */
	readonly resume: (signal: AbortSignal) => Promise<void>;
};

/** A tool of a run, from a server or built in. */
export type AgentTool = {
	/** The registered name, or the name of the built-in. */
	readonly name: string;
	/** Written by a server: not safe to show. */
	readonly description: string;
	readonly inputSchema: JsonObject;
	/** `input` matches the schema. Rejects with the reason of the signal, else never: errors are results. */
	readonly run: (input: JsonObject, use: ToolUse) => Promise<AgentToolResult>;
};

/** The text of an error for the model (docs/connections.md, Results). */
export function errorResult(
	outcome: CallOutcome,
	error: {readonly code: string; readonly message: string; readonly [name: string]: unknown},
): AgentToolResult {
	const {code, message} = error;
	const unwritten = code === 'storage_unavailable' && {unwritten: new Problem(code, {message})};
	return {outcome, text: JSON.stringify({error}), ...unwritten};
}

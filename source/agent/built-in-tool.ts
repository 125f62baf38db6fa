import {type JsonObject} from '../util/json-text.ts';
import {type BuiltInName} from './toolsets.ts';

/**
A tool of Sluice itself. It only reads, or asks the person at the terminal, so it stands beside the door to the tools of servers, not behind it.
*/
export type BuiltInTool = {
	readonly name: BuiltInName;
	readonly description: string;
	readonly inputSchema: JsonObject;
	/** May take this long; a person takes longer than a page. */
	readonly timeoutSeconds: number;
	/** `input` fits the schema. Throws a Problem whose message is for the model. */
	readonly run: (input: JsonObject, options: {readonly signal: AbortSignal}) => Promise<string>;
};

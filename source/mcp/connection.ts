import {type AskCaller} from '../approvals/ask-caller.ts';
import {type ServerConfig} from '../config/servers/server-entry.ts';
import {type ToolHints} from '../state/approval-event.ts';
import {type Origin} from '../state/origin.ts';
import {type JsonObject} from '../util/json-text.ts';
import {type ConnectionState} from './session/connection-state.ts';

/** A tool as its server defines it. Names and texts are untrusted: not yet safe to show. */
export type ToolDefinition = {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly inputSchema: JsonObject;
	readonly outputSchema?: JsonObject;
	readonly annotations?: ToolHints;
	readonly icons?: readonly JsonObject[];
	readonly _meta?: JsonObject;
};

/** The capabilities of a connected server. */
export type ServerCapabilities = {
	readonly tools: readonly ToolDefinition[];
	/** The session exposes resources. */
	readonly resources: boolean;
	/** The session exposes prompts. */
	readonly prompts: boolean;
	/** Its own words about its use. Untrusted. */
	readonly instructions?: string;
};

/** A request to a server. */
export type ServerRequest =
	| {
			readonly kind: 'tool';
			readonly tool: string;
			readonly arguments: JsonObject;
			/** `readOnlyHint === true`: the call may be repeated after a lost session. */
			readonly readOnly: boolean;
	  }
	| {readonly kind: 'list-resources'}
	| {readonly kind: 'list-resource-templates'}
	| {readonly kind: 'read-resource'; readonly uri: string}
	/** The server notifies of changes of this resource from now on, or no longer. */
	| {readonly kind: 'subscribe-resource'; readonly uri: string}
	| {readonly kind: 'unsubscribe-resource'; readonly uri: string}
	| {readonly kind: 'list-prompts'}
	| {readonly kind: 'get-prompt'; readonly name: string; readonly arguments: Readonly<Record<string, string>>}
	/** `params` are those of `completion/complete`. */
	| {readonly kind: 'complete'; readonly params: JsonObject};

/** A response as content blocks; those of lists and prompts are one text block of JSON. */
export type CallContent = {
	readonly content: readonly JsonObject[];
	readonly structuredContent?: JsonObject;
	readonly isError: boolean;
	/** The response of a list, a prompt or a completion as the server sent it, pages joined; of a call of a tool what is passed on of its `_meta`. */
	readonly source?: JsonObject;
};

/** A change that a server announces, besides those of its tools. */
export type ServerNotice =
	| {readonly kind: 'resources-changed'}
	| {readonly kind: 'prompts-changed'}
	| {readonly kind: 'resource-updated'; readonly uri: string};

/** The progress of a call, as its server reports it. */
export type CallProgress = {readonly progress: number; readonly total?: number; readonly message?: string};

/** Called with `true` when the server asks a person something during a request, and with `false` when that is over. */
export type OnQuestion = (isOpen: boolean) => void;

export type RequestOptions = {
	/** The origin of the request, shown when its server asks something meanwhile. Absent: the server may ask nothing. */
	readonly origin?: Origin;
	readonly signal: AbortSignal;
	readonly onProgress?: (progress: CallProgress) => void;
	readonly onQuestion?: OnQuestion;
	/** Asked in place of a person at a console, as far as it can be. */
	readonly askCaller?: AskCaller | undefined;
	/** Called when it is the turn of the request and the session is open, before `beforeSend`: nothing is sent until it resolves, nor when it rejects. */
	readonly claim?: () => Promise<void>;
	/**
	Called once the session is open, right before the request is sent or repeated, and again where its token had to be renewed first. If it
	throws, the request is not sent: a server that had to be woken may offer other tools than before.
	*/
	readonly beforeSend?: () => void;
};

/** The connection of one server, open or not. */
export type Connection = {
	readonly config: ServerConfig;
	readonly state: () => ConnectionState;
	/**
	Sends a request: breaker, then queue, then session (a lazy server connects here). The call timeout starts at once.
	Rejects with Problem: circuit_open, server_unavailable, call_timeout, cancelled, outcome_uncertain, call_failed, server_unauthorized.
	*/
	readonly request: (request: ServerRequest, options: RequestOptions) => Promise<CallContent>;
	/** Drops the session, closes the breaker and reconnects. Ignored for disabled and stopped servers. */
	readonly reconnect: () => void;
	/** Publishes its row again: the set of its registered tools may have changed. */
	readonly refresh: () => void;
	readonly stop: () => Promise<void>;
};

import {type JsonObject} from '../util/json-text.ts';
import {type Origin} from './origin.ts';

/** Hints of a tool about itself. They are claims of the server. */
export type ToolHints = {
	readonly title?: string;
	readonly readOnlyHint?: boolean;
	readonly destructiveHint?: boolean;
	readonly idempotentHint?: boolean;
	readonly openWorldHint?: boolean;
};

/** Everything an approval card shows. Texts are safe to show, secrets are masked. */
export type ApprovalCard = {
	readonly id: string;
	/** A call of a tool, or a server that wants the configured model to answer something for it (spec/decisions.md, D7). */
	readonly kind: 'tool-call' | 'sampling';
	readonly server: string;
	/** The tool's own name at its server. */
	readonly tool: string;
	/** The registered name: `mcp__server__tool`. */
	readonly registeredName: string;
	readonly trust: 'full' | 'untrusted';
	readonly transport: 'stdio' | 'http' | 'sse';
	readonly address: string;
	readonly hints: ToolHints;
	readonly description: string;
	/** Arguments to show: members with secret names masked. */
	readonly arguments: JsonObject;
	/** Hash of the real arguments; an answer must name it. */
	readonly argumentsHash: string;
	/** Set when the definition changed since a remembered approval. */
	readonly definitionChange?: string;
	/** Paths of the argument values that stand word for word in the untrusted payload, as `labels.0` (spec/decisions.md, D10.3). */
	readonly payloadPaths?: readonly string[];
	readonly origin: Origin;
	readonly requestedAt: number;
	readonly expiresAt: number;
};

/** How long an approval holds: this call, until the gateway stops, or until it is revoked. */
export type ApprovalScope = 'once' | 'session' | 'always';

/** The ends of an approval, kept apart everywhere (spec/decisions.md, D7). */
export type ApprovalOutcomeName = 'approved' | 'denied' | 'timed_out' | 'no_channel' | 'cancelled';

/** How a tool call ended. */
export type CallOutcome = 'ok' | 'tool_error' | 'failed' | 'outcome_uncertain' | ApprovalOutcomeName;

/** The life of an approval. */
export type ApprovalEvent =
	| ({readonly type: 'approval.requested'} & ApprovalCard)
	| {
			readonly type: 'approval.settled';
			readonly id: string;
			readonly server: string;
			readonly tool: string;
			readonly outcome: ApprovalOutcomeName;
			readonly scope?: ApprovalScope;
			/** Who answered: dashboard, command line, remembered rule. */
			readonly by?: string;
			readonly message?: string;
	  };

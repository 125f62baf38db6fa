import {type JsonObject} from '../util/json-text.ts';
import {type Origin} from './origin.ts';
import {groupedNumber} from './number-text.ts';

/** Hints of a tool about itself. They are claims of the server. */
export type ToolHints = {
	readonly title?: string;
	readonly readOnlyHint?: boolean;
	readonly destructiveHint?: boolean;
	readonly idempotentHint?: boolean;
	readonly openWorldHint?: boolean;
};

/** The parts of the arguments that a card does not show (`hiddenWords`), or shows escaped (`markedWords`). Every card says so. */
export type HiddenArguments = {
	/** Bytes of the arguments as sent, as JSON. */
	readonly sentBytes: number;
	/** Bytes that the card leaves out, because there are too many. */
	readonly cutBytes: number;
	/** Number of secret values that are masked. */
	readonly maskedValues: number;
	/** The number of characters that a reader may take for others; they are escaped where they are shown (docs/approvals.md, Marked characters). */
	readonly markedCharacters: number;
};

/** The gateway that waits for an answer, where several share a journal; absent where none does. */
export type AskingNode = {
	/** Its name, safe to show. */
	readonly node?: string;
	/** Absent: the gateway itself that shows it. */
	readonly askedAt?: 'another-node';
};

/** The kinds of requests for an approval. */
export const approvalKinds = ['tool-call', 'sampling', 'limit'] as const;

export type ApprovalKind = (typeof approvalKinds)[number];

/** The way in which a call reaches what does it; `hook`: the program that asks does it itself. */
export const requestTransports = ['stdio', 'http', 'sse', 'built-in', 'hook'] as const;

/** The longest approval of a call that a program makes itself (docs/hooks.md, Cards): none, one for this call, or also a rule. */
export const approvalGrants = ['nothing', 'once', 'once-or-rule', 'once-or-this-command'] as const;

export type ApprovalGrants = (typeof approvalGrants)[number];

/** The end of the time that a request has, in milliseconds since the epoch; null while it stands still, because everything is held (docs/approvals.md, Hold). */
export type RequestDeadline = {
	readonly expiresAt: number | null;
	/** The milliseconds that are left while it stands still. */
	readonly left?: number | undefined;
};

/** Everything an approval card shows. Texts are safe to show, secrets are masked. */
export type ApprovalRequest = HiddenArguments &
	RequestDeadline &
	AskingNode & {
		readonly id: string;
		/** A call of a tool, a server that wants the configured model to answer something for it (docs/approvals.md, How approvals end), or a limit that was reached (docs/limits.md). */
		readonly kind: ApprovalKind;
		readonly server: string;
		/** The tool's own name at its server. */
		readonly tool: string;
		/** The registered name: `mcp__server__tool`. */
		readonly registeredName: string;
		readonly trust: 'full' | 'untrusted';
		readonly transport: (typeof requestTransports)[number];
		readonly address: string;
		readonly hints: ToolHints;
		/** The server's own words, exact like the arguments. */
		readonly description: string;
		/**
	Arguments, masked and cut, in the order in which they are sent. Not safe to show: texts and names are as they are sent; `shownValue`
	escapes them.
	*/
		readonly arguments: JsonObject;
		/** Hash of the real arguments; an answer must name it. */
		readonly argumentsHash: string;
		/** Set when the definition changed since a remembered approval. */
		readonly definitionChange?: string;
		/** Paths of the argument values that the untrusted payload has word for word, as `labels.0` (docs/approvals.md, Answer from the dashboard). */
		readonly payloadPaths?: readonly string[];
		/** The rule that wants a person asked about this very call (docs/rules.md). Absent: none does. */
		readonly rule?: AskingRule;
		/** Absent: it may be approved for every scope. */
		readonly grants?: ApprovalGrants;
		readonly origin: Origin;
		readonly requestedAt: number;
	};

/** A waiting request with nothing left out, as exact as its card. */
export type FullRequest = HiddenArguments & Pick<ApprovalRequest, 'server' | 'tool' | 'description' | 'arguments'>;

/** Masking of secret values; `off` for the person who asked to see them. */
export type Masks = 'on' | 'off';

/** A rule on a card: its id, and in words what it says and why it asks. Safe to show. */
export type AskingRule = {readonly id: string; readonly words: string};

/** The rule that decided about a call. */
export type RuleMark = {
	readonly id: string;
	readonly action: 'allow' | 'ask' | 'deny';
	readonly source: 'config' | 'stored';
};

/** Duration of an approval: for this call, until its run ends, until the gateway stops, or until it is revoked. */
export const approvalScopes = ['once', 'run', 'session', 'always'] as const;

export type ApprovalScope = (typeof approvalScopes)[number];

/** The scopes that a request may be approved for: once only where a rule asks, or about a limit; for a run only if the request belongs to one. */
export function offeredScopes({
	kind,
	rule,
	origin,
	grants,
}: Pick<ApprovalRequest, 'kind' | 'rule' | 'origin' | 'grants'>): readonly ApprovalScope[] {
	if (grants === 'nothing') {
		return [];
	}

	return rule || kind === 'limit' || grants !== undefined
		? ['once']
		: approvalScopes.filter(scope => scope !== 'run' || origin.kind === 'run');
}

/** True if a rule may be made from a request: from a call of a tool alone, and only where no rule asks about it. */
export function mayBecomeRule({kind, rule, grants}: Pick<ApprovalRequest, 'kind' | 'rule' | 'grants'>): boolean {
	return kind === 'tool-call' && !rule && grants !== 'nothing' && grants !== 'once';
}

/** The time for which an approval lifts a limit; undefined for other requests. The name of the limit is its key path. */
export function liftedFor({kind, tool}: Pick<ApprovalRequest, 'kind' | 'tool'>): 'this run' | 'today' | undefined {
	if (kind !== 'limit') {
		return undefined;
	}

	return tool.startsWith('limits.run.') ? 'this run' : 'today';
}

/** The ends of an approval, kept apart everywhere (docs/approvals.md, How approvals end). */
export type ApprovalOutcomeName = 'approved' | 'denied' | 'timed_out' | 'no_channel' | 'cancelled';

/** The end of a tool call. */
export type CallOutcome = 'ok' | 'tool_error' | 'failed' | 'outcome_uncertain' | ApprovalOutcomeName;

/** Error codes with a status of their own; every other one counts as `failed`. */
const ownOutcomes: ReadonlySet<string> = new Set<CallOutcome>([
	'tool_error',
	'outcome_uncertain',
	'denied',
	'timed_out',
	'no_channel',
	'cancelled',
]);

/** The outcome of a call that ended with an error of this code. */
export function errorOutcome(code: string, isUncertain: boolean): CallOutcome {
	if (isUncertain) {
		return 'outcome_uncertain';
	}

	return isOwnOutcome(code) ? code : 'failed';
}

function isOwnOutcome(code: string): code is CallOutcome {
	return ownOutcomes.has(code);
}

/** The life of an approval. */
export type ApprovalEvent =
	| ({readonly type: 'approval.requested'} & ApprovalRequest)
	/** A hold began or ended, or the request may wait longer. */
	| ({readonly type: 'approval.deadline'; readonly id: string} & RequestDeadline)
	| ({
			readonly type: 'approval.settled';
			readonly id: string;
			readonly server: string;
			readonly tool: string;
			readonly outcome: ApprovalOutcomeName;
			readonly scope?: ApprovalScope;
			/** The one who decided: dashboard, command line, remembered rule. */
			readonly by?: string;
			readonly message?: string;
			/** Where the call or the request came from; absent where that is not known any more. */
			readonly origin?: Origin;
	  } & AskingNode);

/** The parts that a card does not show, in words: `88,889 B not shown`, `1 value masked`. Empty when it shows everything. */
export function hiddenWords({
	cutBytes,
	maskedValues,
}: Pick<HiddenArguments, 'cutBytes' | 'maskedValues'>): readonly string[] {
	return [
		...(cutBytes > 0 ? [`${groupedNumber(cutBytes)} B not shown`] : []),
		...(maskedValues > 0 ? [`${groupedNumber(maskedValues)} ${maskedValues === 1 ? 'value' : 'values'} masked`] : []),
	];
}

/** `1 character marked`; empty without any. */
export function markedWords({markedCharacters}: Pick<HiddenArguments, 'markedCharacters'>): readonly string[] {
	return markedCharacters > 0
		? [`${groupedNumber(markedCharacters)} ${markedCharacters === 1 ? 'character' : 'characters'} marked`]
		: [];
}

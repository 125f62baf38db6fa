import {type ApprovalOutcome, type Ask} from '../approvals/approval-queue.ts';
import {decide} from '../approvals/policy.ts';
import {type DefinedTool, type RememberedRules, type RuleMatch} from '../approvals/remembered-rules.ts';
import {type ServerConfig} from '../config/servers/server-entry.ts';
import {problemCodes} from '../util/problem-codes.ts';
import {Problem} from '../util/problem.ts';
import {type ApprovalNotes, approvalRequest, wholeCall} from './approval-request.ts';
import {definitionJson, type RegisteredTool} from './registered-tool.ts';
import {type ValidatedCall} from './validate-call.ts';

/** What the approval check says: nobody needs to be asked, a person allowed this tool before, or a person was asked now. */
export type Authorization =
	| {readonly kind: 'free'}
	| {readonly kind: 'remembered'; readonly scope: 'session' | 'always'}
	| {readonly kind: 'asked'; readonly outcome: ApprovalOutcome};

export type AuthorizeCallOptions = {
	readonly ask: Ask;
	readonly rules: Pick<RememberedRules, 'find' | 'remember'>;
	/** Command line or address of a server, secrets masked; safe to show. */
	readonly addressOf: (config: ServerConfig) => string;
	/** Finds known secrets in what is shown. */
	readonly partsOf: ApprovalNotes['partsOf'];
	/** Called with errors of our own. */
	readonly report: (caught: unknown) => void;
};

/** For callers who show that they wait: called with `true` when a person is asked about their call, with `false` when that is over. */
export type AskingWatch = {readonly onAsking?: (asking: boolean) => void};

/** Decides about one call: policy, remembered approval, person (docs/approvals.md, How approvals end). Never rejects: an error inside is a denial. */
export type AuthorizeCall = (
	call: ValidatedCall,
	options: {readonly signal: AbortSignal} & AskingWatch,
) => Promise<Authorization>;

/** Builds the approval check. */
export function createAuthorizeCall({ask, rules, addressOf, partsOf, report}: AuthorizeCallOptions): AuthorizeCall {
	const askPerson = async (
		call: ValidatedCall,
		match: RuleMatch,
		{signal, onAsking}: Parameters<AuthorizeCall>[1],
	): Promise<Authorization> => {
		const definitionChange = match.kind === 'changed' ? match.difference : undefined;
		const request = approvalRequest(call, {address: addressOf(call.connection.config), definitionChange, partsOf});
		onAsking?.(true);
		const outcome = await ask(request, {signal, whole: masks => wholeCall(call, masks, partsOf)});
		onAsking?.(false);
		if (outcome.kind === 'approved' && outcome.scope !== 'once') {
			rules.remember(definedTool(call.tool), outcome.scope);
		}

		return {kind: 'asked', outcome};
	};

	const pass: AuthorizeCall = async (call, options) => {
		const {trust, definition} = call.tool;
		// Looked up even when the tool says that it only reads: a claim that is new makes the remembered approval void.
		const match: RuleMatch = trust === 'full' ? {kind: 'none'} : rules.find(definedTool(call.tool));
		const readOnlyHint = definition.annotations?.readOnlyHint;
		if (call.approval === 'fresh') {
			return askPerson(call, match, options);
		}

		switch (decide({trust, readOnlyHint, remembered: match.kind === 'remembered'})) {
			case 'run':
				return match.kind === 'remembered' ? {kind: 'remembered', scope: match.rule.scope} : {kind: 'free'};
			case 'ask':
				return askPerson(call, match, options);
		}
	};

	return async (call, options) => {
		try {
			return await pass(call, options);
		} catch (caught) {
			report(caught);
			return {
				kind: 'asked',
				outcome: {kind: 'denied', by: 'gateway', message: 'The approval failed inside the gateway'},
			};
		}
	};
}

function definedTool({server, tool, fingerprint, definition}: RegisteredTool): DefinedTool {
	return {server, tool, fingerprint, definition: definitionJson(definition)};
}

/** The error that the caller of a refused call gets, one code for each end; undefined when the call was approved (docs/approvals.md, How approvals end). */
export function refusal(outcome: ApprovalOutcome): Problem | undefined {
	switch (outcome.kind) {
		case 'approved':
			return undefined;
		case 'denied':
			return new Problem('denied', {message: withReason(`Denied by ${outcome.by}`, outcome.message)});
		case 'no_channel':
			return new Problem('no_channel', {message: withReason(problemCodes.no_channel.meaning, outcome.message)});
		case 'timed_out':
		case 'cancelled':
			return new Problem(outcome.kind);
	}
}

function withReason(text: string, reason: string | undefined): string {
	return reason ? `${text}: ${reason}` : text;
}

/** Whether a call of this tool would ask for approval, or need none because of its trust or a remembered approval. */
export function approvalNeed(
	tool: Pick<RegisteredTool, 'server' | 'fingerprint' | 'trust' | 'definition'>,
	rules: ReturnType<RememberedRules['list']>,
): 'none' | 'ask' | 'remembered' {
	const {server, fingerprint, trust, definition} = tool;
	const readOnlyHint = definition.annotations?.readOnlyHint;
	if (decide({trust, readOnlyHint, remembered: false}) === 'run') {
		return 'none';
	}

	const isRemembered = rules.some(
		rule => rule.server === server && rule.fingerprint === fingerprint && rule.state === 'valid',
	);
	return isRemembered ? 'remembered' : 'ask';
}

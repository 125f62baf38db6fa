import {type ApprovalOutcome, type Ask} from '../approvals/approval-queue.ts';
import {decide} from '../approvals/policy.ts';
import {
	type DefinedTool,
	type RememberedRules,
	type RememberedScope,
	type RuleMatch,
} from '../approvals/remembered-rules.ts';
import {type ServerConfig} from '../config/servers/server-entry.ts';
import {type ApprovalRequest} from '../state/approval-event.ts';
import {problemCodes} from '../util/problem-codes.ts';
import {Problem} from '../util/problem.ts';
import {type ApprovalNotes, approvalRequest, wholeCall} from './approval-request.ts';
import {definitionJson, type RegisteredTool} from './registered-tool.ts';
import {type ValidatedCall} from './validate-call.ts';

/** The decision of the approval check: not needed, remembered, or made by a person now. */
export type Authorization =
	| {readonly kind: 'free'}
	| {readonly kind: 'remembered'; readonly scope: RememberedScope}
	| {
			readonly kind: 'asked';
			readonly outcome: ApprovalOutcome;
			/** What a person was asked; absent after an internal error. */
			readonly request?: Pick<ApprovalRequest, 'id' | 'requestedAt'> | undefined;
	  };

export type AuthorizeCallOptions = {
	readonly ask: Ask;
	readonly rules: Pick<RememberedRules, 'find' | 'remember'>;
	/** Command line or address of a server, secrets masked; safe to show. */
	readonly addressOf: (config: ServerConfig) => string;
	/** Finds known secrets in the text shown. */
	readonly partsOf: ApprovalNotes['partsOf'];
	/** Called with internal errors. */
	readonly report: (caught: unknown) => void;
};

/** Reports the wait of a call: called with `true` and the id of the approval when a person is asked about it, and with `false` when that is over. */
export type AskingWatch = {readonly onAsking?: (asking: boolean, id?: string) => void};

/** Decides about one call: policy, remembered approval, person (docs/approvals.md, How approvals end). Never rejects: an internal error is a denial. */
export type AuthorizeCall = (
	call: ValidatedCall,
	options: {
		readonly signal: AbortSignal;
		/** What was decided before about the same call of the same tool, which had to wait since: a person is not asked twice about it. */
		readonly earlier?: Authorization | undefined;
	} & AskingWatch,
) => Promise<Authorization>;

/** Builds the approval check. */
export function createAuthorizeCall({ask, rules, addressOf, partsOf, report}: AuthorizeCallOptions): AuthorizeCall {
	const askPerson = async (
		call: ValidatedCall,
		match: RuleMatch,
		{signal, earlier, onAsking}: Parameters<AuthorizeCall>[1],
	): Promise<Authorization> => {
		// A wider yes is remembered, or was revoked since.
		if (earlier?.kind === 'asked' && earlier.outcome.kind === 'approved' && earlier.outcome.scope === 'once') {
			return earlier;
		}

		const definitionChange = match.kind === 'changed' ? match.difference : undefined;
		const request = approvalRequest(call, {address: addressOf(call.connection.config), definitionChange, partsOf});
		let asked: ApprovalRequest | undefined;
		const outcome = await ask(request, {
			signal,
			whole: masks => wholeCall(call, masks, partsOf),
			onWaiting: id => onAsking?.(true, id),
			onRequest: made => void (asked = made),
		});
		onAsking?.(false);
		if (outcome.kind === 'approved' && outcome.scope !== 'once') {
			await rules.remember(definedTool(call.tool), outcome.scope, call.origin);
		}

		return {kind: 'asked', outcome, request: asked};
	};

	const pass: AuthorizeCall = async (call, options) => {
		const {trust, definition} = call.tool;
		// Check even a read-only tool: a new read-only claim invalidates the remembered approval.
		const match: RuleMatch = trust === 'full' ? {kind: 'none'} : rules.find(definedTool(call.tool), call.origin);
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

/** The error for the caller of a refused call, one code for each kind of refusal; undefined when the call was approved (docs/approvals.md, How approvals end). */
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

/** Whether a call of this tool would ask for approval, or pass because of its trust or a remembered approval. */
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
		rule =>
			rule.scope !== 'run' && rule.server === server && rule.fingerprint === fingerprint && rule.state === 'valid',
	);
	return isRemembered ? 'remembered' : 'ask';
}

import {type ApprovalOutcome, type Ask} from '../approvals/approval-queue.ts';
import {decide} from '../approvals/policy.ts';
import {type DefinedTool, type RememberedRules, type RuleMatch} from '../approvals/remembered-rules.ts';
import {type ServerConfig} from '../config/servers/server-entry.ts';
import {type ValidatedCall} from './validate-call.ts';
import {approvalRequest, type ApprovalNotes, wholeCall} from './approval-request.ts';
import {definitionJson} from './fingerprint.ts';
import {type RegisteredTool} from './registered-tool.ts';

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
	/** Told what went wrong inside. */
	readonly report: (caught: unknown) => void;
};

/** For callers who show that they wait: told `true` when a person is asked about their call, `false` when that is over. */
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

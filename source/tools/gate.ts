import {type ApprovalOutcome, type Ask} from '../approvals/desk.ts';
import {decide} from '../approvals/policy.ts';
import {type DefinedTool, type RememberedRules, type RuleMatch} from '../approvals/remembered-rules.ts';
import {type ServerConfig} from '../config/server-entry.ts';
import {type AdmittedCall} from './admit.ts';
import {approvalCard} from './approval-card.ts';
import {definitionJson} from './fingerprint.ts';
import {type RegisteredTool} from './registered-tool.ts';

/** What the gate says: nobody needs to be asked, a person allowed this tool before, or a person was asked now. */
export type GateVerdict =
	| {readonly kind: 'free'}
	| {readonly kind: 'remembered'; readonly scope: 'session' | 'always'}
	| {readonly kind: 'asked'; readonly outcome: ApprovalOutcome};

export type GateOptions = {
	readonly ask: Ask;
	readonly rules: Pick<RememberedRules, 'find' | 'remember'>;
	/** Command line or address of a server, secrets masked. */
	readonly addressOf: (config: ServerConfig) => string;
	/** Told what went wrong inside. */
	readonly report: (caught: unknown) => void;
};

/** For callers who show that they wait: told `true` when a person is asked about their call, `false` when that is over. */
export type AskingWatch = {readonly onAsking?: (asking: boolean) => void};

/** Decides about one call: policy, remembered approval, person (spec/decisions.md, D7). Never rejects: an error inside is a denial. */
export type Gate = (call: AdmittedCall, options: {readonly signal: AbortSignal} & AskingWatch) => Promise<GateVerdict>;

/** Builds the gate. */
export function createGate({ask, rules, addressOf, report}: GateOptions): Gate {
	const askPerson = async (
		call: AdmittedCall,
		match: RuleMatch,
		{signal, onAsking}: Parameters<Gate>[1],
	): Promise<GateVerdict> => {
		const definitionChange = match.kind === 'changed' ? match.difference : undefined;
		const card = approvalCard(call, {address: addressOf(call.connection.config), definitionChange});
		onAsking?.(true);
		const outcome = await ask(card, {signal});
		onAsking?.(false);
		if (outcome.kind === 'approved' && outcome.scope !== 'once') {
			rules.remember(definedTool(call.tool), outcome.scope);
		}

		return {kind: 'asked', outcome};
	};

	const pass: Gate = async (call, options) => {
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

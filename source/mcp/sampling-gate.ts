import {type ApprovalOutcome, type ApprovalRequest, type Ask} from '../approvals/desk.ts';
import {type DefinedTool, type RememberedRules} from '../approvals/remembered-rules.ts';
import {type SamplingCall, samplingCard, samplingName} from './sampling-card.ts';

export type SamplingGateOptions = {
	readonly ask: Ask;
	readonly rules: Pick<RememberedRules, 'find' | 'remember'>;
	/** Keeps what a person decided. */
	readonly recordDecision: (card: ApprovalRequest, outcome: ApprovalOutcome) => void;
};

/** Lets a model request of a server through, or answers why not (spec/decisions.md, D7: one of an untrusted server asks first). */
export type SamplingGate = (call: SamplingCall, signal: AbortSignal) => Promise<ApprovalOutcome>;

/** Builds the gate. */
export function createSamplingGate({ask, rules, recordDecision}: SamplingGateOptions): SamplingGate {
	return async (call, signal) => {
		const {config} = call;
		if (config.trust === 'full') {
			return {kind: 'approved', scope: 'once', by: 'trust'};
		}

		const match = rules.find(definedAs(config.name));
		if (match.kind === 'remembered') {
			return {kind: 'approved', scope: match.rule.scope, by: 'remembered rule'};
		}

		const card = samplingCard(call);
		const outcome = await ask(card, {signal});
		recordDecision(card, outcome);
		if (outcome.kind === 'approved' && outcome.scope !== 'once') {
			rules.remember(definedAs(config.name), outcome.scope);
		}

		return outcome;
	};
}

function definedAs(server: string): DefinedTool {
	return {server, tool: samplingName, fingerprint: samplingName, definition: {name: samplingName}};
}

/** Why a model request was not let through, in plain words. */
export function refusalWords(outcome: Exclude<ApprovalOutcome, {kind: 'approved'}>): string {
	switch (outcome.kind) {
		case 'denied':
			return 'a person denied it';
		case 'timed_out':
			return 'nobody approved it in time';
		case 'no_channel':
			return 'nobody can be asked';
		case 'cancelled':
			return 'it was withdrawn';
	}
}

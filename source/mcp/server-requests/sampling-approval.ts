import {type ApprovalOutcome, type NewApproval, type Ask} from '../../approvals/approval-queue.ts';
import {type DefinedTool, type RememberedRules} from '../../approvals/remembered-rules.ts';
import {type FindSecrets} from './sampling-request.ts';
import {type SamplingCall, samplingApprovalRequest, samplingName, wholeSampling} from './sampling-approval-request.ts';

export type SamplingApprovalOptions = {
	readonly ask: Ask;
	/** Finds known secrets in what is shown. */
	readonly partsOf: FindSecrets;
	readonly rules: Pick<RememberedRules, 'find' | 'remember'>;
	/** Keeps what a person decided. */
	readonly recordDecision: (request: NewApproval, outcome: ApprovalOutcome) => void;
};

/** Lets a model request of a server through, or answers why not (docs/approvals.md, How approvals end). */
export type SamplingApproval = (call: SamplingCall, signal: AbortSignal) => Promise<ApprovalOutcome>;

/** Builds the approval check. */
export function createSamplingApproval({
	ask,
	partsOf,
	rules,
	recordDecision,
}: SamplingApprovalOptions): SamplingApproval {
	return async (call, signal) => {
		const {config} = call;
		if (config.trust === 'full') {
			return {kind: 'approved', scope: 'once', by: 'trust'};
		}

		const match = rules.find(definedAs(config.name));
		if (match.kind === 'remembered') {
			return {kind: 'approved', scope: match.rule.scope, by: 'remembered rule'};
		}

		const request = samplingApprovalRequest(call, partsOf);
		const outcome = await ask(request, {signal, whole: masks => wholeSampling(call, masks, partsOf)});
		recordDecision(request, outcome);
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
export function refusalText(outcome: Exclude<ApprovalOutcome, {kind: 'approved'}>): string {
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

import {type Journal} from '../journal/journal.ts';
import {type CallClaim} from '../journal/rows/request-rows.ts';
import {Problem} from '../util/problem.ts';
import {type Authorization} from './authorization.ts';
import {type ValidatedCall} from './validate-call.ts';

/** What judges the calls of a gateway that shares it with others (docs/approvals.md, Several gateways). */
export type SharedJudgement = {
	/** What is stored of it, as it is known here now; undefined: no other gateway shares it. */
	readonly judgedBy: () => CallClaim['documents'] | undefined;
	/** Reads what others changed. Rejects with `storage_unavailable`. */
	readonly refresh: () => Promise<void>;
	readonly claim: Journal['requests']['claim'];
};

/** A call that was judged. */
type ClaimingCall = Pick<ValidatedCall, 'tool' | 'argumentsHash'> & {
	readonly verdict: Authorization;
	readonly documents: CallClaim['documents'] | undefined;
};

/**
Resolves when a call may be sent: what allowed it still stands in the journal at this moment. `changed`: it is to be judged again. A call that changes
nothing and that nobody was asked about needs no claim. Rejects with `cancelled` when the approval counts for nothing, else with `storage_unavailable`.
*/
export async function claimCall(
	callId: string,
	{tool, argumentsHash, verdict, documents}: ClaimingCall,
	shared: SharedJudgement | undefined,
): Promise<'claimed' | 'changed'> {
	const asked = 'request' in verdict ? verdict.request : undefined;
	if (!shared || !documents || (tool.readOnly && !asked)) {
		return 'claimed';
	}

	const request = asked && {id: asked.id, argumentsHash: argumentsHash()};
	const outcome = await shared.claim({callId, documents, request});
	switch (outcome) {
		case 'claimed':
			return outcome;
		case 'changed':
			await shared.refresh();
			return outcome;
		case 'dead':
			throw new Problem('storage_unavailable', {
				message: 'Another gateway has declared this one dead, so the call was not made',
			});
		case 'not-allowed':
			throw new Problem('cancelled', {
				message: 'The journal does not have the approval of this call, so it was not made',
			});
	}
}

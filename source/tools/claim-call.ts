import {type Journal, type Waiting} from '../journal/journal.ts';
import {takenOver} from '../journal/operations/request-batches.ts';
import {type CallClaim} from '../journal/rows/request-rows.ts';
import {Problem} from '../util/problem.ts';

/** Claims the calls of a gateway or command in its shared journal before they are sent (docs/postgresql.md, Several gateways). */
export type CallClaims = {
	/** The stored rules and the hold, as they are known here now; undefined: nobody shares them. */
	readonly knownDocuments: () => CallClaim['documents'] | undefined;
	/** Reads what others changed. Rejects with `storage_unavailable`. */
	readonly refresh: () => Promise<void>;
	readonly claim: Journal['claimCall'];
};

/**
Resolves when a call may be sent, or the model asked: the permission is still in the journal at this moment. `changed`: it must be evaluated again.
With `waiting` it waits for a journal that is away.
Rejects with `cancelled` when the approval counts for nothing, else with `storage_unavailable`.
*/
export async function claimCall(
	claims: CallClaims | undefined,
	{documents, ...claim}: Omit<CallClaim, 'documents'> & {readonly documents: CallClaim['documents'] | undefined},
	waiting?: Waiting,
): Promise<'claimed' | 'changed'> {
	if (!claims || !documents) {
		return 'claimed';
	}

	const outcome = await claims.claim({...claim, documents}, waiting);
	switch (outcome) {
		case 'claimed':
			return outcome;
		case 'changed':
			await claims.refresh();
			return outcome;
		case 'dead':
			throw takenOver('The call was not made, because another gateway has declared this one dead');
		case 'not-allowed':
			throw new Problem('cancelled', {
				message: 'The call was not made, because its approval is not in the journal',
			});
	}
}

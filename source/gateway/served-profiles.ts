import {type Closing} from './services/closing.ts';
import {openGatewayDocuments} from './documents/gateway-documents.ts';
import {type GatewayJournal} from './journal/gateway-journal.ts';
import {type OpenProfile} from './documents/open-profile.ts';
import {openOtherProfiles} from './profiles/other-profiles.ts';
import {type ProfileContext} from './profiles/profile-context.ts';

/** Every profile that a gateway serves. */
type ServedProfiles = {
	/** The first one is that of the gateway itself. */
	readonly contexts: readonly [OpenProfile, ...OpenProfile[]];
	readonly others: readonly OpenProfile[];
};

/**
Locks the other profiles of a gateway, and reads what all of them have stored, before anything is decided by it. `closing` gives the locks back, once
nothing is read or changed any more.
*/
export async function readServedProfiles(
	own: ProfileContext,
	{stored, closing}: {readonly stored: GatewayJournal; readonly closing: Closing},
): Promise<ServedProfiles> {
	const locked = await openOtherProfiles(own);
	closing.push(() => Promise.all(locked.map(({release}) => release())));
	const documents = await openGatewayDocuments(own, stored);
	closing.push(documents.close);
	const withDocuments = (context: ProfileContext) => ({...context, documents: documents.of(context.paths)});
	const others = locked.map(({context}) => withDocuments(context));
	return {contexts: [withDocuments(own), ...others], others};
}

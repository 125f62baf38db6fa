import {type TokenStore} from './token-store.ts';

/** Removes what logins left for a server: tokens, registration, marker. False when there were no tokens. */
export async function forgetTokens(store: TokenStore, server: string): Promise<boolean> {
	let had = false;
	await store.update(server, record => {
		had = record !== undefined;
		return undefined;
	});
	await store.markDocument(server, 'usable');
	return had;
}

import {joinScopes} from '../discovery/choose-scope.ts';
import {type LoginTarget} from '../login-target.ts';
import {fittingRecord, type TokenRecord} from './token-record.ts';
import {type TokenStore} from './token-store.ts';

/** Nobody could read a longer list before agreeing to it. */
const longestDemandCharacters = 4000;

/**
A token is good but not enough: keeps with the tokens what is missing, for the login that only a person can order, in whichever process.
Answers the token that has taken the place of the refused one meanwhile, if there is one. Never rejects: whether or not it can be kept, the server wants more.
*/
export async function noteDemand(
	store: Pick<TokenStore, 'update'>,
	{server, url}: Pick<LoginTarget, 'server' | 'url'>,
	{refused, scope}: {readonly refused: string | undefined; readonly scope: string | undefined},
): Promise<string | undefined> {
	let newer: string | undefined;
	const note = (current: TokenRecord | undefined) => {
		const record = fittingRecord(current, url);
		if (!record || record.tokens.access_token !== refused) {
			newer = record?.tokens.access_token;
			return current;
		}

		const demandedScope = joinScopes(record.demandedScope, scope);
		const isStored = record.demandedScope === demandedScope || demandedScope.length > longestDemandCharacters;
		return isStored ? current : {...record, demandedScope};
	};
	await store.update(server, note).catch(() => undefined);
	return newer;
}

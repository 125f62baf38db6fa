import {Problem} from '../../util/problem.ts';
import {type Challenge} from '../discovery/challenge.ts';
import {joinScopes} from '../discovery/choose-scope.ts';
import {loginRequired, widerLoginRequired} from '../protocol/login-required.ts';
import {type LoginTarget} from '../protocol/login-target.ts';
import {type TokenEndpointOptions} from './refresh.ts';
import {fittingRecord, type TokenRecord} from '../protocol/token-record.ts';
import {type TokenStore} from './token-store.ts';

/** The token of one server for its requests. */
export type Credentials = {
	/** The token to send, refreshed when it is about to expire. Undefined: there is none, and the server responds with a challenge. */
	readonly token: (signal?: AbortSignal) => Promise<string | undefined>;
	/**
	The token to try instead of the refused one. Rejects with `login_required` when a person must log in, with `wider_login_required`
	when the scope is insufficient (the missing scope is stored for the next login), and with `fetch_failed` when the authorization server does not respond.
	*/
	readonly renew: (refused: string | undefined, challenge: Challenge) => Promise<string>;
};

/** A token this close to expiry may expire before the server checks it. */
const earlyMilliseconds = 30_000;

/** Creates the credentials of a server. They never start a login: without a usable token on disk they reject with `login_required`. */
export function createCredentials(
	target: LoginTarget,
	options: TokenEndpointOptions & {readonly store: TokenStore},
): Credentials {
	const {clock, store} = options;
	const {server, url} = target;
	const read = async () => fittingRecord(await store.read(server), url);

	/** One refresh at a time, across processes: the second caller finds the tokens of the first. */
	const replace = async (refused: string): Promise<string> => {
		let fresh: string | undefined;
		await store.update(server, async current => {
			const record = fittingRecord(current, url);
			if (!record) {
				throw loginRequired(server, 'it has no tokens');
			}

			if (record.tokens.access_token !== refused) {
				fresh = record.tokens.access_token;
				return current;
			}

			// Most starts refresh nothing.
			const {refresh} = await import('./refresh.ts');
			const refreshed = await refresh(record, target, options);
			fresh = refreshed.tokens.access_token;
			return refreshed;
		});
		if (fresh === undefined) {
			throw loginRequired(server, 'it has no tokens');
		}

		return fresh;
	};

	return {
		async token() {
			const record = await read();
			if (!record || !isEnding(record, clock.now()) || record.tokens.refresh_token === undefined) {
				return record?.tokens.access_token;
			}

			return replace(record.tokens.access_token).catch((error: unknown) => {
				// The old one may still be valid; the server decides.
				if (error instanceof Problem && error.code === 'fetch_failed') {
					return record.tokens.access_token;
				}

				throw error;
			});
		},
		async renew(refused, challenge) {
			if (challenge.insufficientScope) {
				const newer = await noteDemand(store, target, {refused, scope: challenge.scope});
				if (newer === undefined) {
					throw widerLoginRequired(server, challenge.scope);
				}

				return newer;
			}

			const record = await read();
			if (!record) {
				throw loginRequired(server, 'it has no tokens');
			}

			const {access_token: current} = record.tokens;
			return refused === undefined || current !== refused ? current : replace(refused);
		},
	};
}

function isEnding({expiresAt}: TokenRecord, now: number): boolean {
	return expiresAt !== undefined && expiresAt - earlyMilliseconds <= now;
}

/** Nobody could review a longer list before agreeing to it. */
const longestDemandCharacters = 4000;

/**
The token is valid but its scope insufficient: stores the missing scope with the tokens, for the next login in any process.
Returns the token that has replaced the refused one meanwhile, if any. Never rejects: a failed write does not change the server's demand.
*/
async function noteDemand(
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

import {createPublicKey, type KeyObject} from 'node:crypto';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {isJsonObject, isList, type JsonObject, ownMember, parseJson} from '../../util/json-text.ts';
import {errorText} from '../../util/problem.ts';
import {isStrongKey} from './signing-key.ts';

/** Fetches a text of at most 64 KB over https, without redirects, and rejects for anything but a 2xx. */
export type FetchText = (url: string, options: {readonly signal: AbortSignal}) => Promise<string>;

/** The public keys of JWT issuers, by the address of their JWKS. */
export type KeySets = {
	/** The key with that id. `missing`: the issuer has none. `away`: nobody could say. Never rejects. */
	readonly find: (url: string, id: string) => Promise<FoundKey>;
};

/** The result of looking for a key. */
export type FoundKey =
	| {readonly kind: 'key'; readonly key: KeyObject}
	| {readonly kind: 'missing'}
	| {readonly kind: 'away'; readonly reason: string};

type Keys = ReadonlyMap<string, KeyObject>;

/** The keys of one address. They stay while it cannot be reached. */
type KeySet = {
	keys: Keys | undefined;
	triedAt: number;
	failure: string | undefined;
	pending: Promise<void> | undefined;
};

/** The largest JWKS that is read. */
export const largestKeySetBytes = 65_536;

const fetchMilliseconds = 5000;
/** An unknown key id fetches the set again, at most this often. */
const retryMilliseconds = 60_000;
/** Keys that the issuer has withdrawn are forgotten after this time. */
const refreshMilliseconds = 3_600_000;
const maxKeys = 100;

/** Creates the key sets of an adapter; nothing is fetched before a token asks for it. */
export function createKeySets(options: {
	readonly clock: Clock;
	readonly fetchText: FetchText;
	/** Aborts when the adapter stops waiting for open requests. */
	readonly signal: AbortSignal;
}): KeySets {
	const {clock} = options;
	const sets = new Map<string, KeySet>();

	const refresh = async (url: string, set: KeySet): Promise<void> => {
		try {
			set.keys = await fetchKeys(url, options);
			set.failure = undefined;
		} catch (error) {
			set.failure = errorText(error);
		} finally {
			set.pending = undefined;
		}
	};

	const fetchAgain = (url: string, set: KeySet): Promise<void> => {
		set.triedAt = clock.now();
		set.pending ??= refresh(url, set);
		return set.pending;
	};

	return {
		async find(url, id) {
			const set = sets.get(url) ?? {
				keys: undefined,
				triedAt: Number.NEGATIVE_INFINITY,
				failure: undefined,
				pending: undefined,
			};
			sets.set(url, set);
			const known = set.keys?.get(id);
			const age = clock.now() - set.triedAt;
			if (known) {
				if (age >= refreshMilliseconds) {
					void fetchAgain(url, set);
				}

				return {kind: 'key', key: known};
			}

			await (age >= retryMilliseconds ? fetchAgain(url, set) : set.pending);
			const key = set.keys?.get(id);
			if (key) {
				return {kind: 'key', key};
			}

			return set.failure === undefined ? {kind: 'missing'} : {kind: 'away', reason: set.failure};
		},
	};
}

async function fetchKeys(url: string, {clock, fetchText, signal}: Parameters<typeof createKeySets>[0]): Promise<Keys> {
	const reason = () => new Error('The keys of the issuer did not come within 5 seconds');
	const deadline = openDeadline(clock, fetchMilliseconds, {signal, reason});
	try {
		const text = await untilAborted(fetchText(url, {signal: deadline.signal}), deadline.signal);
		if (Buffer.byteLength(text) > largestKeySetBytes) {
			throw new Error('The keys of the issuer are larger than 64 KB');
		}

		const json = parseJson(text);
		const list = json !== undefined && isJsonObject(json) ? ownMember(json, 'keys') : undefined;
		if (list === undefined || !isList(list)) {
			throw new Error('The address of the keys has no JWKS');
		}

		return new Map(list.slice(0, maxKeys).filter(isJsonObject).flatMap(readKey));
	} finally {
		deadline.cancel();
	}
}

/** A key that may verify tokens, under its id; empty for any other. */
function readKey(jwk: JsonObject): ReadonlyArray<readonly [string, KeyObject]> {
	const id = ownMember(jwk, 'kid');
	const use = ownMember(jwk, 'use');
	if (typeof id !== 'string' || (use !== undefined && use !== 'sig')) {
		return [];
	}

	const {kty, n, e, crv, x, y} = jwk;
	try {
		// The public members alone: a key that was published with its private part stays public here.
		const key = createPublicKey({key: JSON.parse(JSON.stringify({kty, n, e, crv, x, y})), format: 'jwk'});
		return isStrongKey(key, kty === 'EC' ? 'ec' : 'rsa') ? [[id, key]] : [];
	} catch {
		return [];
	}
}

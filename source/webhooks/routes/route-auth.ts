import {insecureSecret, isUnresolved} from '../../config/webhooks/refusals.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type Problem} from '../../util/problem.ts';
import {routeProblem} from './route-problem.ts';
import {readSchemeKey} from '../signature/scheme-key.ts';
import {createSchemeVerifier} from '../signature/scheme-verifier.ts';
import {readSigningKey} from '../signature/signing-key.ts';
import {createVerifier, type Verifier} from '../signature/verifier.ts';

/** Who may pass: whoever signed with one of the keys, or anyone. */
export type RouteAuth = {readonly kind: 'signed'; readonly verify: Verifier} | {readonly kind: 'unsafe-none'};

/** Opens the approval check of a route; a secret that cannot be used is a problem and opens nothing. */
export function createRouteAuth(
	config: RouteConfig,
	expand: (text: string) => string,
): {readonly auth: RouteAuth; readonly problems: readonly Problem[]} {
	const secrets = config.secrets.map(expand);
	if (secrets.includes(insecureSecret)) {
		return {auth: {kind: 'unsafe-none'}, problems: []};
	}

	const {signature} = config;
	const known = secrets.filter(secret => !isUnresolved(secret));
	const {verify, count} = signature ? schemeVerifier(known, signature) : headerVerifier(known);
	const isComplete = count === secrets.length && count > 0;
	return {
		auth: {kind: 'signed', verify},
		problems: isComplete ? [] : [routeProblem(config, 'route_without_secret', unusableSecret)],
	};
}

type Keyed = {readonly verify: Verifier /** How many secrets hold a key. */; readonly count: number};

function headerVerifier(secrets: readonly string[]): Keyed {
	const keys = secrets.map(readSigningKey).filter(key => key !== undefined);
	return {verify: createVerifier(keys), count: keys.length};
}

function schemeVerifier(secrets: readonly string[], scheme: NonNullable<RouteConfig['signature']>): Keyed {
	const keys = secrets.map(secret => readSchemeKey(secret, scheme)).filter(key => key !== undefined);
	return {verify: createSchemeVerifier(scheme, keys), count: keys.length};
}

const unusableSecret =
	'found a secret that is empty, names a variable that is not set, is no base64 after whsec_, or is no key of its scheme';

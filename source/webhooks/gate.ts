import {insecureSecret, isUnresolved} from '../config/refusals.ts';
import {type RouteConfig} from '../config/route-entry.ts';
import {type Problem} from '../util/problem.ts';
import {routeProblem} from './route-problem.ts';
import {readSchemeKey} from './scheme-key.ts';
import {createSchemeVerifier} from './scheme-verifier.ts';
import {readSigningKey} from './signing-key.ts';
import {createVerifier, type Verifier} from './verifier.ts';

/** Who may pass: whoever signed with one of the keys, or anyone. */
export type Gate = {readonly kind: 'signed'; readonly verify: Verifier} | {readonly kind: 'unsafe-none'};

/** Opens the gate of a route; a secret that cannot be used is a problem and opens nothing. */
export function openGate(
	config: RouteConfig,
	expand: (text: string) => string,
): {readonly gate: Gate; readonly problems: readonly Problem[]} {
	const secrets = config.secrets.map(expand);
	if (secrets.includes(insecureSecret)) {
		return {gate: {kind: 'unsafe-none'}, problems: []};
	}

	const {signature} = config;
	const known = secrets.filter(secret => !isUnresolved(secret));
	const {verify, count} = signature ? schemeVerifier(known, signature) : headerVerifier(known);
	const isComplete = count === secrets.length && count > 0;
	return {
		gate: {kind: 'signed', verify},
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

import {insecureSecret, unsetVariable} from '../../config/webhooks/refusals.ts';
import {isUnresolved, referencesIn} from '../../config/secrets/variables.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type TokenIssuer} from '../../config/webhooks/sender-rules.ts';
import {answersOf} from '../../config/webhooks/respond-entry.ts';
import {type SignatureScheme} from '../../config/webhooks/signature-scheme.ts';
import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ListFiles} from '../filters/list-file.ts';
import {compileFilters, type FindRefusal} from '../filters/filter.ts';
import {createFieldVerifier} from '../signature/field-verifier.ts';
import {createJwtVerifier} from '../signature/jwt-verifier.ts';
import {type KeySets} from '../signature/key-sets.ts';
import {createSchemeVerifier} from '../signature/scheme-verifier.ts';
import {readSchemeKey, readSigningKey} from '../signature/signing-key.ts';
import {createVerifier, type Verifier} from '../signature/signature.ts';
import {createSnsVerifier} from '../signature/sns-verifier.ts';
import {createHandshakes, type Handshakes, type ParameterChallenge} from './handshake.ts';

/** A route that is ready to receive: keys derived, patterns compiled. */
export type PreparedRoute = {
	readonly config: RouteConfig;
	readonly auth: RouteAuth;
	/** The header that carries the secret itself, in lower case: it must not reach a row. */
	readonly secretHeader: string | undefined;
	/** The methods of the route, as `Allow` has them. */
	readonly allow: string;
	/** The end of a request that verifies the URL by a parameter; undefined for any other request. */
	readonly answerChallenge: ParameterChallenge;
	/** A route that is not open verifies its senders, if it can, and tells them that it is paused. */
	readonly service: RouteService;
	/** The faults that a person should fix. */
	readonly problems: readonly Problem[];
};

/** The handling of events of the senders of a route. */
type RouteService =
	| ({readonly kind: 'open'; readonly findRefusal: FindRefusal} & Handshakes)
	| {readonly kind: 'paused'}
	/** A part of it cannot be used. */
	| {readonly kind: 'failed'; readonly reason: string};

/** The accepted senders: those with a valid signature, nobody because no secret holds a key, or anyone. */
type RouteAuth =
	| {readonly kind: 'signed'; readonly verify: Verifier}
	| {readonly kind: 'keyless'; readonly verify: Verifier}
	| {readonly kind: 'unsafe-none'};

/** Dependencies for preparing a route. */
export type PrepareOptions = {
	/** Expands the variable references of a secret; an unset one stays as written. */
	readonly expand: (text: string, profile?: string) => string;
	readonly lists: ListFiles;
	/** The lists of a route that another profile serves. Default: `lists`. */
	readonly listsOf?: (profile: string) => ListFiles;
	/** The keys of tokens. Default: none is ever found, which is enough for what receives nothing. */
	readonly keySets?: KeySets;
};

/** Prepares a route. Never throws: an unusable part is a Problem of this route alone. */
export function prepareRoute(config: RouteConfig, options: PrepareOptions): PreparedRoute {
	const {auth, problems} = createRouteAuth(config, text => options.expand(text, config.profile), options.keySets);
	const secretHeader = secretHeaderOf(config);
	const findRefusal = compileFilters(config.filters, listsFor(config, options));
	const refusals =
		findRefusal instanceof Problem ? [routeProblem(config, {code: 'pattern_refused', text: findRefusal.message})] : [];
	const found = [...problems, ...refusals];
	const {allow, answerChallenge, handshake, acknowledgement} = createHandshakes(config, text =>
		options.expand(text, config.profile),
	);
	const handshakes = {handshake, acknowledgement: withAnswers(config, acknowledgement)};
	const prepared = {config, auth, secretHeader, problems: found, allow, answerChallenge};
	if (findRefusal instanceof Problem || auth.kind === 'keyless') {
		const reason = found.map(({message}) => message).join('; ');
		return {...prepared, service: {kind: 'failed', reason}};
	}

	return {...prepared, service: config.enabled ? {kind: 'open', findRefusal, ...handshakes} : {kind: 'paused'}};
}

/** The acknowledgements of a route that answers its callers are those of their provider. */
function withAnswers({respond}: RouteConfig, acknowledgement: Handshakes['acknowledgement']): typeof acknowledgement {
	const answers = respond && answersOf(respond);
	return payload => {
		const own = acknowledgement(payload);
		return own === 'json' ? (answers ?? own) : own;
	};
}

/** The problems of routes if they were served now: refused patterns and unusable secrets. Each affects its route alone. */
export function checkRoutes(config: WebhookConfig, options: PrepareOptions): readonly Problem[] {
	return config.routes.flatMap(route => prepareRoute(route, options).problems);
}

function listsFor({profile}: RouteConfig, {lists, listsOf}: PrepareOptions): ListFiles {
	return profile === undefined ? lists : (listsOf?.(profile) ?? lists);
}

/** Reads the secrets of a route. One that holds no key verifies nothing: a warning beside a usable one, else the route cannot be served. */
export function createRouteAuth(
	config: RouteConfig,
	expand: (text: string) => string,
	keySets: KeySets = noKeys,
): {readonly auth: RouteAuth; readonly problems: readonly Problem[]} {
	const signature = config.signature && expandScheme(config.signature, expand);
	if (signature && config.issuers) {
		const issuers = config.issuers.map(issuer => expandIssuer(issuer, expand));
		return {auth: {kind: 'signed', verify: createJwtVerifier(signature, issuers, keySets)}, problems: []};
	}

	if (config.topics) {
		return {auth: {kind: 'signed', verify: createSnsVerifier(config.topics.map(expand), keySets)}, problems: []};
	}

	const secrets = config.secrets.map(expand);
	if (secrets.includes(insecureSecret)) {
		return {auth: {kind: 'unsafe-none'}, problems: []};
	}

	const known = secrets.filter(secret => !isUnresolved(secret));
	const {verify, count} = signature ? schemeVerifier(known, signature) : headerVerifier(known);
	if (count === 0) {
		return {auth: {kind: 'keyless', verify}, problems: [secretProblem(config, secrets, 'error')]};
	}

	return {
		auth: {kind: 'signed', verify},
		problems: count === secrets.length ? [] : [secretProblem(config, secrets, 'warning')],
	};
}

const noKeys: KeySets = {find: async () => ({kind: 'missing'})};

function expandIssuer({issuer, audience, email, jwks}: TokenIssuer, expand: (text: string) => string): TokenIssuer {
	return {
		issuer: expand(issuer),
		audience: expand(audience),
		email: email === undefined ? undefined : expand(email),
		jwks: expand(jwks),
	};
}

/** The scheme with the variable references of its address replaced. */
function expandScheme(scheme: SignatureScheme, expand: (text: string) => string): SignatureScheme {
	return {...scheme, url: scheme.url === undefined ? undefined : expand(scheme.url)};
}

function secretHeaderOf({signature}: RouteConfig): string | undefined {
	return signature?.algorithm === 'token' || signature?.algorithm === 'jwt' ? signature.header || undefined : undefined;
}

type Keyed = {readonly verify: Verifier /** The number of secrets that hold a key. */; readonly count: number};

function headerVerifier(secrets: readonly string[]): Keyed {
	const keys = secrets.map(readSigningKey).filter(key => key !== undefined);
	return {verify: createVerifier(keys), count: keys.length};
}

function schemeVerifier(secrets: readonly string[], scheme: NonNullable<RouteConfig['signature']>): Keyed {
	const keys = secrets.map(secret => readSchemeKey(secret, scheme)).filter(key => key !== undefined);
	const verify =
		scheme.field === undefined ? createSchemeVerifier(scheme, keys) : createFieldVerifier(scheme.field, keys);
	return {verify, count: keys.length};
}

/** The fault of the secrets that hold no key, with the remedy; never a secret itself. */
function secretProblem(config: RouteConfig, secrets: readonly string[], level: 'warning' | 'error'): Problem {
	const faults = new Set(
		secrets.map(secret => secretFault(secret, config.signature)).filter(fault => fault !== undefined),
	);
	const text = [...faults].join('; ') || 'No secret is set';
	return routeProblem(config, {code: 'route_without_secret', text, level});
}

/** The reason that a secret holds no key; undefined when it holds one. */
function secretFault(secret: string, scheme: SignatureScheme | undefined): string | undefined {
	if (isUnresolved(secret)) {
		return unsetVariable(referencesIn(secret)[0] ?? '');
	}

	if (secret.trim() === '') {
		return 'The secret is empty';
	}

	if (scheme) {
		return readSchemeKey(secret, scheme)
			? undefined
			: `The secret is not a key for its \`signature\`. Allowed: ${keyText(scheme)}`;
	}

	return readSigningKey(secret)
		? undefined
		: 'The secret is not base64 after whsec_. Copy it again from the sender, or use one without whsec_';
}

function keyText({algorithm, key}: SignatureScheme): string {
	const written = key === 'text' ? 'any text' : key;
	return publicKeyTexts.get(algorithm)?.replace('{written}', written) ?? written;
}

const publicKeyTexts: ReadonlyMap<SignatureScheme['algorithm'], string> = new Map([
	['ed25519', 'a public key of 32 bytes in {written}'],
	['ecdsa-sha256', 'a public key of P-256 as PEM or base64 SPKI, at most 8 KB'],
	['rsa-sha256', 'a public key of RSA with 2048 bits or more as PEM or base64 SPKI, at most 8 KB'],
]);

/** A problem of one route, named in its message. */
function routeProblem(
	config: RouteConfig,
	about: {
		readonly code: 'pattern_refused' | 'route_without_secret';
		readonly text: string;
		readonly level?: 'warning' | 'error';
	},
): Problem {
	return new Problem(about.code, {
		message: `route ${safeText(config.name, {maximumCharacters: 100})}: ${about.text}`,
		level: about.level,
		scope: {kind: 'route', name: config.name},
		place: config.place,
	});
}

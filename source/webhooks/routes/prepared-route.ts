import {insecureSecret} from '../../config/webhooks/refusals.ts';
import {isUnresolved} from '../../config/secrets/variables.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type SignatureScheme} from '../../config/webhooks/signature-scheme.ts';
import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ListFiles} from '../filters/list-file.ts';
import {compileFilters, type FindRefusal} from '../filters/filter.ts';
import {createSchemeVerifier} from '../signature/scheme-verifier.ts';
import {readSchemeKey, readSigningKey} from '../signature/signing-key.ts';
import {createVerifier, type Verifier} from '../signature/signature.ts';

/** A route that is ready to receive: keys derived, patterns compiled. */
export type PreparedRoute = {
	readonly config: RouteConfig;
	readonly auth: RouteAuth;
	/** The header that carries the secret itself, in lower case: it must not reach a row. */
	readonly secretHeader: string | undefined;
	/** A paused route verifies its senders, and tells them that it is paused. */
	readonly service:
		| {readonly kind: 'open'; readonly findRefusal: FindRefusal; readonly handshake: Handshake}
		| {readonly kind: 'paused'};
	/** What a person should fix. */
	readonly problems: readonly Problem[];
};

/** Who is accepted: senders with a valid signature, or anyone. */
type RouteAuth = {readonly kind: 'signed'; readonly verify: Verifier} | {readonly kind: 'unsafe-none'};

/** The response to a provider that verifies the webhook URL; undefined for an event. */
type Handshake = (payload: JsonValue) => JsonObject | undefined;

/** Dependencies for preparing a route. */
export type PrepareOptions = {
	/** Expands the variable references of a secret; an unset one stays as written. */
	readonly expand: (text: string, profile?: string) => string;
	readonly lists: ListFiles;
	/** The lists of a route that another profile serves. Default: `lists`. */
	readonly listsOf?: (profile: string) => ListFiles;
};

/** Prepares a route. Never throws: an unusable part is a Problem of this route alone. */
export function prepareRoute(config: RouteConfig, options: PrepareOptions): PreparedRoute {
	const {auth, problems} = createRouteAuth(config, text => options.expand(text, config.profile));
	const secretHeader = config.signature?.algorithm === 'token' ? config.signature.header : undefined;
	const findRefusal = compileFilters(config.filters, listsFor(config, options));
	if (findRefusal instanceof Problem) {
		const refusal = routeProblem(config, 'pattern_refused', findRefusal.message);
		return {config, auth, secretHeader, service: {kind: 'paused'}, problems: [...problems, refusal]};
	}

	const handshake: Handshake = payload => answerHandshake(config.signature?.handshake, payload);
	return {
		config,
		auth,
		secretHeader,
		service: config.enabled ? {kind: 'open', findRefusal, handshake} : {kind: 'paused'},
		problems,
	};
}

/** The problems of routes if they were served now: refused patterns and unusable secrets. Each affects its route alone. */
export function checkRoutes(config: WebhookConfig, options: PrepareOptions): readonly Problem[] {
	return config.routes.flatMap(route => prepareRoute(route, options).problems);
}

function listsFor({profile}: RouteConfig, {lists, listsOf}: PrepareOptions): ListFiles {
	return profile === undefined ? lists : (listsOf?.(profile) ?? lists);
}

/** Reads the secrets of a route; an unusable one is a problem and verifies nothing. */
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
	'found a secret that is empty, names a variable that is not set, is not base64 after whsec_, or is not a key of its scheme';

/** A problem of one route, named in its message. */
function routeProblem(config: RouteConfig, code: 'pattern_refused' | 'route_without_secret', message: string): Problem {
	return new Problem(code, {
		message: `route ${safeText(config.name, {maximumCharacters: 100})}: ${message}`,
		scope: {kind: 'route', name: config.name},
		place: config.place,
	});
}

const longestChallenge = 1000;

/** The response to a provider's request to verify the webhook URL; undefined when the payload is an event. */
function answerHandshake(kind: SignatureScheme['handshake'], payload: JsonValue): JsonObject | undefined {
	if (!isJsonObject(payload)) {
		return undefined;
	}

	const type = ownMember(payload, 'type');
	switch (kind) {
		case 'slack': {
			const challenge = ownMember(payload, 'challenge');
			const isAsked = type === 'url_verification' && typeof challenge === 'string';
			return isAsked && challenge.length <= longestChallenge ? {challenge} : undefined;
		}

		case 'discord':
			return type === 1 ? {type: 1} : undefined;
		case undefined:
			return undefined;
	}
}

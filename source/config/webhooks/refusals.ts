import {Problem} from '../../util/problem.ts';
import {type ProblemCode} from '../../util/problem-codes.ts';
import {safeText} from '../../util/safe-text.ts';
import {listFault} from '../platforms/destinations.ts';
import {isUnresolved, referencesIn} from '../secrets/variables.ts';
import {type RouteConfig} from './route-entry.ts';
import {type TokenIssuer} from './sender-rules.ts';
import {type WebhookConfig} from './webhook-entry.ts';

/** The secret that disables signatures (docs/webhooks.md, Routes and profiles). */
export const insecureSecret = 'INSECURE_NO_AUTH';

/** The hosts that allow a route without signatures (docs/webhooks.md, Signatures). */
const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '::1'];

/** Expands the variable references in a text, with the secrets of a profile if one is named. */
export type Expand = (text: string, profile?: string) => string;

/**
All reasons why the webhook adapter must not start (docs/webhooks.md, When the receiver does not start). They apply to every configured route,
served or not. Empty when the adapter is disabled.
*/
export function webhookRefusals(config: WebhookConfig, expand: Expand): readonly Problem[] {
	if (!config.enabled) {
		return [];
	}

	const broken = config.brokenRoutes.flatMap(({route}) => (route ? [route] : []));
	return [...config.routes, ...broken]
		.sort((first, second) => (first.place?.line ?? 0) - (second.place?.line ?? 0))
		.flatMap(route => routeRefusals(route, config.host, expand));
}

/** The refusals of one route; a subscription follows the same rules. */
export function routeRefusals(route: RouteConfig, host: string, expand: Expand): readonly Problem[] {
	return [
		withoutSecret(route, expand),
		withoutAddress(route, expand),
		insecureOnPublicHost(route, host, expand),
		deliverOnlyWithoutTarget(route),
		deliverOnlyWithCron(route),
		coalesceConflict(route),
		challengeWithoutToken(route, expand),
		refusedList(route),
		respondConflict(route),
	].filter(problem => problem !== undefined);
}

/** True for the hosts on which INSECURE_NO_AUTH is accepted. */
export function isLoopbackHost(host: string): boolean {
	return loopbackHosts.includes(host.toLowerCase());
}

function secretsOf({secrets, profile}: RouteConfig, expand: Expand): readonly string[] {
	return secrets.map(secret => expand(secret, profile));
}

/** Refusal 1. An unresolved reference is not a secret: anyone who knows the configuration could sign with it. */
function withoutSecret(route: RouteConfig, expand: Expand): Problem | undefined {
	if (route.issuers) {
		return withoutIssuer(route, route.issuers, expand);
	}

	if (route.topics) {
		return withoutTopic(route, route.topics, expand);
	}

	const secrets = secretsOf(route, expand);
	if (secrets.some(secret => secret.trim() !== '' && !isUnresolved(secret))) {
		return undefined;
	}

	const [variable] = referencesIn(secrets.filter(isUnresolved));
	return variable === undefined
		? onRoute(route, 'route_without_secret', 'No secret is set')
		: onRoute(route, 'route_without_secret', unsetVariable(variable), setVariableRemedy(variable));
}

/** Refusal 1 for tokens: a text or the global secret never takes the place of an issuer, for its keys sign for all its customers. */
function withoutIssuer(route: RouteConfig, issuers: readonly TokenIssuer[], expand: Expand): Problem | undefined {
	const faults = issuers.map(issuer => issuerFault(issuer, text => expand(text, route.profile)));
	const [fault] =
		issuers.length === 0 ? ['The secret is not a mapping with audience'] : faults.filter(one => one !== undefined);
	return fault === undefined
		? undefined
		: onRoute(
				route,
				'route_without_secret',
				fault,
				'Set `secret` to a mapping with issuer, audience, jwks, and the email of the account that sends',
			);
}

function issuerFault(
	{issuer, audience, email, jwks}: TokenIssuer,
	expand: (text: string) => string,
): string | undefined {
	const members = Object.entries({issuer, audience, email, jwks}).filter(([, text]) => text !== undefined);
	const missing = members.find(([, text]) => expand(text ?? '').trim() === '' || isUnresolved(expand(text ?? '')));
	if (missing) {
		return `\`${missing[0]}\` of its secret is not set`;
	}

	const address = expand(jwks);
	return URL.canParse(address) && new URL(address).protocol === 'https:'
		? undefined
		: '`jwks` of its secret is not an https address';
}

/** Refusal 1 for SNS, whose certificates serve the topics of all its customers. */
function withoutTopic(route: RouteConfig, topics: readonly string[], expand: Expand): Problem | undefined {
	const isSet = (text: string) => text.trim() !== '' && !isUnresolved(text);
	if (topics.length > 0 && topics.every(topic => isSet(expand(topic, route.profile)))) {
		return undefined;
	}

	const fault =
		topics.length === 0 ? 'The secret is not a mapping with topic_arn' : '`topic_arn` of its secret is not set';
	return onRoute(route, 'route_without_secret', fault, 'Set `secret` to a mapping with the topic_arn of the topic');
}

/** Refusal 9. A sender that signs the address would never match one whose variable has no value. */
function withoutAddress({signature, ...route}: RouteConfig, expand: Expand): Problem | undefined {
	const address = signature?.url === undefined ? '' : expand(signature.url, route.profile);
	const [variable = ''] = referencesIn(address);
	return isUnresolved(address)
		? onRoute(
				route,
				'route_without_address',
				`The variable ${safeText(variable, {maximumCharacters: 100})} of \`url\` of its signature is not set`,
				setVariableRemedy(variable),
			)
		: undefined;
}

/** The fault of a secret whose variable has no value. */
export function unsetVariable(name: string): string {
	return `The variable ${safeText(name, {maximumCharacters: 100})} of its secret is not set`;
}

/** The remedy for a secret whose variable has no value. */
export function setVariableRemedy(name: string): string {
	return `Add the line \`${safeText(name, {maximumCharacters: 100})}=…\` to .env, then run \`sluice reload\``;
}

/** Refusal 2. */
function insecureOnPublicHost(route: RouteConfig, host: string, expand: Expand): Problem | undefined {
	return !isLoopbackHost(host) && secretsOf(route, expand).some(secret => secret.trim() === insecureSecret)
		? onRoute(
				route,
				'insecure_public_bind',
				`INSECURE_NO_AUTH is not allowed on host ${safeText(host, {maximumCharacters: 100})}. Allowed hosts: ${loopbackHosts.join(', ')}`,
			)
		: undefined;
}

/** Refusal 3. */
function deliverOnlyWithoutTarget(route: RouteConfig): Problem | undefined {
	return route.action === 'deliver-only' && route.deliver.some(({target}) => target === 'log')
		? onRoute(
				route,
				'deliver_only_without_target',
				'deliver_only does not work with `deliver: log`. Choose another target',
			)
		: undefined;
}

/** Refusal 4. */
function deliverOnlyWithCron(route: RouteConfig): Problem | undefined {
	return route.action === 'deliver-only' && route.cronJob !== undefined
		? onRoute(route, 'deliver_only_with_cron', 'cron_job and deliver_only cannot be combined. Remove one of them')
		: undefined;
}

/** Refusal 5. */
function coalesceConflict(route: RouteConfig): Problem | undefined {
	return route.coalesce && (route.action === 'deliver-only' || route.cronJob !== undefined)
		? onRoute(
				route,
				'coalesce_conflict',
				'coalesce cannot be combined with deliver_only or cron_job. Remove coalesce, or the other',
			)
		: undefined;
}

/** Refusal 6. Without the token anybody could pass the check of the address. */
function challengeWithoutToken(route: RouteConfig, expand: Expand): Problem | undefined {
	const {challenge, profile} = route;
	if (challenge?.kind !== 'parameter' || challenge.tokenParameter === undefined) {
		return undefined;
	}

	const token = expand(challenge.token ?? '', profile);
	if (token.trim() !== '' && !isUnresolved(token)) {
		return undefined;
	}

	const [variable] = referencesIn(token);
	const remedy = 'Set `challenge.token` of the route to the text that is entered at the provider';
	return onRoute(
		route,
		'route_without_secret',
		'The token of its challenge is not set',
		variable === undefined ? remedy : setVariableRemedy(variable),
	);
}

/** Refusal 7. */
function refusedList(route: RouteConfig): Problem | undefined {
	const {deliver, onFailure = deliver} = route;
	const faults = [listFault(deliver), listFault(onFailure)];
	const fault = faults.find(one => one !== undefined);
	return fault === undefined ? undefined : onRoute(route, 'deliver_list_invalid', fault);
}

/** Refusal 8. The result of a job, or of a group, is that of no single event. */
function respondConflict(route: RouteConfig): Problem | undefined {
	return route.respond && (route.cronJob !== undefined || route.coalesce)
		? onRoute(
				route,
				'respond_conflict',
				'respond cannot be combined with cron_job or coalesce. Remove respond, or the other',
			)
		: undefined;
}

function onRoute(
	route: Pick<RouteConfig, 'name' | 'place'>,
	code: ProblemCode,
	message: string,
	remedy?: string,
): Problem {
	const name = safeText(route.name, {maximumCharacters: 100});
	return new Problem(code, {
		message: `route ${name}: ${message}`,
		...(remedy !== undefined && {remedy}),
		scope: {kind: 'route', name: route.name},
		place: route.place,
	});
}

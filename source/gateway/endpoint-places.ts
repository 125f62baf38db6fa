import {endpointTokenName, ensureEndpointToken} from '../config/endpoint-token.ts';
import {isUnresolved} from '../config/refusals.ts';
import {type MetricsRule} from '../tools/endpoint/admit-request.ts';
import {type EndpointPlace} from '../tools/endpoint/endpoint-listener.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {endpointTools} from './endpoint-tools.ts';
import {type Profile} from './profiles.ts';

/** The tools of a profile with the token that opens them, or why they are not offered. */
export type PlaceReading =
	| {readonly kind: 'open'; readonly place: EndpointPlace}
	| {readonly kind: 'off'}
	| {readonly kind: 'failed'; readonly reason: string};

/**
Where the token of a profile may stand when none is configured: a process has one token in its environment, and it must not open every
profile (spec/decisions.md, D12).
*/
export type TokenSources = 'environment-and-own-file' | 'own-file';

/** Reads where the tools of a profile are offered. A token is made and kept when there is none. Never rejects. */
export async function readPlace(profile: Profile, sources: TokenSources): Promise<PlaceReading> {
	const {name, foundation} = profile;
	if (!foundation.current().config.gateway.endpoint.enabled) {
		return {kind: 'off'};
	}

	try {
		const token = await tokenOf(profile, sources);
		foundation.redactor.learn(token);
		return {kind: 'open', place: {profile: name, token, tools: endpointTools(profile)}};
	} catch (caught) {
		return {kind: 'failed', reason: toProblem(caught).message};
	}
}

/** Who may read the metrics. */
export function metricsRule({foundation}: Profile): MetricsRule {
	const {enabled, token: written} = foundation.current().config.metrics;
	if (!enabled) {
		return {kind: 'off'};
	}

	if (written === undefined) {
		return {kind: 'loopback'};
	}

	const token = foundation.expand(written);
	foundation.redactor.learn(token);
	// A reference that stays as written is no secret: nobody may read the metrics then.
	return {kind: 'token', token: isUnresolved(token) ? '' : token};
}

/** The configured token, else that of the variables, else one that is kept in `.env`. */
async function tokenOf({foundation}: Profile, sources: TokenSources): Promise<string> {
	const {config, secrets} = foundation.current();
	const written = config.gateway.endpoint.token;
	if (written === undefined) {
		const set = sources === 'own-file' ? undefined : secrets.variables(endpointTokenName);
		return set ?? ensureEndpointToken(foundation.paths);
	}

	const token = foundation.expand(written);
	if (isUnresolved(token)) {
		throw new Problem('config_invalid', {message: 'gateway.endpoint.token refers to a variable that is not set'});
	}

	return token;
}

import {endpointTokenName, ensureEndpointToken} from '../../config/secrets/env-file.ts';
import {isUnresolved} from '../../config/secrets/variables.ts';
import {type MetricsRule} from '../../tools/endpoint/authorize-request.ts';
import {type EndpointProfile} from '../../tools/endpoint/endpoint-listener.ts';
import {type EndpointTools} from '../../tools/endpoint/endpoint-tools.ts';
import {errorText, Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ToolService} from './tool-service.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type Profile} from './profiles.ts';

/** The tools of a profile with the token that opens them, or why they are not offered. */
type EndpointReading =
	| {readonly kind: 'open'; readonly profile: EndpointProfile}
	| {readonly kind: 'off'}
	| {readonly kind: 'failed'; readonly reason: string};

/**
Sources of a profile's token if none is configured. A process has one token in its environment, and it must not open every profile
(docs/configuration.md, Profiles).
*/
type TokenSources = 'environment-and-own-file' | 'own-file';

/** Reads where the tools of a profile are offered. A token is made and kept when there is none. Never rejects. */
export async function readEndpointProfile(profile: Profile, sources: TokenSources): Promise<EndpointReading> {
	const {name, context} = profile;
	if (!context.current().config.gateway.endpoint.enabled) {
		return {kind: 'off'};
	}

	try {
		const token = await tokenOf(profile, sources);
		context.redactor.learn(token);
		return {kind: 'open', profile: {profile: name, token, tools: endpointTools(profile)}};
	} catch (caught) {
		return {kind: 'failed', reason: toProblem(caught).message};
	}
}

/** Access to the metrics: off, open, or with a token. */
export function metricsRule({context}: Profile): MetricsRule {
	const {enabled, token: written} = context.current().config.metrics;
	if (!enabled) {
		return {kind: 'off'};
	}

	if (written === undefined) {
		return {kind: 'loopback'};
	}

	const token = context.expand(written);
	context.redactor.learn(token);
	// A reference that stays as written is no secret: nobody may read the metrics then.
	return {kind: 'token', token: isUnresolved(token) ? '' : token};
}

/** The configured token, else that of the variables, else one that is kept in `.env`. */
async function tokenOf({context}: Profile, sources: TokenSources): Promise<string> {
	const {config, secrets} = context.current();
	const written = config.gateway.endpoint.token;
	if (written === undefined) {
		const set = sources === 'own-file' ? undefined : secrets.variables(endpointTokenName);
		return set ?? ensureEndpointToken(context);
	}

	const token = context.expand(written);
	if (isUnresolved(token)) {
		throw new Problem('config_invalid', {message: 'gateway.endpoint.token refers to a variable that is not set'});
	}

	return token;
}

/** The tools of a profile as programs outside get them, over HTTP and over stdio. */
export function endpointTools(parts: {
	readonly context: Pick<ProfileContext, 'clock' | 'redactor' | 'version'>;
	readonly tools: Pick<ToolService, 'catalogue' | 'callTool' | 'firstSettled'>;
}): EndpointTools {
	const {clock, redactor, version} = parts.context;
	const {catalogue, callTool, firstSettled} = parts.tools;
	return {...catalogue, callTool, ready: firstSettled, redact: redactor.redact, clock, version};
}

/** Takes the errors of the library that serves clients: mostly clients that went away in the middle. */
export function reportTo({publish}: Pick<ProfileContext, 'publish'>): (error: Error) => void {
	return error => publish({type: 'log', level: 'debug', area: 'endpoint', text: safeText(errorText(error))});
}

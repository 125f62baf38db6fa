import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {endpointTokenName, ensureEndpointToken} from '../../config/secrets/env-file.ts';
import {isUnresolved} from '../../config/secrets/variables.ts';
import {type MetricsRule} from '../../tools/endpoint/authorize-request.ts';
import {type EndpointProfile} from '../../tools/endpoint/endpoint-listener.ts';
import {type EndpointTools} from '../../tools/endpoint/endpoint-tools.ts';
import {boundHost} from '../../util/http-server.ts';
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

	const read = readToken(written, context.expand);
	switch (read.kind) {
		case 'none':
			return {kind: 'loopback'};
		case 'unset':
			// Nobody may read the metrics.
			return {kind: 'token', token: ''};
		case 'token':
			context.redactor.learn(read.token);
			return read;
	}
}

/** A token of the configuration with its references replaced. `unset`: it names a variable that is not set, and opens nothing. */
type WrittenToken =
	| {readonly kind: 'none'}
	| {readonly kind: 'unset'}
	| {readonly kind: 'token'; readonly token: string};

/** Reads the token of the endpoint or of the metrics as it is written in the configuration. */
export function readToken(written: string | undefined, expand: ProfileContext['expand']): WrittenToken {
	if (written === undefined) {
		return {kind: 'none'};
	}

	const token = expand(written);
	return isUnresolved(token) ? {kind: 'unset'} : {kind: 'token', token};
}

/** The fault of a configuration that sets webhooks and the endpoint to one port: the second of them to start cannot listen, whichever it is. */
export function sharedPortText({webhook, gateway}: Pick<GatewayConfig, 'webhook' | 'gateway'>): string | undefined {
	const {host, port} = gateway.endpoint;
	const [first, second] = [webhook.host, host].map(boundHost);
	const isEvery = [first, second].some(name => name === '0.0.0.0' || name === '::' || name === '');
	return webhook.enabled && port !== 0 && webhook.port === port && (first === second || isEvery)
		? `Webhooks and the endpoint are both set to port ${port}; only one of them can listen`
		: undefined;
}

/** The configured token, else that of the variables, else one that is kept in `.env`. */
async function tokenOf({context}: Profile, sources: TokenSources): Promise<string> {
	const {config, secrets} = context.current();
	const read = readToken(config.gateway.endpoint.token, context.expand);
	switch (read.kind) {
		case 'none': {
			const set = sources === 'own-file' ? undefined : secrets.variables(endpointTokenName);
			return set ?? ensureEndpointToken(context);
		}

		case 'unset':
			throw new Problem('config_invalid', {message: 'gateway.endpoint.token refers to a variable that is not set'});
		case 'token':
			return read.token;
	}
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

import {type ElicitationRule, type EndpointClientConfig, type ToolFilter} from '../../config/read/endpoint-clients.ts';
import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {endpointTokenName, ensureEndpointToken} from '../../config/secrets/env-file.ts';
import {isUnresolved} from '../../config/secrets/variables.ts';
import {type MetricsRule} from '../../tools/endpoint/authorize-request.ts';
import {type EndpointClient} from '../../tools/endpoint/endpoint-listener.ts';
import {type AdmittedClient} from '../../tools/endpoint/evaluate-task.ts';
import {withPermissionPrompt} from '../../tools/endpoint/permission-prompt.ts';
import {hashJson} from '../../util/json-hash.ts';
import {boundHost} from '../../util/http-server.ts';
import {errorText, Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {clientIdentity, endpointTools} from './endpoint-clients.ts';
import {type KnownClients} from './endpoint-tasks.ts';
import {type Profile} from './profiles.ts';

/** The clients of a profile with their tools, and why others are none; or why its tools are not offered. */
type EndpointReading =
	| {
			readonly kind: 'open';
			readonly clients: readonly EndpointClient[];
			readonly known: KnownClients;
			readonly faults: readonly string[];
	  }
	| {readonly kind: 'off'}
	| {readonly kind: 'failed'; readonly reason: string};

/**
Sources of a profile's token if none is configured. A process has one token in its environment, and it must not open every profile
(docs/configuration.md, Profiles).
*/
type TokenSources = 'environment-and-own-file' | 'own-file';

/** Reads which clients a profile has. The token of the endpoint is made and kept when there is none. Never rejects. */
export async function readEndpointClients(profile: Profile, sources: TokenSources): Promise<EndpointReading> {
	const {enabled, clients} = profile.context.current().config.gateway.endpoint;
	if (!enabled) {
		return {kind: 'off'};
	}

	if (clients.kind === 'broken') {
		return {kind: 'failed', reason: `gateway.endpoint.clients admits nobody: ${clients.reason}`};
	}

	const {tokens, faults} = await readTokens(profile, {clients: clients.clients, sources});
	const [reason = 'gateway.endpoint.clients has no client'] = faults;
	if (tokens.length === 0) {
		return {kind: 'failed', reason};
	}

	const admitted = tokens.map(client => endpointClient(profile, client));
	// One whose token cannot be read is not removed.
	const known = new Map<string, AdmittedClient>(
		[...clients.clients].filter(([, {kind}]) => kind === 'on').map(([name]) => [name, {kind: 'unknown'}]),
	);
	admitted.forEach(({name, identity, tools}) => known.set(name, {kind: 'admitted', identity, tools}));
	return {kind: 'open', clients: admitted, known, faults};
}

/** A client that may be admitted. */
type ClientToken = {
	readonly name: string;
	readonly token: string;
	readonly filter: ToolFilter;
	readonly permissionPrompt: 'offered' | 'off';
	readonly elicitation: ElicitationRule;
};

/** The tokens of the clients. One that cannot be read, or that two clients have, is a fault and opens nothing. */
async function readTokens(
	profile: Profile,
	{clients, sources}: {readonly clients: ReadonlyMap<string, EndpointClientConfig>; readonly sources: TokenSources},
): Promise<{readonly tokens: readonly ClientToken[]; readonly faults: readonly string[]}> {
	const read: ClientToken[] = [];
	const faults: string[] = [];
	for (const [name, client] of clients) {
		if (client.kind === 'on') {
			const token = await tokenOf(profile, {written: client.token, name, sources}).catch((caught: unknown) => {
				faults.push(toProblem(caught).message);
			});
			if (token !== undefined) {
				// Also one that is refused is a secret.
				profile.context.redactor.learn(token);
				const {permissionPrompt, elicitation} = client;
				read.push({name, token, filter: client.tools, permissionPrompt, elicitation});
			}
		}
	}

	const shared = read.filter(({token}) => read.filter(other => other.token === token).length > 1);
	const names = shared.map(({name}) => name).join(' and ');
	return {
		tokens: read.filter(client => !shared.includes(client)),
		faults: [...faults, ...(names === '' ? [] : [`The clients ${names} have the same token`])],
	};
}

function endpointClient(profile: Profile, {name, token, filter, permissionPrompt, elicitation}: ClientToken) {
	const identity = clientIdentity(token, filter);
	const tools = {...endpointTools(profile, {name}, {identity, filter}), elicitation};
	return {
		key: hashJson([profile.name, name, identity, permissionPrompt, elicitation]),
		name,
		identity,
		token,
		tools: permissionPrompt === 'offered' ? withPermissionPrompt(tools, profile.tools.decideHook, name) : tools,
	};
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

/** The token that is written for a client. That of `default` is the endpoint's: the configured one, else that of the variables, else one that is kept in `.env`. */
async function tokenOf(
	{context}: Profile,
	{
		written,
		name,
		sources,
	}: {readonly written: string | undefined; readonly name: string; readonly sources: TokenSources},
): Promise<string> {
	const {config, secrets} = context.current();
	const isOfEndpoint = written === undefined;
	const read = readToken(isOfEndpoint ? config.gateway.endpoint.token : written, context.expand);
	switch (read.kind) {
		case 'none': {
			const set = sources === 'own-file' ? undefined : secrets.variables(endpointTokenName);
			return set ?? ensureEndpointToken(context);
		}

		case 'unset': {
			const key = isOfEndpoint ? 'gateway.endpoint.token' : `gateway.endpoint.clients.${name}.token`;
			throw new Problem('config_invalid', {message: `${key} refers to a variable that is not set`});
		}

		case 'token':
			return read.token;
	}
}

/** Takes the errors of the library that serves clients: mostly clients that went away in the middle. */
export function reportTo({publish}: Pick<ProfileContext, 'publish'>): (error: Error) => void {
	return error => publish({type: 'log', level: 'debug', area: 'endpoint', text: safeText(errorText(error))});
}

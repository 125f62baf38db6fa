import {type EndpointClientConfig} from '../../config/read/endpoint-clients.ts';
import {endpointTokenName} from '../../config/secrets/env-file.ts';
import {isUnresolved} from '../../config/secrets/variables.ts';
import {type ClientJson} from '../../state/json/client.ts';
import {defaultClient} from '../../state/origin.ts';
import {Problem} from '../../util/problem.ts';
import {type Session} from '../cli/session.ts';
import {loadConfigSession} from '../mcp/config-session.ts';

/** The clients of a profile, and the token of each that has one. */
export type ReadClients = {
	readonly rows: readonly ClientJson[];
	readonly tokenOf: (name: string) => string | undefined;
};

/** Reads the clients as a start would. Rejects with `config_invalid` when they cannot be used. */
export async function readClients(session: Session): Promise<ReadClients> {
	const {config, expand} = await loadConfigSession(session);
	const {endpoint} = config.gateway;
	if (endpoint.clients.kind === 'broken') {
		throw new Problem('config_invalid', {message: endpoint.clients.reason});
	}

	const entries = endpoint.clients.clients;
	const tokens = new Map<string, string>();
	const written = (name: string, client: EndpointClientConfig & {readonly kind: 'on'}) =>
		client.token ?? (name === defaultClient ? (endpoint.token ?? `\${${endpointTokenName}}`) : '');
	for (const [name, client] of entries) {
		const token = client.kind === 'on' ? expand(written(name, client)) : '';
		if (token !== '' && !isUnresolved(token)) {
			tokens.set(name, token);
		}
	}

	const rows = [...entries].map(([name, client]): ClientJson => {
		if (client.kind === 'off') {
			return {name, state: 'off', variable: null, include: null, exclude: [], elicitation: false};
		}

		const token = tokens.get(name);
		const isShared = [...tokens].some(([other, one]) => other !== name && one === token);
		const [, variableOfToken = null] = /^\$\{([A-Za-z_]\w*)\}$/u.exec(written(name, client)) ?? [];
		const {include, exclude} = client.tools;
		return {
			name,
			state: token === undefined ? stateWithout(name, endpoint.token) : isShared ? 'same-token' : 'ready',
			variable: variableOfToken,
			include: include ?? null,
			exclude,
			elicitation: client.elicitation === 'asked',
		};
	});
	return {rows, tokenOf: name => tokens.get(name)};
}

/** The state of a client whose token is not set: that of the endpoint is made at the first start unless it is configured. */
function stateWithout(name: string, ofEndpoint: string | undefined): ClientJson['state'] {
	return name === defaultClient && ofEndpoint === undefined ? 'new' : 'no-token';
}

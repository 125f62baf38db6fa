import {isSecretName} from '../util/redact.ts';
import {type Expand} from './refusals.ts';
import {type ServerConfig} from './server-entry.ts';
import {type WebhookConfig} from './webhook-entry.ts';

/** The secrets that stand in the configuration itself, references resolved: they join those of the `.env` for the redactor. */
export function configuredSecrets(
	config: {readonly servers: readonly ServerConfig[]; readonly webhook: WebhookConfig},
	expand: Expand,
): readonly string[] {
	const {webhook} = config;
	const routes = [...webhook.routes, ...webhook.brokenRoutes.flatMap(({route}) => (route ? [route] : []))];
	const written = [
		...webhook.secrets,
		...routes.flatMap(route => route.secrets),
		...config.servers.flatMap(secretsOfServer),
	];
	return [...new Set(written.map(expand).flatMap(withoutScheme))];
}

function secretsOfServer({transport}: ServerConfig): readonly string[] {
	switch (transport.kind) {
		case 'stdio':
			return secretMembers(transport.env);
		case 'http':
		case 'sse': {
			const password = transport.tls.clientCertificate?.keyPassword;
			return [...secretMembers(transport.headers), ...(password ? [password] : [])];
		}
	}
}

function secretMembers(texts: Readonly<Record<string, string>>): readonly string[] {
	return Object.entries(texts).flatMap(([name, value]) => (isSecretName(name) && value !== '' ? [value] : []));
}

/** `Bearer abc` is as secret as `abc` alone. */
function withoutScheme(secret: string): readonly string[] {
	const bare = /^(?:Bearer|Basic|Token) +(\S.*)$/iu.exec(secret)?.[1];
	return bare === undefined ? [secret] : [secret, bare];
}

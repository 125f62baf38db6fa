import {isSecretSetting} from '../../util/redact.ts';
import {platformSecrets, platformSettings, type SettingScope} from '../platforms/platform-settings.ts';
import {secretsOfRemote} from '../read/remote-config.ts';
import {type GatewayConfig} from '../read/gateway-config.ts';
import {type ServerConfig} from '../servers/server-entry.ts';
import {challengeTokens} from '../webhooks/sender-rules.ts';

/** The secrets in the configuration itself, references resolved: the redactor masks them like those in `.env`. */
export function configuredSecrets(
	config: Pick<GatewayConfig, 'servers' | 'webhook' | 'platforms' | 'model' | 'visionModel' | 'search' | 'approvals'>,
	scope: SettingScope,
): readonly string[] {
	const {webhook} = config;
	const routes = [...webhook.routes, ...webhook.brokenRoutes.flatMap(({route}) => (route ? [route] : []))];
	const written = [
		...webhook.secrets,
		...routes.flatMap(route => [...route.secrets, ...challengeTokens(route)]),
		...config.servers.flatMap(secretsOfServer),
		...secretsOfRemote(config.approvals.remote),
		...[config.model, config.visionModel, config.search].flatMap(service => service?.apiKey ?? []),
		...[config.model.baseUrl, config.visionModel?.baseUrl, config.search.url].flatMap(url =>
			secretsOfAddress(url ?? ''),
		),
	];
	const platforms = config.platforms.flatMap(platform => platformSecrets(platformSettings(platform, scope)));
	return [...new Set([...written.map(text => scope.expand(text)).flatMap(withoutScheme), ...platforms])];
}

function secretsOfServer({transport}: ServerConfig): readonly string[] {
	switch (transport.kind) {
		case 'stdio':
			return [
				...secretMembers(transport.env),
				...secretArguments(transport.args),
				...[...transport.args, ...Object.values(transport.env)].flatMap(secretsOfAddress),
			];
		case 'http':
		case 'sse': {
			const own = [transport.tls.clientCertificate?.keyPassword, transport.oauth?.clientSecret];
			return [
				...secretMembers(transport.headers),
				...own.filter(secret => secret !== undefined),
				...secretsOfAddress(transport.url),
			];
		}
	}
}

function secretMembers(texts: Readonly<Record<string, string>>): readonly string[] {
	return Object.entries(texts).flatMap(([name, value]) => (isSecretSetting(name) && value !== '' ? [value] : []));
}

/** `--token abc`, `--token=abc` and `TOKEN=abc`. */
function secretArguments(args: readonly string[]): readonly string[] {
	return args.flatMap((argument, index) => {
		const assignment = /^-{0,2}([\w.-]+)=(.+)$/su.exec(argument);
		if (assignment) {
			return isSecretSetting(assignment[1] ?? '') ? [assignment[2] ?? ''] : [];
		}

		const flag = /^--?([\w.-]+)$/u.exec(args[index - 1] ?? '')?.[1];
		return flag !== undefined && isSecretSetting(flag) && !argument.startsWith('-') ? [argument] : [];
	});
}

/** The password and the secret-looking parameters of a URL, also inside a setting. */
export function secretsOfAddress(text: string): readonly string[] {
	if (!URL.canParse(text)) {
		return [];
	}

	const {password, searchParams} = new URL(text);
	const parameters = [...searchParams].flatMap(([name, value]) => (isSecretSetting(name) ? [value] : []));
	return [password, ...parameters].filter(secret => secret !== '');
}

/** `Bearer abc` is as secret as `abc` alone. */
export function withoutScheme(secret: string): readonly string[] {
	const bare = /^(?:Bearer|Basic|Token) +(\S.*)$/iu.exec(secret)?.[1];
	return bare === undefined ? [secret] : [secret, bare];
}

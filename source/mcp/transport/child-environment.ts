import {type TransportConfig} from '../../config/servers/server-transport.ts';

const passedNames = new Set(['PATH', 'HOME', 'USER', 'LANG', 'TERM', 'SHELL', 'TMPDIR']);
const passedPrefixes = ['LC_', 'XDG_'];

type StdioConfig = Extract<TransportConfig, {kind: 'stdio'}>;

/** The environment of a child process: the inherited part (docs/connections.md, States) and `own`; nothing else, so that no secret leaks into a server. */
export function childEnvironment(
	inherited: Readonly<Record<string, string | undefined>>,
	own: Readonly<Record<string, string>>,
): Record<string, string> {
	const passed = Object.entries(inherited).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && isInherited(entry[0]),
	);
	return {...Object.fromEntries(passed), ...own};
}

/** The variables that an entry names in `pass_env`, as its references have them: from `.env`, else from the environment. Unset ones are left out. */
export function namedVariables(names: readonly string[], expand: (text: string) => string): Record<string, string> {
	return Object.fromEntries(
		names.flatMap((name): Array<[string, string]> => {
			const value = valueOf(name, expand);
			return value === undefined ? [] : [[name, value]];
		}),
	);
}

/**
Variables without which programs often cannot reach the network, or not through the proxy and authorities of a company, and what a failure
says that can have to do with them.
*/
const helpfulNames: ReadonlyArray<{readonly names: readonly string[]; readonly failure: RegExp}> = [
	{
		names: ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'npm_config_cafile'],
		failure: /certificat|\bcert|self.signed|issuer|unable.to.verify|\b(?:tls|ssl|x509)|did not answer/iu,
	},
	{
		names: [
			'HTTPS_PROXY',
			'https_proxy',
			'HTTP_PROXY',
			'http_proxy',
			'ALL_PROXY',
			'all_proxy',
			'NO_PROXY',
			'no_proxy',
			'NPM_CONFIG_REGISTRY',
			'npm_config_registry',
			'npm_config_proxy',
			'npm_config_https_proxy',
			'npm_config_userconfig',
			'PIP_INDEX_URL',
			'UV_INDEX_URL',
		],
		failure:
			/\bproxy|network|registry|resolv|getaddrinfo|fetch|download|connect to|connection (?:refused|reset|timed|error)|socket|\btim(?:ed?.?)out|did not answer|\b(?:ENOTFOUND|ECONN\w+|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|E40[1347])\b/iu,
	},
	{
		names: ['npm_config_cache', 'npm_config_userconfig', 'UV_CACHE_DIR'],
		failure: /\bcache|read-only|permission denied|\b(?:EACCES|EPERM|EROFS|ENOSPC)\b/iu,
	},
];

/** Variables that are set for Sluice, that a stdio server does not get, and without which programs often retry for a long time in silence. */
export function silentlyWithheldNames(
	transport: StdioConfig,
	options: Pick<WithheldOptions, 'expand' | 'fileVariables'>,
): readonly string[] {
	return withheldNames(transport, {...options, stderr: [], reason: 'The server did not answer'});
}

/** Variables of shells: they say nothing about the needs of a program. */
const shellNames: ReadonlySet<string> = new Set(['PWD', 'OLDPWD', 'SHLVL']);
const maxNames = 6;

type WithheldOptions = {
	readonly expand: (text: string) => string;
	/** Names of the variables in its `env_file`. */
	readonly fileVariables: readonly string[];
	readonly stderr: readonly string[];
	/** The reason that it does not run. */
	readonly reason?: string | undefined;
};

/**
Variables that are set for Sluice, that a stdio server does not get, and that may be what it lacks: those that the end of its stderr names,
and those of proxies, certificates and registries where the failure speaks of such.
*/
export function withheldNames(
	{env, passEnv = []}: Pick<StdioConfig, 'env' | 'passEnv'>,
	{expand, fileVariables, stderr, reason = ''}: WithheldOptions,
): readonly string[] {
	const named = stderr.flatMap(
		line => line.match(/\b[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+\b|\b[A-Z][A-Z0-9]{2,}\b/gu) ?? [],
	);
	const isWithheld = (name: string) =>
		!isInherited(name) &&
		!shellNames.has(name) &&
		!Object.hasOwn(env, name) &&
		!passEnv.includes(name) &&
		!fileVariables.includes(name) &&
		valueOf(name, expand) !== undefined;
	const failure = [reason, ...stderr].join('\n');
	const helpful = helpfulNames.filter(group => group.failure.test(failure)).flatMap(({names}) => names);
	return [...new Set([...named, ...helpful])].filter(isWithheld).slice(0, maxNames);
}

function isInherited(name: string): boolean {
	return passedNames.has(name) || passedPrefixes.some(prefix => name.startsWith(prefix));
}

function valueOf(name: string, expand: (text: string) => string): string | undefined {
	const reference = `\${env:${name}}`;
	const value = expand(reference);
	return value === reference ? undefined : value;
}

import {type Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type OauthConfig, parseLogin} from './oauth-entry.ts';
import {refuse, type Section, warn} from '../values/section.ts';
import {type ServerEntry} from './server-schema.ts';
import {toBoolean, toText, toTextMapping, toTexts} from '../values/fields.ts';

/** The verification of a remote server's certificate; the unsafe option has a searchable name. */
export type TlsVerification =
	| {readonly kind: 'system'}
	| {readonly kind: 'bundle'; readonly path: string}
	| {readonly kind: 'unsafe-none'};

/** The client certificate of Sluice. Paths may begin with `~`. */
export type ClientCertificate = {
	readonly certificatePath: string;
	/** Absent when the certificate file also contains the key. */
	readonly keyPath?: string;
	readonly keyPassword?: string;
};

export type TlsConfig = {
	readonly verification: TlsVerification;
	readonly clientCertificate?: ClientCertificate;
};

/** The transport to the server. Variable references are unresolved; they are expanded at connect time (docs/configuration.md, How values are read). */
export type TransportConfig =
	| {
			readonly kind: 'stdio';
			readonly command: string;
			readonly args: readonly string[];
			readonly env: Readonly<Record<string, string>>;
			/** Names of variables that are passed on; absent: none. */
			readonly passEnv?: readonly string[];
			/** The folder it starts in; may begin with `~`. Absent: that of Sluice. */
			readonly cwd?: string;
			/** The path of a file with more variables; may begin with `~`. */
			readonly envFile?: string;
	  }
	| {
			readonly kind: 'http' | 'sse';
			readonly url: string;
			readonly headers: Readonly<Record<string, string>>;
			readonly tls: TlsConfig;
			/** The check of the content type before the first handshake; Streamable HTTP only. */
			readonly preflight: 'probe' | 'skip';
			/** The login settings; absent: no login. */
			readonly oauth?: OauthConfig;
	  };

/** The transport to the server, or the reason that there is none. */
export type ParsedTransport =
	| {readonly kind: 'transport'; readonly transport: TransportConfig}
	| {readonly kind: 'broken'; readonly problem: Problem};

/** Reads the transport: `url` wins over `command` (docs/configuration.md, How values are read). */
export function parseTransport(entry: ServerEntry, section: Section): ParsedTransport {
	if (entry.url) {
		if (entry.command) {
			warn(section, ['command'], 'The server has both `url` and `command`; `url` is used. Remove one of them');
		}

		return parseRemote(entry.url, entry, section);
	}

	if (!entry.command) {
		return {
			kind: 'broken',
			problem: refuse(section, [], 'The server has neither `command` nor `url`. Set one of them'),
		};
	}

	warnMisplaced(entry, section);
	warnCommandLine(entry.command, section);
	const relative = (['cwd', 'env_file'] as const).find(key => isRelative(entry[key]));
	if (relative !== undefined) {
		const allowed = 'an absolute path, or one that begins with ~/';
		return {
			kind: 'broken',
			problem: refuse(section, [relative], `A relative path is not allowed here. Allowed: ${allowed}`),
		};
	}

	const passEnv = parsePassEnv(entry, section);
	return {
		kind: 'transport',
		transport: {
			kind: 'stdio',
			command: entry.command,
			args: parseArguments(entry.args),
			env: toTextMapping(entry.env),
			...(passEnv.length > 0 && {passEnv}),
			...(entry.cwd && {cwd: entry.cwd}),
			...(entry.env_file && {envFile: entry.env_file}),
		},
	};
}

/** True for a path that depends on the folder Sluice was started in. A reference may hold any part of a path. */
function isRelative(path: string | undefined): boolean {
	return Boolean(path) && !path?.includes('${') && !/^(?:\/|~$|~\/)/u.test(path ?? '');
}

function parseRemote(url: string, entry: ServerEntry, section: Section): ParsedTransport {
	// A reference may hold any part of the address, so only an address without one is checked here.
	if (!url.includes('${') && !isWebAddress(url)) {
		return {
			kind: 'broken',
			problem: refuse(section, ['url'], `${addressFault(url)}. Allowed: an http:// or https:// address`),
		};
	}

	for (const key of processKeys.filter(key => entry[key] !== undefined)) {
		warn(section, [key], `\`${key}\` has no effect on a remote server; it is for servers with \`command\``);
	}

	const login = parseLogin(entry, section);
	if (login.kind === 'broken') {
		return login;
	}

	return {
		kind: 'transport',
		transport: {
			kind: entry.transport === 'sse' ? 'sse' : 'http',
			url,
			headers: toTextMapping(entry.headers),
			tls: {
				verification: parseVerification(entry.ssl_verify),
				clientCertificate: parseClientCertificate(entry, section),
			},
			preflight: toBoolean(entry.skip_preflight) ? 'skip' : 'probe',
			...(login.kind === 'oauth' && {oauth: login.oauth}),
		},
	};
}

/** The fault of an address that is not one of the web; the rest of it may be a secret. */
function addressFault(url: string): string {
	const protocol = URL.parse(url)?.protocol;
	return protocol === undefined
		? 'The text is not an address'
		: `An address that begins with ${protocol} is not allowed here`;
}

function isWebAddress(url: string): boolean {
	return /^https?:$/u.test(URL.parse(url)?.protocol ?? '');
}

/** Keys that only mean something for a subprocess. */
const processKeys = [
	'cwd',
	'env_file',
	'pass_env',
	'idle_timeout_seconds',
	'max_lifetime_seconds',
	'lifecycle',
] as const;

/** Keys that only mean something for a remote server. */
const remoteKeys = ['headers', 'ssl_verify', 'client_cert', 'client_key', 'skip_preflight', 'auth', 'oauth'] as const;

function warnMisplaced(entry: ServerEntry, section: Section): void {
	for (const key of remoteKeys.filter(key => entry[key] !== undefined)) {
		warn(section, [key], `\`${key}\` has no effect on a stdio server; it is for servers with \`url\``);
	}
}

/** The program of a command that is a whole command line, which no shell takes apart; undefined for a program alone. A path may have blanks. */
export function programOfLine(command: string): string | undefined {
	const [program = '', ...rest] = command.trim().split(/\s+/u);
	return rest.length > 0 && !program.includes('/') ? program : undefined;
}

/** The rest of the text may be a secret, so it is not shown. */
function warnCommandLine(command: string, section: Section): void {
	const program = programOfLine(command);
	if (program !== undefined) {
		const shown = safeText(program, {maximumCharacters: 60});
		warn(
			section,
			['command'],
			`The command has spaces, but must be the program alone. Write \`command: ${shown}\` and put the rest into \`args\``,
		);
	}
}

function parseArguments(args: ServerEntry['args']): readonly string[] {
	return Array.isArray(args) ? args.map(toText) : (toTexts(args) ?? []);
}

/** The names in `pass_env`; one that no variable can have is left out with a warning, unquoted: a value may have slipped in. */
function parsePassEnv(entry: ServerEntry, section: Section): readonly string[] {
	const names = [...new Set(toTexts(entry.pass_env))];
	if (!names.every(isVariableName)) {
		const allowed = 'names such as NODE_EXTRA_CA_CERTS; values belong in `env`';
		warn(section, ['pass_env'], `A text is not the name of a variable and is ignored. Allowed: ${allowed}`);
	}

	return names.filter(isVariableName);
}

/** True for a name that an environment variable can have (POSIX, Base Definitions §8.1). */
export function isVariableName(text: string): boolean {
	return /^[A-Za-z_]\w*$/u.test(text);
}

function parseVerification(written: ServerEntry['ssl_verify']): TlsVerification {
	const checked = toBoolean(written ?? true);
	if (checked !== undefined) {
		return checked ? {kind: 'system'} : {kind: 'unsafe-none'};
	}

	return {kind: 'bundle', path: String(written)};
}

function parseClientCertificate(entry: ServerEntry, section: Section): ClientCertificate | undefined {
	const {client_cert: written, client_key: keyPath} = entry;
	if (typeof written === 'string') {
		return {certificatePath: written, keyPath};
	}

	if (keyPath !== undefined) {
		warn(section, ['client_key'], '`client_key` has no effect unless `client_cert` is one path');
	}

	return written && {certificatePath: written[0], keyPath: written[1], keyPassword: written[2]};
}

import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createSecureContext, getCACertificates, type SecureContext} from 'node:tls';
import {errorText, Problem} from '../util/problem.ts';

/** The TLS authentication of a remote server and of Sluice (docs/connections.md, Transports). Paths are expanded except for `~`. */
export type TlsChoice = {
	readonly verification:
		| {readonly kind: 'system'}
		| {readonly kind: 'bundle'; readonly path: string}
		| {readonly kind: 'unsafe-none'};
	readonly clientCertificate?: {
		readonly certificatePath: string;
		readonly keyPath?: string;
		readonly keyPassword?: string;
	};
};

/** The settings with the variable references in its paths and password replaced. */
export function expandTls({verification, clientCertificate}: TlsChoice, expand: (text: string) => string): TlsChoice {
	const text = (written: string | undefined) => (written === undefined ? undefined : expand(written));
	return {
		verification: verification.kind === 'bundle' ? {...verification, path: expand(verification.path)} : verification,
		clientCertificate: clientCertificate && {
			certificatePath: expand(clientCertificate.certificatePath),
			keyPath: text(clientCertificate.keyPath),
			keyPassword: text(clientCertificate.keyPassword),
		},
	};
}

/** The options of a TLS connection. */
export type TlsOptions = {readonly secureContext: SecureContext; readonly rejectUnauthorized: boolean};

let trustedBySystem: string[] | undefined;

/**
Reads the files of the TLS settings. Rejects with Problem `file_missing` (naming key and path) when one cannot be read,
and with `config_invalid` when certificate, key and password do not match.
*/
export async function readTlsOptions(choice: TlsChoice, home: string): Promise<TlsOptions> {
	const {verification, clientCertificate} = choice;
	const ca = verification.kind === 'bundle' ? await readAuthorities(verification.path, home) : systemAuthorities();
	const cert = clientCertificate && (await readPem('client_cert', clientCertificate.certificatePath, home));
	const key = clientCertificate?.keyPath ? await readPem('client_key', clientCertificate.keyPath, home) : cert;
	try {
		return {
			secureContext: createSecureContext({ca, cert, key, passphrase: clientCertificate?.keyPassword}),
			rejectUnauthorized: verification.kind !== 'unsafe-none',
		};
	} catch (error) {
		throw new Problem('config_invalid', {
			message: 'client_cert: the certificate, its key and the password of the key do not match',
			detail: errorText(error),
			cause: error,
		});
	}
}

/** TLS takes a file without a certificate for an empty list, and then trusts nobody. */
async function readAuthorities(path: string, home: string): Promise<string> {
	const text = await readPem('ssl_verify', path, home);
	if (!/-----BEGIN (?:TRUSTED )?CERTIFICATE-----/u.test(text)) {
		throw new Problem('config_invalid', {message: `ssl_verify: the file ${path} contains no certificate in PEM form`});
	}

	return text;
}

async function readPem(key: string, path: string, home: string): Promise<string> {
	const fullPath = path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
	try {
		return await readFile(fullPath, 'utf8');
	} catch (error) {
		throw new Problem('file_missing', {
			message: `${key}: the file ${fullPath} cannot be read`,
			detail: errorText(error),
			cause: error,
		});
	}
}

/** The authorities of Node.js and of the system; read once, because the system's store is slow to read. */
function systemAuthorities(): string[] {
	trustedBySystem ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
	return trustedBySystem;
}

/** How a remote server proves itself, and how Sluice does (docs/tool-servers.md, Transports). Paths are expanded but for `~`. */
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

/** The choice with the variable references in its paths and its password replaced. */
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

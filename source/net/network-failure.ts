import {errorText} from '../util/problem.ts';

/** Error codes of network and TLS, in plain words. */
const networkText: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing is listening at that address',
	ECONNRESET: 'the connection was closed',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
	ENOTFOUND: 'the host name is unknown',
	EAI_AGAIN: 'DNS did not answer',
	ETIMEDOUT: 'the host did not answer',
	UND_ERR_CONNECT_TIMEOUT: 'the host did not answer',
	UND_ERR_SOCKET: 'the connection was closed',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; set `ssl_verify` to the file of that certificate',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is from an unknown authority; set `ssl_verify` to the file of its CA',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE:
		'its certificate is from an unknown authority; set `ssl_verify` to the file of its CA',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
		'its certificate is from an unknown authority; set `ssl_verify` to the file of its CA',
	UNABLE_TO_GET_ISSUER_CERT: 'its certificate is from an unknown authority; set `ssl_verify` to the file of its CA',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	CERT_NOT_YET_VALID: 'its certificate is not valid yet; check the clock of this machine',
	CERT_SIGNATURE_FAILURE: 'its certificate is damaged',
	CERT_REVOKED: 'its certificate was revoked',
	CERT_UNTRUSTED: 'its certificate is not trusted; set `ssl_verify` to the file of its CA',
	EPROTO: 'the TLS handshake failed; check that the port is for https',
	ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks http, not https; change https:// to http://, or use its https port',
	ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it speaks http, not https; change https:// to http://, or use its https port',
	ERR_SSL_HTTP_REQUEST: 'it speaks http, not https; change https:// to http://, or use its https port',
	ERR_SSL_UNSUPPORTED_PROTOCOL: 'it only supports a version of TLS that is too old; ask its operator to update it',
	ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION:
		'it refused the versions of TLS that are still secure; ask its operator to update it',
	ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE:
		'it refused the TLS handshake; if it needs a client certificate, set `client_cert`',
	ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE:
		'it refused the TLS handshake; if it needs a client certificate, set `client_cert`',
	ERR_SSL_SSL_ALERT_HANDSHAKE_FAILURE:
		'it refused the TLS handshake; if it needs a client certificate, set `client_cert`',
	ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'it does not know the authority of the client certificate; correct `client_cert`',
	ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'it refused the client certificate; correct `client_cert`',
	ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it has no certificate for that host name',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
	ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it needs a client certificate; set `client_cert`',
};

/** The code of a network error in a chain of causes. */
export function networkCodeOf(error: unknown): string | undefined {
	let inner = error;
	for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
		if ('code' in inner && typeof inner.code === 'string' && inner.code in networkText) {
			return inner.code;
		}

		inner = inner instanceof AggregateError ? inner.errors[0] : inner.cause;
	}

	return undefined;
}

/** The code of OpenSSL's own text, `400D…:error:0A00010B:SSL routines:…`, which some libraries pass on without a code. */
function openSslCode(text: string): string | undefined {
	const reason = /:error:0A([\dA-F]{6}):SSL routines/u.exec(text)?.[1];
	return reason === undefined ? undefined : (openSslCodes[reason] ?? 'EPROTO');
}

const openSslCodes: Readonly<Record<string, string>> = {
	'00010B': 'ERR_SSL_WRONG_VERSION_NUMBER',
	'0000C6': 'ERR_SSL_PACKET_LENGTH_TOO_LONG',
	'00009C': 'ERR_SSL_HTTP_REQUEST',
};

/** The reason that a server was not reached, in plain words that quote nothing; undefined for any other error. */
export function networkReason(error: unknown): string | undefined {
	return networkText[networkCodeOf(error) ?? openSslCode(errorText(error)) ?? ''];
}

/** Network errors before the first byte of a request is sent. */
const unreachableCodes = new Set([
	'ECONNREFUSED',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EPROTO',
	'UND_ERR_CONNECT_TIMEOUT',
]);

/** Errors of requests that undici refuses before it connects. */
const invalidCodes = new Set(['ERR_INVALID_URL', 'ERR_INVALID_CHAR', 'UND_ERR_INVALID_ARG']);

/** The reach of a failed request. `never-sent`: the request is invalid; `unreachable`: there was no connection for it; `lost`: it may have been processed. */
export function failureKind(error: unknown): 'never-sent' | 'unreachable' | 'lost' {
	const code = failureCodeOf(error);
	if (code === undefined) {
		return error instanceof TypeError && error.cause === undefined ? 'never-sent' : 'lost';
	}

	// A certificate is checked before the request is written.
	const isUnreachable = unreachableCodes.has(code) || /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/u.test(code);
	return invalidCodes.has(code) ? 'never-sent' : isUnreachable ? 'unreachable' : 'lost';
}

/** The code of the innermost error that has one. */
export function failureCodeOf(error: unknown, depth = 0): string | undefined {
	if (!(error instanceof Error) || depth > 4) {
		return undefined;
	}

	const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
	return (
		failureCodeOf(inner, depth + 1) ?? ('code' in error && typeof error.code === 'string' ? error.code : undefined)
	);
}

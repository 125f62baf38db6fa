/** Error codes of network and TLS, in plain words. */
const networkText: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing is listening at that address',
	ECONNRESET: 'the connection was cut',
	EHOSTUNREACH: 'the host cannot be reached',
	ENETUNREACH: 'the network cannot be reached',
	ENOTFOUND: 'the host name is unknown',
	EAI_AGAIN: 'DNS did not answer',
	ETIMEDOUT: 'the host did not answer',
	UND_ERR_CONNECT_TIMEOUT: 'the host did not answer',
	UND_ERR_SOCKET: 'the connection was cut',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; see `ssl_verify`',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an unknown authority; see `ssl_verify`',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an unknown authority; see `ssl_verify`',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an unknown authority; see `ssl_verify`',
	UNABLE_TO_GET_ISSUER_CERT: 'its certificate is signed by an unknown authority; see `ssl_verify`',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	CERT_NOT_YET_VALID: 'its certificate is not valid yet; check the clock of this machine',
	CERT_SIGNATURE_FAILURE: 'its certificate is damaged',
	CERT_REVOKED: 'its certificate was revoked',
	CERT_UNTRUSTED: 'its certificate is not trusted; see `ssl_verify`',
	EPROTO: 'the TLS handshake with it failed; check that the port is one for https',
	ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there; use http://, or its port for https',
	ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS there; use http://, or its port for https',
	ERR_SSL_HTTP_REQUEST: 'it does not speak TLS there; use http://, or its port for https',
	ERR_SSL_UNSUPPORTED_PROTOCOL: 'it speaks only a version of TLS that is too old; have it updated',
	ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'it refuses this version of TLS; have it updated',
	ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE:
		'it refused the TLS handshake; it may ask for a client certificate, see `client_cert`',
	ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE:
		'it refused the TLS handshake; it may ask for a client certificate, see `client_cert`',
	ERR_SSL_SSL_ALERT_HANDSHAKE_FAILURE:
		'it refused the TLS handshake; it may ask for a client certificate, see `client_cert`',
	ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'it does not know the authority of the client certificate; see `client_cert`',
	ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'it refused the client certificate; see `client_cert`',
	ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it has no certificate for that host name',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
	ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it asks for a client certificate; see `client_cert`',
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

/** The reason that a server was not reached, in plain words that quote nothing; undefined for any other error. */
export function networkReason(error: unknown): string | undefined {
	return networkText[networkCodeOf(error) ?? ''];
}

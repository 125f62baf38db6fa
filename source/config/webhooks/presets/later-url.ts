const longestUrl = 2048;

/** The reason that no answer goes to an address; undefined for https at this host, on its own port. The address is a secret, so nothing of it is quoted. */
export function laterUrlFault(url: string, host: string): string | undefined {
	if (url.length > longestUrl || !URL.canParse(url)) {
		return 'it is not an address';
	}

	const {protocol, hostname, port, username, password} = new URL(url);
	if (protocol !== 'https:') {
		return 'it is not https';
	}

	if (username !== '' || password !== '') {
		return 'it contains credentials';
	}

	return hostname === host && port === '' ? undefined : `it is not an address of ${host}`;
}

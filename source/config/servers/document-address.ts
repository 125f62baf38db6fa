/** What is wrong with the address of a client metadata document (docs/logins.md, Your own client document), to complete "an address that"; undefined: nothing. */
export function documentAddressFault(address: string): string | undefined {
	const url = URL.parse(address);
	if (url?.protocol !== 'https:') {
		return 'is not https, allowed: an https:// address with a path';
	}

	if (url.pathname === '/') {
		return 'has no path, allowed: an https:// address with a path';
	}

	if (address.includes('#')) {
		return 'has a fragment, allowed: none';
	}

	if (url.username !== '' || url.password !== '' || /^https:\/*[^/?#]*@/iu.test(address)) {
		return 'holds credentials, allowed: none';
	}

	// The parser has resolved such segments already: the text itself must not have any.
	return /\/(?:\.|%2e){1,2}(?:[/?]|$)/iu.test(address) ? 'has . or .. in its path, allowed: none' : undefined;
}

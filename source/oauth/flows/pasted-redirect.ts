/** The result of a text that a person pasted for the redirect of a login. */
export type Pasted = 'taken' | 'of another login' | 'no redirect';

/** Takes a pasted redirect. */
export type AcceptPasted = (pasted: string) => Pasted;

/** Longer than any redirect. */
const longestCharacters = 16_384;

/**
The parameters in a pasted text: an address, the query of one, or the code alone, which belongs to the login that waits; undefined for any other text.
A code of somebody else is refused at the token endpoint, which knows the code challenge (RFC 7636). Pure.
*/
export function readPasted(
	pasted: string,
	{state, bareCode}: {readonly state: string; readonly bareCode: 'taken' | 'refused'},
): URLSearchParams | undefined {
	const text = pasted.trim();
	if (text === '' || text.length > longestCharacters || /\s/u.test(text)) {
		return undefined;
	}

	const address = /^https?:\/\//iu.test(text) ? URL.parse(text) : null;
	const parameters = address ? address.searchParams : new URLSearchParams(text.replace(/^.*[?#]/u, ''));
	if (parameters.has('code') || parameters.has('error')) {
		return parameters;
	}

	return address === null && bareCode === 'taken' && /^[\w.~+/=-]+$/u.test(text)
		? new URLSearchParams({code: text, state})
		: undefined;
}

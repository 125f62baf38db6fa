import {type AskedUrl} from '../../state/person-event.ts';

/** An address that a person may be asked to open, or the reason why not, in plain words. */
export type UrlReading =
	| {readonly kind: 'url'; readonly url: AskedUrl}
	| {readonly kind: 'refused'; readonly reason: string};

/** A person has to read all of it. */
const maxUrlCharacters = 4096;

const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u;

/**
Parses the address of a request for a page (docs/tool-servers.md, Elicitation): https, or http on this machine, without user information. The result is
printable ASCII, as the URL standard writes an address, so that what is shown is what is opened.
*/
export function readUrl(written: string): UrlReading {
	const parsed = written.length > maxUrlCharacters ? null : URL.parse(written);
	if (!parsed || parsed.href.length > maxUrlCharacters) {
		return refused(parsed || written.length > maxUrlCharacters ? 'it is too long to be read' : 'it is no web address');
	}

	const isLocal = loopbackHost.test(parsed.hostname);
	if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && isLocal)) {
		return refused('only https is opened, and http on this machine');
	}

	if (parsed.username !== '' || parsed.password !== '') {
		return refused('it has a user name or a password before its host');
	}

	if (!/^[\x21-\x7E]+$/u.test(parsed.href)) {
		return refused('it has characters that cannot be shown');
	}

	const isForeign = parsed.hostname.split('.').some(label => label.startsWith('xn--'));
	const warning = isForeign ? 'The host has letters of other alphabets: another name may look the same' : undefined;
	return {kind: 'url', url: {address: parsed.href, host: parsed.host, ...(warning !== undefined && {warning})}};
}

function refused(reason: string): UrlReading {
	return {kind: 'refused', reason};
}

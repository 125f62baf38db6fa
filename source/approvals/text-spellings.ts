import {domainToUnicode} from 'node:url';
import ipaddr from 'ipaddr.js';
import {resolveAbsolute, resolveDots} from '../util/absolute-path.ts';
import {lookAlikes} from '../util/look-alikes.ts';
import {memoize} from '../util/memoize.ts';

/** Other readings of the texts of one call; each text is read once for all rules. */
export type Spellings = {
	readonly of: (text: string) => readonly string[];
	/** As absolute paths; undefined when a text, or what it looks like, is not plainly one. */
	readonly pathsOf: (text: string) => readonly string[] | undefined;
	/** The hosts that an address may lead to; none when a text is no address with a host. */
	readonly hostsOf: (text: string) => readonly string[];
	/** True if an address has nothing that programs read in different ways. */
	readonly isPlainAddress: (text: string) => boolean;
};

const maxCachedCharacters = 4_000_000;

/** Begins to read the texts of one call. */
export function readSpellings(): Spellings {
	const paths = memoize(text => ({paths: plainPaths(text)}), maxCachedCharacters);
	return {
		of: memoize(allSpellings, maxCachedCharacters),
		pathsOf: text => paths(text).paths,
		hostsOf: memoize(hostsOf, maxCachedCharacters),
		isPlainAddress: memoize(isPlainAddress, maxCachedCharacters),
	};
}

/** True if a text or a pattern is meant for absolute paths. */
export function isPathLike(wanted: string): boolean {
	return /^(?:[*?]*\/|~)/u.test(wanted);
}

/** Everything a text may be taken for: with percent signs decoded, as an address, with its dots resolved, and what looks like these. */
export function allSpellings(text: string): readonly string[] {
	const found = decodedForms(text).flatMap(form => lookAlikes(form).flatMap(look => [look, resolveDots(look)]));
	return [...new Set([text, ...found])];
}

/** A text as it is, with its percent signs decoded once and twice, and as an address. */
export function decodedForms(text: string): readonly string[] {
	const decoded = decodePercent(text);
	const address = parseAddress(text)?.href;
	return [
		text,
		...(decoded === text ? [] : [decoded, decodePercent(decoded)]),
		...(address === undefined ? [] : [address]),
	];
}

/** The address that a text is; null when it is none. Without a colon there is no scheme, and most texts have none. */
export function parseAddress(text: string): URL | null {
	return text.includes(':') ? URL.parse(text) : null;
}

/** The absolute paths that a text may be taken for; undefined when it, or what it looks like, is not plainly one. */
export function plainPaths(text: string): readonly string[] | undefined {
	const paths = [text, ...lookAlikes(text)].map(resolveAbsolute).filter(path => path !== undefined);
	return paths.length === 1 + lookAlikes(text).length ? [...new Set(paths.flatMap(lookAlikes))] : undefined;
}

/** Characters in an address that browsers and other programs read in different ways. */
export const unclearInAddress = /[\p{Cc}\s\\]/u;

function isPlainAddress(text: string): boolean {
	const address = parseAddress(text);
	return address !== null && address.username === '' && address.password === '' && !unclearInAddress.test(text);
}

function hostsOf(text: string): readonly string[] {
	const host = parseAddress(text)?.hostname ?? '';
	return host === '' ? [] : similarHosts(host);
}

/** The names that look like those of a host, and the IPv4 addresses that an IPv6 address may stand for. */
export function similarHosts(host: string): readonly string[] {
	const looks = [host, domainToUnicode(host)].flatMap(lookAlikes).map(look => look.replace(/\.$/u, ''));
	return [...looks, ...embeddedAddresses(host)];
}

const lastBytes = [12, 13, 14, 15] as const;

/** The places of the IPv4 address in the prefixes of local NAT64, from 48 to 96 bits (RFC 6052 §2.2, RFC 8215); byte 8 is never a part of it. */
const localBytes = [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], lastBytes] as const;

/** IPv6 networks with an IPv4 address inside: mapped and compatible (RFC 4291 §2.5.5), translated (RFC 2765 §2.1), NAT64 (RFC 6052 §2.1, RFC 8215). */
const embeddingNetworks = [
	...['::ffff:0:0/96', '::/96', '::ffff:0:0:0/96', '64:ff9b::/96'].map(one => ({one, places: [lastBytes]})),
	{one: '64:ff9b:1::/48', places: localBytes},
].map(({one, places}) => ({network: ipaddr.IPv6.parseCIDR(one), places}));

/** The IPv4 addresses inside an IPv6 address, by everything it may be; none for any other host. */
function embeddedAddresses(host: string): readonly string[] {
	const bare = host.replace(/^\[(.*)\]$/u, '$1');
	if (!bare.includes(':') || !ipaddr.IPv6.isValid(bare)) {
		return [];
	}

	const address = ipaddr.IPv6.parse(bare);
	const bytes = address.toByteArray();
	return embeddingNetworks
		.filter(({network}) => address.match(network))
		.flatMap(({places}) => places.map(place => place.map(at => bytes[at]).join('.')));
}

/** A host name as addresses have it, of an IPv6 address with or without its brackets; undefined for what is none. */
export function asciiHost(name: string): string | undefined {
	const bracketed = name.includes(':') && ipaddr.IPv6.isValid(name) ? `[${name}]` : name;
	return URL.parse(`https://${bracketed}`)?.hostname;
}

/** A text with its percent signs decoded as UTF-8 (RFC 3986 §2.1), bytes that are none as U+FFFD. Takes time proportional to the text. */
export function decodePercent(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/giu, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

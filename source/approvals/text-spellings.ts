import {domainToUnicode} from 'node:url';
import {resolveAbsolute, resolveDots} from '../util/absolute-path.ts';
import {lookAlikes} from '../util/look-alikes.ts';
import {memoize} from '../util/memoize.ts';

/** What the texts of one call may be taken for; each is read once for all rules. */
export type Spellings = {
	readonly of: (text: string) => readonly string[];
	/** As absolute paths; undefined when a text, or what it looks like, is not plainly one. */
	readonly pathsOf: (text: string) => readonly string[] | undefined;
	/** The hosts that an address may lead to; none when a text is no address with a host. */
	readonly hostsOf: (text: string) => readonly string[];
	/** Whether an address has nothing that programs read in different ways. */
	readonly isPlainAddress: (text: string) => boolean;
};

const mostCachedCharacters = 4_000_000;

/** Begins to read the texts of one call. */
export function readSpellings(): Spellings {
	const paths = memoize(text => ({paths: plainPaths(text)}), mostCachedCharacters);
	return {
		of: memoize(allSpellings, mostCachedCharacters),
		pathsOf: text => paths(text).paths,
		hostsOf: memoize(hostsOf, mostCachedCharacters),
		isPlainAddress: memoize(isPlainAddress, mostCachedCharacters),
	};
}

/** Whether a text or a pattern is meant for absolute paths. */
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

function decodePercent(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/giu, run => {
		try {
			return decodeURIComponent(run);
		} catch {
			return run;
		}
	});
}

/** The absolute paths that a text may be taken for; undefined when it, or what it looks like, is not plainly one. */
export function plainPaths(text: string): readonly string[] | undefined {
	const paths = [text, ...lookAlikes(text)].map(resolveAbsolute).filter(path => path !== undefined);
	return paths.length === 1 + lookAlikes(text).length ? [...new Set(paths.flatMap(lookAlikes))] : undefined;
}

/** What browsers and other programs read in different ways in an address. */
export const unclearInAddress = /[\p{Cc}\s\\]/u;

function isPlainAddress(text: string): boolean {
	const address = parseAddress(text);
	return address !== null && address.username === '' && address.password === '' && !unclearInAddress.test(text);
}

function hostsOf(text: string): readonly string[] {
	const host = parseAddress(text)?.hostname ?? '';
	return host === '' ? [] : similarHosts(host);
}

/** The names that look like those of a host. */
export function similarHosts(host: string): readonly string[] {
	return [host, domainToUnicode(host)].flatMap(lookAlikes).map(look => look.replace(/\.$/u, ''));
}

/** A host name as addresses have it; undefined for what is none. */
export function asciiHost(name: string): string | undefined {
	return URL.parse(`https://${name}`)?.hostname;
}

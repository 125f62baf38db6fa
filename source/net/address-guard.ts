import {lookup as systemLookup} from 'node:dns';
import {type LookupFunction} from 'node:net';
import ipaddr from 'ipaddr.js';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** The reach of a request: only the internet, also private networks, or also this machine. */
export type Reach = 'internet' | 'networks' | 'machine';

/** Resolves a host name to addresses; tests bring their own. */
export type Lookup = typeof systemLookup;

/** The metadata services of clouds, which serve a machine's credentials, besides the link-local address that is refused anyway. */
const metadataAddresses = new Set(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);

const networkRanges: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);

/** True if an IP address may be reached. Link-local, reserved, tunnelled and unspecified ones are always refused. Pure. */
export function mayReach(address: string, reach: Reach): boolean {
	if (!ipaddr.isValid(address)) {
		return false;
	}

	const parsed = ipaddr.process(address);
	const range = parsed.range();
	if (metadataAddresses.has(parsed.toString())) {
		return false;
	}

	return (
		range === 'unicast' ||
		(range === 'loopback' && reach === 'machine') ||
		(networkRanges.has(range) && reach !== 'internet')
	);
}

/** True if a host is this machine, by its name or address alone; a DNS answer never makes a name local. Pure. */
export function isLocalHost(hostname: string): boolean {
	const host = bareHost(hostname);
	return /(^|\.)localhost$/u.test(host) || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

/**
The reach of addresses named by a server: no further than the server's own network. Only a local name or address counts as this machine; a name counts as
private when all its addresses are private. A name that cannot be resolved may only reach the internet.
*/
export async function reachOf(hostname: string, lookup: Lookup = systemLookup): Promise<Reach> {
	if (isLocalHost(hostname)) {
		return 'machine';
	}

	const host = bareHost(hostname);
	const addresses = ipaddr.isValid(host) ? [host] : await addressesOf(host, lookup);
	const isPrivate = (address: string) => mayReach(address, 'networks') && !mayReach(address, 'internet');
	return addresses.length > 0 && addresses.every(isPrivate) ? 'networks' : 'internet';
}

function addressesOf(host: string, lookup: Lookup): Promise<readonly string[]> {
	return new Promise(resolve => {
		lookup(host, {all: true}, (error, found) => resolve(error ? [] : found.map(({address}) => address)));
	});
}

/**
Checks a URL before a request. Throws a Problem `address_refused` unless it is http(s) without credentials, or when its host is an
IP address, in any notation, out of reach. Host names are checked by `guardLookup`: a connection to an IP address has no lookup.
*/
export function checkAddress(url: URL, reach: Reach): void {
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		throw refusal(`${url.protocol} is not a web protocol; use http or https`);
	}

	if (url.username !== '' || url.password !== '') {
		throw refusal(`it contains credentials for ${url.host}`);
	}

	// The URL parser has normalised decimal, octal and hexadecimal notations.
	const host = bareHost(url.hostname);
	if (ipaddr.isValid(host) && !mayReach(host, reach)) {
		throw refusal(`${host} is on a network that is not allowed`);
	}
}

/**
The lookup for connections: they go to an address that was checked, so that DNS cannot change it in between.
A name with any address out of reach fails with a Problem `address_refused`.
*/
export function guardLookup(reach: Reach, lookup: Lookup = systemLookup): LookupFunction {
	return (hostname, options, callback) => {
		lookup(hostname, {...options, all: true}, (error, found) => {
			const [first] = found ?? [];
			if (error || !first) {
				callback(error ?? refusal(`${hostname} has no address`), '');
				return;
			}

			const refused = found.find(({address}) => !mayReach(address, reach));
			if (refused) {
				callback(refusal(`${hostname} leads to ${refused.address}, which is on a network that is not allowed`), '');
			} else if (options.all) {
				callback(null, found);
			} else {
				callback(null, first.address, first.family);
			}
		});
	};
}

/** A host as the URL parser writes it, without the brackets of IPv6 and the trailing dot. */
function bareHost(hostname: string): string {
	return hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
}

function refusal(reason: string): Problem {
	return new Problem('address_refused', {
		message: `The address was not requested: ${safeText(reason, {maximumCharacters: 200})}`,
	});
}

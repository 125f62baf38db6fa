import {type IncomingHttpHeaders} from 'node:http';

/** Request headers by lower-case name. A map, because names are chosen by outsiders and configurations. */
export type RequestHeaders = ReadonlyMap<string, string>;

/** The headers as node parsed them; it has already joined repeated ones by `, `. */
export function requestHeaders(headers: IncomingHttpHeaders): RequestHeaders {
	const entries = Object.entries(headers);
	return new Map(
		entries.map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : (value ?? '')]),
	);
}

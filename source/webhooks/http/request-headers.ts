import {type IncomingHttpHeaders} from 'node:http';

/** Request headers by lower-case name. A map, because names are chosen by outsiders and configurations. */
export type RequestHeaders = ReadonlyMap<string, string>;

/** The headers as node parsed them; it has already joined repeated ones by `, `. */
export function requestHeaders(headers: IncomingHttpHeaders): RequestHeaders {
	const texts = new Map<string, string>();
	for (const name of Object.keys(headers)) {
		const value = headers[name];
		texts.set(name, Array.isArray(value) ? value.join(', ') : (value ?? ''));
	}

	return texts;
}

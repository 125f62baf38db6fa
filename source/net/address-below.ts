/**
A URL below a configured one. Each segment stays one segment, whatever it contains: `/`, `?` and `#` are encoded, and so are segments of dots, such as
`..`. Throws when `base` is not an HTTP URL; the checks of the configuration report that earlier.
*/
export function addressBelow(
	base: string,
	segments: readonly string[],
	query: Readonly<Record<string, string>> = {},
): URL {
	const url = new URL(base);
	const path = segments.map(segment =>
		encodeURIComponent(segment).replaceAll('%3A', ':').replaceAll(/^\.+$/gu, '%252E'),
	);
	url.pathname = [url.pathname.replace(/\/+$/u, ''), ...path].join('/');
	for (const [name, value] of Object.entries(query)) {
		url.searchParams.set(name, value);
	}

	return url;
}

/**
An address below a configured one. Each segment is one segment, whatever stands in it: `/`, `?` and `#` are encoded, and `..` leads nowhere. Throws when
`base` is no HTTP address; `check-platform.ts` tells so before.
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

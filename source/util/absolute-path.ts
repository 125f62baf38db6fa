/** Characters that a path of a POSIX system does not need, or that programs read in different ways: NUL and other controls, back slash, `%`, `~`. */
const plainAbsolute = /^\/[^\p{Cc}\\%~]*$/u;

/** The absolute path with `.`, `..` and doubled slashes resolved as text; undefined for anything that is not plainly one. Symbolic links are not seen. */
export function resolveAbsolute(path: string): string | undefined {
	return plainAbsolute.test(path) ? `/${resolveSegments(path).join('/')}` : undefined;
}

/** The text with the segments between its slashes resolved, absolute or not. */
export function resolveDots(text: string): string {
	return `${text.startsWith('/') ? '/' : ''}${resolveSegments(text).join('/')}`;
}

function resolveSegments(path: string): readonly string[] {
	const segments: string[] = [];
	for (const segment of path.split('/')) {
		if (segment === '..' && (path.startsWith('/') || (segments.length > 0 && segments.at(-1) !== '..'))) {
			segments.pop();
		} else if (segment !== '' && segment !== '.') {
			segments.push(segment);
		}
	}

	return segments;
}

/** True if the path is that folder or below it, by full segments. Both are resolved. */
export function isBelow(path: string, folder: string): boolean {
	return folder === '/' || (path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/'));
}

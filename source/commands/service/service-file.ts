/** The file of a service as it was found, beside what this version would write. */
export type ServiceFile =
	| {readonly kind: 'absent'}
	| {readonly kind: 'same'}
	| {readonly kind: 'changed'; readonly text: string}
	/** Nothing says that we wrote it. */
	| {readonly kind: 'by-hand'; readonly text: string}
	/** We wrote it for another state directory. */
	| {readonly kind: 'other-home'; readonly home: string; readonly text: string};

const mark = /Written by `sluice service install` for ("(?:[^"\\\n]|\\.)*")/u;

/** The words by which we know our own files. Both a unit and a property list may have them in a comment. */
export function writtenFor(root: string): string {
	// Two hyphens end a comment in XML.
	return `Written by \`sluice service install\` for ${JSON.stringify(root).replaceAll('--', String.raw`-\u002d`)}`;
}

/** Decides what a file is. `wanted` are texts that mean the same; the first is the one that is written. */
export function compareFile(
	found: string | undefined,
	{wanted, root}: {readonly wanted: readonly string[]; readonly root: string},
): ServiceFile {
	if (found === undefined) {
		return {kind: 'absent'};
	}

	if (wanted.includes(found)) {
		return {kind: 'same'};
	}

	const home = homeOf(found);
	if (home === undefined) {
		return {kind: 'by-hand', text: found};
	}

	return home === root ? {kind: 'changed', text: found} : {kind: 'other-home', home, text: found};
}

/** The state directory that one of our files is for. */
function homeOf(text: string): string | undefined {
	try {
		const home: unknown = JSON.parse(mark.exec(text)?.[1] ?? 'null');
		return typeof home === 'string' ? home : undefined;
	} catch {
		return undefined;
	}
}

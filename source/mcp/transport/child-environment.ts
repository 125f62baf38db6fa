const passedNames = new Set(['PATH', 'HOME', 'USER', 'LANG', 'TERM', 'SHELL', 'TMPDIR']);
const passedPrefixes = ['LC_', 'XDG_'];

/** The environment of a child process: the inherited part (docs/tool-servers.md, States) and the entry's own `env`; nothing else, so that no secret leaks into a server. */
export function childEnvironment(
	inherited: Readonly<Record<string, string | undefined>>,
	own: Readonly<Record<string, string>>,
): Record<string, string> {
	const passed = Object.entries(inherited).filter(
		(entry): entry is [string, string] =>
			entry[1] !== undefined &&
			(passedNames.has(entry[0]) || passedPrefixes.some(prefix => entry[0].startsWith(prefix))),
	);
	return {...Object.fromEntries(passed), ...own};
}

/**
The name under which a tool is registered: `mcp__<server>__<tool>`, everything but ASCII letters, digits and underscores replaced
(docs/tool-servers.md, Tool names). ASCII, because models accept nothing else. Different tools may end in one name; the catalogue decides.
*/
export function registeredName(server: string, tool: string): string {
	return `mcp__${sanitise(server)}__${sanitise(tool)}`;
}

/** One underscore per character, not per UTF-16 unit. */
function sanitise(name: string): string {
	return name.replace(/[^A-Za-z0-9_]/gu, '_');
}

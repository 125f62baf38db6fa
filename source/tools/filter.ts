import {type ToolsPolicy} from '../config/servers/server-entry.ts';
import {fnmatch} from '../util/fnmatch.ts';

/**
Whether a native tool passes the filters of its server (docs/tool-servers.md, Filters).
`name` is the tool's own name, hyphens and dots included. Where there is an allow-list, the deny-list has no say.
*/
export function isRegistered(name: string, policy: Pick<ToolsPolicy, 'include' | 'exclude'>): boolean {
	const matches = (pattern: string) => fnmatch(name, pattern);
	return policy.include ? policy.include.some(matches) : !policy.exclude.some(matches);
}

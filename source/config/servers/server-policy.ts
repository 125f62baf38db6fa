import {parseAsks, type ServerAsks} from './server-asks.ts';
import {type ServerEntry} from './server-schema.ts';
import {parseToolsPolicy, type ToolsPolicy} from './tools-policy.ts';

export {type ToolsPolicy};

/** What a server may do: which of its tools are registered, whether they ask first, what it may ask of us. */
export type ServerPolicy = {
	readonly tools: ToolsPolicy;
	readonly trust: 'full' | 'untrusted';
} & ServerAsks;

/** Reads the policy of an entry. */
export function parsePolicy(entry: ServerEntry): ServerPolicy {
	return {tools: parseToolsPolicy(entry.tools), trust: entry.trust ?? 'full', ...parseAsks(entry)};
}

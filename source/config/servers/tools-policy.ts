import {toBoolean} from '../values/bool-like.ts';
import {type ServerEntry} from './server-schema.ts';
import {toTexts} from '../values/text-like.ts';

/** Which native tools and utility tools of a server are registered. */
export type ToolsPolicy = {
	/** Exact names or globs. Undefined: all but `exclude`. An empty list: none. */
	readonly include?: readonly string[];
	readonly exclude: readonly string[];
	readonly resources: boolean;
	readonly prompts: boolean;
};

/** Reads `tools` of an entry. */
export function parseToolsPolicy(written: ServerEntry['tools']): ToolsPolicy {
	return {
		include: toTexts(written?.include),
		exclude: toTexts(written?.exclude) ?? [],
		resources: toBoolean(written?.resources) ?? true,
		prompts: toBoolean(written?.prompts) ?? true,
	};
}

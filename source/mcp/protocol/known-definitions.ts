import {isDeepStrictEqual} from 'node:util';
import {type ToolDefinition} from '../connection.ts';

/** Puts the definitions of the former list in place of equal new ones. */
export type KeepKnown = (tools: readonly ToolDefinition[]) => readonly ToolDefinition[];

/**
Creates the memory of one server, which holds its last list. Servers tell that their list has changed when one tool of thousands has, and list
the same ones at every connect: what is computed of a definition is kept with the object (docs/performance.md, Memory).
*/
export function createKnownDefinitions(): KeepKnown {
	let known: readonly ToolDefinition[] = [];
	return tools => {
		const former = new Map(known.map(tool => [tool.name, tool]));
		known = tools.map(tool => {
			const before = former.get(tool.name);
			if (before === undefined || !isDeepStrictEqual(before, tool)) {
				return tool;
			}

			// One that is listed twice stays two objects, which are distinguished by identity.
			former.delete(tool.name);
			return before;
		});
		return known;
	};
}

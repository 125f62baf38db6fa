import * as z from 'zod';
import {Problem} from '../../util/problem.ts';
import {type ServerCapabilities, type ToolDefinition} from '../connection.ts';
import {narrowDefinition} from './tool-definition.ts';

/** One page of `tools/list`, its entries not yet looked at. */
const toolPageSchema = z.object({
	tools: z.array(z.unknown()),
	nextCursor: z.string().optional().catch(undefined),
});

export type ToolPage = z.infer<typeof toolPageSchema>;

/** Narrows an answer to `tools/list`. Throws Problem `connect_failed` when there is no list in it. */
export function readToolPage(answer: unknown): ToolPage {
	const parsed = toolPageSchema.safeParse(answer);
	if (!parsed.success) {
		throw new Problem('connect_failed', {message: 'Its list of tools cannot be read'});
	}

	return parsed.data;
}

/** The tools of a server, and what was left out. */
export type ToolListing = {
	readonly tools: ServerCapabilities['tools'];
	/** Why the list is not whole, in words for the log; empty when it is. */
	readonly warnings: readonly string[];
};

const pageLimit = 200;
const toolLimit = 10_000;

/** Pages through `tools/list` to the end, within bounds of pages and tools (docs/tool-servers.md, States). Rejects as `fetchPage` does. */
export async function listTools(fetchPage: (cursor: string | undefined) => Promise<ToolPage>): Promise<ToolListing> {
	const tools: ToolDefinition[] = [];
	const warnings: string[] = [];
	const seenCursors = new Set<string>();
	let broken = 0;
	let cursor: string | undefined;
	for (let pages = 1; ; pages++) {
		const page = await fetchPage(cursor);
		const definitions = page.tools.map(entry => narrowDefinition(entry));
		broken += definitions.filter(definition => definition === undefined).length;
		tools.push(...definitions.filter(definition => definition !== undefined));
		cursor = page.nextCursor;
		if (cursor === undefined) {
			break;
		}

		if (seenCursors.has(cursor) || pages === pageLimit || tools.length >= toolLimit) {
			warnings.push(`the list of tools was cut after ${pages} pages`);
			break;
		}

		seenCursors.add(cursor);
	}

	if (broken > 0) {
		warnings.push(`${broken} tool definitions were not usable`);
	}

	if (tools.length > toolLimit) {
		warnings.push(`only the first ${toolLimit} of its tools are used`);
	}

	return {tools: tools.slice(0, toolLimit), warnings};
}

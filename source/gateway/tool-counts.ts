import {type ToolCount} from '../mcp/session/server-row.ts';
import {type Catalogue} from '../tools/catalogue.ts';

/** How many tools of each server are registered, and which names it lost, as its row shows them (docs/tool-servers.md, Results). */
export type ToolCounts = {
	/** What the row of a server is to show now. */
	readonly of: (server: string) => ToolCount;
	/** Shows every row again whose server won or lost names since it was shown. */
	readonly bringUpToDate: (options?: {readonly except: string}) => void;
};

/** Opens the counts of a catalogue. `refresh` shows a row again; it asks for its status. */
export function createToolCounts(
	catalogue: Pick<Catalogue, 'countOf' | 'problemsOf'>,
	refresh: (server: string) => void,
): ToolCounts {
	const shown = new Map<string, ToolCount>();
	const now = (server: string): ToolCount => {
		const tools = catalogue.countOf(server);
		const [first, ...others] = catalogue.problemsOf(server);
		return first
			? {tools, notice: `${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`}
			: {tools};
	};

	return {
		of(server) {
			const count = now(server);
			shown.set(server, count);
			return count;
		},
		bringUpToDate(options) {
			for (const [server, {tools, notice}] of shown) {
				const count = now(server);
				if (server !== options?.except && (count.tools !== tools || count.notice !== notice)) {
					refresh(server);
				}
			}
		},
	};
}

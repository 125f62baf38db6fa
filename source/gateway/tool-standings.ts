import {type Standing} from '../mcp/server-row.ts';
import {type Catalogue} from '../tools/catalogue.ts';

/** How many tools of each server are registered, and which names it lost, as its row shows them (spec/decisions.md, D4). */
export type ToolStandings = {
	/** What the row of a server is to show now. */
	readonly of: (server: string) => Standing;
	/** Shows every row again whose server won or lost names since it was shown. */
	readonly bringUpToDate: (options?: {readonly except: string}) => void;
};

/** Opens the standings of a catalogue. `refresh` shows a row again; it asks for its standing. */
export function createToolStandings(
	catalogue: Pick<Catalogue, 'countOf' | 'problemsOf'>,
	refresh: (server: string) => void,
): ToolStandings {
	const shown = new Map<string, Standing>();
	const now = (server: string): Standing => {
		const tools = catalogue.countOf(server);
		const [first, ...others] = catalogue.problemsOf(server);
		return first
			? {tools, notice: `${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`}
			: {tools};
	};

	return {
		of(server) {
			const standing = now(server);
			shown.set(server, standing);
			return standing;
		},
		bringUpToDate(options) {
			for (const [server, {tools, notice}] of shown) {
				const standing = now(server);
				if (server !== options?.except && (standing.tools !== tools || standing.notice !== notice)) {
					refresh(server);
				}
			}
		},
	};
}

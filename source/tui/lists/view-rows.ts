import {type Snapshot} from '../../state/snapshot.ts';
import {parseFilter} from './filter.ts';
import {type ListRow} from './list-row.ts';
import {type ViewName, views} from './view-table.ts';

/** The rows of a view that pass its filter. Asking again for the same source and filter costs nothing. */
export function viewRows(view: ViewName, snapshot: Snapshot, filter: string): readonly ListRow[] {
	const sources = views[view].sources.map(name => snapshot[name]);
	const known = remembered.get(view);
	if (known && known.filter === filter && known.sources.every((source, index) => source === sources[index])) {
		return known.rows;
	}

	const rows = views[view].rows(snapshot);
	const passes = parseFilter(filter);
	const kept = filter.trim() === '' ? rows : rows.filter(row => passes(row.fields()));
	remembered.set(view, {sources, filter, rows: kept});
	return kept;
}

type Remembered = {
	readonly sources: readonly unknown[];
	readonly filter: string;
	readonly rows: readonly ListRow[];
};

/** The last answer per view. A pure function's memory: it changes the price, never the answer. */
const remembered = new Map<ViewName, Remembered>();

import {type Snapshot} from '../../state/snapshot.ts';
import {allRows} from './all-rows.ts';
import {parseFilter} from './filter.ts';
import {type ListRow} from './list-row.ts';
import {type ViewName} from '../state/view-names.ts';

/** The rows of a view that pass its filter. Asking again for the same source and filter costs nothing. */
export function viewRows(view: ViewName, snapshot: Snapshot, filter: string): readonly ListRow[] {
	const sources = sourcesOf(view, snapshot);
	const known = remembered.get(view);
	if (known && known.filter === filter && known.sources.every((source, index) => source === sources[index])) {
		return known.rows;
	}

	const rows = allRows(view, snapshot);
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

function sourcesOf(view: ViewName, snapshot: Snapshot): readonly unknown[] {
	switch (view) {
		case 'approvals':
			return [snapshot.approvals, snapshot.questions, snapshot.proposals, snapshot.uncertain, snapshot.decisions];
		case 'parts':
			return [snapshot.models, snapshot.endpoint, snapshot.platforms];
		case 'tools':
			return [snapshot.toolList];
		case 'rules':
			return [snapshot.ruleList];
		case 'servers':
		case 'events':
		case 'log':
		case 'runs':
		case 'jobs':
		case 'routes':
		case 'calls':
		case 'logins':
			return [snapshot[view]];
	}
}

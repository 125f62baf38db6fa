import {type Snapshot} from '../../state/snapshot.ts';
import {type Fields, type ListRow} from './list-row.ts';
import {type Sorting, sortRows} from './sorting.ts';
import {type ViewName, views} from './view-table.ts';

/** The rows of a view that match its filter, in this order or in its own. They are rebuilt only when its sources, the filter or the order have changed. */
export function viewRows(view: ViewName, snapshot: Snapshot, filter: string, order?: Sorting): readonly ListRow[] {
	const rows = filteredRows(view, snapshot, filter);
	if (!order) {
		return rows;
	}

	const last = lastSorted.get(view);
	if (last?.rows === rows && last.order === order) {
		return last.sorted;
	}

	const {groupOf = pastLast} = views[view];
	const sorted = sortRows(rows, order, {at: newestCount(snapshot), groupOf});
	lastSorted.set(view, {rows, order, sorted});
	return sorted;
}

function pastLast({isPast}: ListRow): number {
	return isPast ? 1 : 0;
}

/** Rates are compared as they were then: an order that changed with the clock would move rows while nothing happens. */
function newestCount({rates}: Snapshot): number {
	const series = [...Object.values(rates.routes), ...Object.values(rates.servers)];
	return series.reduce((newest, {lastAt = 0}) => Math.max(newest, lastAt), 0);
}

function filteredRows(view: ViewName, snapshot: Snapshot, filter: string): readonly ListRow[] {
	const rows = allRows(view, snapshot);
	if (filter.trim() === '') {
		return rows;
	}

	const last = lastFiltered.get(view);
	if (last?.rows === rows && last.filter === filter) {
		return last.passed;
	}

	const passes = parseFilter(filter);
	const passed = rows.filter(row => passes(row.fields()));
	lastFiltered.set(view, {rows, filter, passed});
	return passed;
}

function allRows(view: ViewName, snapshot: Snapshot): readonly ListRow[] {
	const sources = views[view].sources.map(name => snapshot[name]);
	const last = lastRows.get(view);
	if (last?.sources.every((source, index) => source === sources[index])) {
		return last.rows;
	}

	const rows = views[view].rows(snapshot);
	lastRows.set(view, {sources, rows});
	return rows;
}

/** The last rows of each view, those that matched its filter, and these in the order somebody chose: a title counts the first, the list shows the last. */
const lastRows = new Map<ViewName, {readonly sources: readonly unknown[]; readonly rows: readonly ListRow[]}>();
const lastFiltered = new Map<
	ViewName,
	{readonly rows: readonly ListRow[]; readonly filter: string; readonly passed: readonly ListRow[]}
>();

const lastSorted = new Map<
	ViewName,
	{readonly rows: readonly ListRow[]; readonly order: Sorting; readonly sorted: readonly ListRow[]}
>();

/** One word of a filter: `stripe`, `route:stripe`, `!status:2`. */
type Term = {readonly inverted: boolean; readonly field: string | undefined; readonly text: string};

/**
The test for a typed filter: every word must match. `key:value` searches one field, `!` negates a word, any other word searches all fields.
Case is ignored, and what is no name before the colon is text, so that a piece of JSON can be searched for; an empty filter matches everything; a key that a row does not have matches nothing.
*/
export function parseFilter(text: string): (fields: Fields) => boolean {
	const terms = text.toLowerCase().split(/\s+/u).filter(Boolean).map(parseTerm);
	return fields => terms.every(term => holds(term, fields) !== term.inverted);
}

function parseTerm(word: string): Term {
	const inverted = word.startsWith('!') && word.length > 1;
	const text = inverted ? word.slice(1) : word;
	const named = /^(?<field>[\w-]+):(?<rest>.*)$/u.exec(text)?.groups;
	return named ? {inverted, field: named['field'], text: named['rest'] ?? ''} : {inverted, field: undefined, text};
}

function holds(term: Term, fields: Fields): boolean {
	if (term.field === undefined) {
		return Object.values(fields).some(value => value.toLowerCase().includes(term.text));
	}

	return Object.hasOwn(fields, term.field) && (fields[term.field] ?? '').toLowerCase().includes(term.text);
}

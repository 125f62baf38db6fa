import {uiText} from '../../util/characters/ui-glyphs.ts';
import {lineWithEnd, span} from '../text/span.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {type Fold, labelled, type ListRow} from './list-row.ts';
import {type ViewName} from './view-table.ts';

/**
The rows of a view as they are listed: equal ones that follow each other are one row, and are below it while it is open; `open` is the id of one
of them (docs/dashboard.md, Equal rows).
*/
export function foldedRows(view: ViewName, rows: readonly ListRow[], open: string | undefined): readonly ListRow[] {
	const last = lastFolded.get(view);
	if (last?.rows === rows && last.open === open) {
		return last.listed;
	}

	const groups = groupsOf(rows, last);
	const listed = open === undefined ? groups.map(({row}) => row) : groups.flatMap(group => listedOf(group, open));
	lastFolded.set(view, {rows, open, groups, listed});
	return listed;
}

/** Number of rows when none is folded; the head of an open fold is no row of its own. */
export function countRows(rows: readonly ListRow[]): number {
	return rows.reduce((sum, {fold}) => sum + (fold === undefined ? 1 : fold.state === 'open' ? 0 : fold.rows.length), 0);
}

/** The index of a row, or of the fold that has it; undefined if it is gone. A fold is identified by the row that was its newest. */
export function listedIndex(rows: readonly ListRow[], id: string): number | undefined {
	const exact = rows.findLastIndex(row => row.id === id);
	if (exact !== -1) {
		return exact;
	}

	const inFold = id.startsWith(foldPrefix) ? id.slice(foldPrefix.length) : id;
	const index = rows.findIndex(row => row.fold?.rows.some(one => one.id === inFold) ?? row.id === inFold);
	return index === -1 ? undefined : index;
}

/** No row of a gateway has an id with a blank at its start, so no key acts on one that is known by this. */
const foldPrefix = ' fold ';

/** Equal rows in succession, and the row that represents them; a single row represents itself. */
type Group = {readonly rows: readonly ListRow[]; readonly row: ListRow};

type Folded = {
	readonly rows: readonly ListRow[];
	readonly open: string | undefined;
	readonly groups: readonly Group[];
	readonly listed: readonly ListRow[];
};

/** The last folded rows of each view. */
const lastFolded = new Map<ViewName, Folded>();

/** The groups of rows. Where rows went at the beginning since the last time, and others came or changed near the end, only those are compared. */
function groupsOf(rows: readonly ListRow[], last: Folded | undefined): readonly Group[] {
	const gone = last && rows[0] ? last.rows.indexOf(rows[0]) : -1;
	const same = last && gone !== -1 ? countSame(last.rows.slice(gone), rows) : 0;
	const groups = last && same > 0 ? firstOf(withoutFirst(last.groups, gone), same) : [];
	let equal: ListRow[] = [...(groups.pop()?.rows ?? [])];
	let text = textOf(equal.at(-1));
	for (const row of rows.slice(same)) {
		const next = textOf(row);
		if (next === undefined || next !== text) {
			pushGroup(groups, equal);
			equal = [];
		}

		equal.push(row);
		text = next;
	}

	pushGroup(groups, equal);
	return groups;
}

/** Number of rows at the beginning that are the same objects. */
function countSame(before: readonly ListRow[], rows: readonly ListRow[]): number {
	const different = before.findIndex((row, index) => row !== rows[index]);
	return different === -1 ? before.length : different;
}

/** The groups of so many rows at the beginning. */
function firstOf(groups: readonly Group[], count: number): Group[] {
	const kept: Group[] = [];
	let left = count;
	for (const group of groups) {
		if (left < group.rows.length) {
			pushGroup(kept, group.rows.slice(0, left));
			return kept;
		}

		kept.push(group);
		left -= group.rows.length;
	}

	return kept;
}

function textOf(row: ListRow | undefined): string | undefined {
	return row?.repeats?.text();
}

/** The groups without so many rows at their beginning. */
function withoutFirst(groups: readonly Group[], gone: number): Group[] {
	let index = 0;
	let left = gone;
	for (; left >= (groups[index]?.rows.length ?? Infinity); index++) {
		left -= groups[index]?.rows.length ?? 0;
	}

	const cut: Group[] = [];
	pushGroup(cut, groups[index]?.rows.slice(left) ?? []);
	return left === 0 ? groups.slice(index) : [...cut, ...groups.slice(index + 1)];
}

function pushGroup(groups: Group[], rows: readonly ListRow[]): void {
	const [first, ...others] = rows;
	if (first) {
		groups.push({
			rows,
			row: others.length === 0 ? first : foldRow({rows, newest: newestOf(first, others), state: 'closed'}),
		});
	}
}

function newestOf(first: ListRow, others: readonly ListRow[]): ListRow {
	return others.reduce((newest, row) => ((row.repeats?.at ?? 0) > (newest.repeats?.at ?? 0) ? row : newest), first);
}

/** The row of a group, and below it its rows where it is open. */
function listedOf({rows, row}: Group, open: string): readonly ListRow[] {
	const {fold} = row;
	return fold && rows.some(({id}) => id === open) ? [foldRow({...fold, state: 'open'}), ...rows] : [row];
}

function foldRow(fold: Fold): ListRow {
	const {rows, newest, state} = fold;
	const count = rows.length.toLocaleString('en-US');
	const end = [span(state === 'open' ? uiText` × ${count} ${glyphs.more}` : uiText` × ${count}`, 'accent')];
	const {repeats, ...shared} = newest;
	return {
		...shared,
		id: `${foldPrefix}${newest.id}`,
		fold,
		line: (width, now, keys) => lineWithEnd(repeats?.line(width, now, keys) ?? [], end, width),
		detail: (width, now, keys) => [
			...labelled('equal rows', `${count}, of which this is the newest; enter shows them`, width),
			...newest.detail(width, now, keys),
		],
	};
}

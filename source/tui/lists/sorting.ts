import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type StatusLabel, type Tone} from '../../state/entities/status-text.ts';

/** The columns that lists can be sorted by, as shown and typed. */
export type SortColumn =
	| 'name'
	| 'asker'
	| 'kind'
	| 'asked'
	| 'allowed'
	| 'denied'
	| 'state'
	| 'rate'
	| 'failed'
	| 'p50'
	| 'last'
	| 'next'
	| 'took'
	| 'calls'
	| 'tokens'
	| 'uses'
	| 'used';

export const sortDirections = ['forward', 'reversed'] as const;

/** The order of a list: by a column or its own (the newest last, as configured, …), forward or reversed. */
export type Sorting = {readonly by: SortColumn | 'own'; readonly direction: (typeof sortDirections)[number]};

/** The sort values of a row. Forward: texts from a to z, numbers from the largest; a row without the value comes last. */
export type SortValues = Readonly<Partial<Record<SortColumn, string | number | undefined>>>;

/** The parts of a row that sorting reads. */
type Sortable = {
	/** `at`: when the newest of the counted things happened, milliseconds since the epoch. */
	readonly values?: (at: number) => SortValues;
};

const urgency: ReadonlyArray<Tone> = ['bad', 'notice', 'busy', 'normal', 'good', 'dim'];

/** The value of a state: what is wrong comes first, then what needs somebody, then what is under way. */
export function stateValue({word, tone}: StatusLabel): string {
	return `${urgency.includes(tone) ? urgency.indexOf(tone) : urgency.length} ${word}`;
}

/** The rows in another order. Those of a lower group stay before those of a higher one, and equal ones in the order they had. */
export function sortRows<Row extends Sortable>(
	rows: readonly Row[],
	{by, direction}: Sorting,
	{at, groupOf}: {readonly at: number; readonly groupOf: (row: Row) => number},
): readonly Row[] {
	return rows
		.map((row, index) => ({row, group: groupOf(row), value: by === 'own' ? -index : row.values?.(at)[by]}))
		.toSorted((first, second) => first.group - second.group || compareValues(first.value, second.value, direction))
		.map(({row}) => row);
}

type Value = string | number | undefined;

function compareValues(first: Value, second: Value, direction: Sorting['direction']): number {
	if (first === undefined || second === undefined) {
		return Number(first === undefined) - Number(second === undefined);
	}

	const difference =
		typeof first === 'number' && typeof second === 'number'
			? second - first
			: compareTexts(String(first), String(second));
	return direction === 'forward' ? difference : -difference;
}

/** Thousands of rows are compared while more arrive: without the rules of a language, which take ten times as long. */
function compareTexts(first: string, second: string): number {
	return first < second ? -1 : first > second ? 1 : 0;
}

/** The order after this one: the next column, after the last one the list's own order, which is absent. */
export function nextSorting(columns: readonly SortColumn[], order: Sorting | undefined): Sorting | undefined {
	const shown = order === undefined || order.by === 'own' ? -1 : columns.indexOf(order.by);
	const by = columns[shown + 1];
	return by && {by, direction: 'forward'};
}

/** The same order from the other end. */
export function reversedSorting(order: Sorting | undefined): Sorting | undefined {
	const {by, direction} = order ?? {by: 'own', direction: 'forward'};
	if (direction === 'forward') {
		return {by, direction: 'reversed'};
	}

	return by === 'own' ? undefined : {by, direction: 'forward'};
}

/** `by rate, reversed`; nothing for a list in its own order. */
export function sortingText(order: Sorting | undefined): string {
	const parts = order && [
		order.by === 'own' ? '' : `by ${order.by}`,
		order.direction === 'forward' ? '' : order.direction,
	];
	return parts?.filter(Boolean).join(', ') ?? '';
}

/** `↓ rate`: the same where there is little room. */
export function shortSortingText(order: Sorting | undefined): string {
	if (!order) {
		return '';
	}

	const by = order.by === 'own' ? '' : ` ${order.by}`;
	return order.direction === 'forward' ? uiText`↓${by}` : uiText`↑${by}`;
}

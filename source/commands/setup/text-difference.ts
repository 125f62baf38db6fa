import {diffArrays} from 'diff';

/** A line of two texts side by side. */
type DifferenceLine = {readonly kind: 'same' | 'added' | 'removed'; readonly text: string};

/** Bound on the compared lines: time grows with its square, and a person would read more of them in the file. */
const maxChangedLines = 2000;

/** The added and removed lines between two texts: the longest common lines stay. */
export function textDifference(before: string, after: string): readonly DifferenceLine[] {
	const [old, fresh] = [linesOf(before), linesOf(after)];
	// The library puts removed lines before added ones. A person reads first what is new, so it compares the other way round.
	const changes = diffArrays(fresh, old, {maxEditLength: maxChangedLines}) ?? [
		{value: old, added: true, removed: false},
		{value: fresh, added: false, removed: true},
	];
	return changes.flatMap(({value, added, removed}) => {
		const kind = removed ? 'added' : added ? 'removed' : 'same';
		return value.map(text => ({kind, text}) as const);
	});
}

/** Changed lines with up to two unchanged ones around them, `+` and `-` in front. */
export function differenceText(lines: readonly DifferenceLine[]): string {
	const signs = {same: ' ', added: '+', removed: '-'};
	const isNear = (index: number) => lines.slice(Math.max(index - 2, 0), index + 3).some(line => line.kind !== 'same');
	return lines.flatMap(({kind, text}, index) => (isNear(index) ? [`${signs[kind]} ${text}\n`] : [])).join('');
}

function linesOf(text: string): string[] {
	return text === '' ? [] : text.replace(/\n$/u, '').split('\n');
}

import {type LineRun, lineDifference} from '../../util/values/line-difference.ts';

/** A line of two texts side by side. */
type DifferenceLine = {readonly kind: LineRun['kind']; readonly text: string};

/** Bound on the compared lines: time grows with its square, and a person would read more of them in the file. */
const maxChangedLines = 2000;

/** The added and removed lines between two texts: the longest common lines stay. */
export function textDifference(before: string, after: string): readonly DifferenceLine[] {
	const [old, fresh] = [linesOf(before), linesOf(after)];
	// Removed lines come before added ones. A person reads first what is new, so the texts are compared the other way round.
	const runs = lineDifference(fresh, old, maxChangedLines) ?? [
		{kind: 'added', lines: old},
		{kind: 'removed', lines: fresh},
	];
	return runs.flatMap(({kind, lines}) => lines.map(text => ({kind: reversed[kind], text})));
}

const reversed = {same: 'same', added: 'removed', removed: 'added'} as const;

/** Changed lines with up to two unchanged ones around them, `+` and `-` in front. */
export function differenceText(lines: readonly DifferenceLine[]): string {
	const signs = {same: ' ', added: '+', removed: '-'};
	const isNear = (index: number) => lines.slice(Math.max(index - 2, 0), index + 3).some(line => line.kind !== 'same');
	return lines.flatMap(({kind, text}, index) => (isNear(index) ? [`${signs[kind]} ${text}\n`] : [])).join('');
}

function linesOf(text: string): string[] {
	return text === '' ? [] : text.replace(/\n$/u, '').split('\n');
}

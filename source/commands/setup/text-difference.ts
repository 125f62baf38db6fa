/** A line of two texts side by side. */
type DifferenceLine = {readonly kind: 'same' | 'added' | 'removed'; readonly text: string};

/** Beyond this the table of the comparison grows too large; whoever reads thousands of lines wants the file. */
const mostCells = 4_000_000;

/** What was added to and removed from a text, line by line: the longest common lines stay. */
export function textDifference(before: string, after: string): readonly DifferenceLine[] {
	const [old, fresh] = [linesOf(before), linesOf(after)];
	if (old.length * fresh.length > mostCells) {
		return [...old.map(removed), ...fresh.map(added)];
	}

	const common = commonLengths(old, fresh);
	const lines: DifferenceLine[] = [];
	let [row, column] = [0, 0];
	while (row < old.length || column < fresh.length) {
		const [left, right] = [old[row], fresh[column]];
		if (left !== undefined && left === right) {
			lines.push({kind: 'same', text: left});
			row++;
			column++;
		} else if (right !== undefined && at(common, row, column + 1) >= at(common, row + 1, column)) {
			lines.push(added(right));
			column++;
		} else if (left !== undefined) {
			lines.push(removed(left));
			row++;
		}
	}

	return lines;
}

/** Changed lines with up to two unchanged ones around them, `+` and `-` in front. */
export function differenceText(lines: readonly DifferenceLine[]): string {
	const marks = {same: ' ', added: '+', removed: '-'};
	const isNear = (index: number) => lines.slice(Math.max(index - 2, 0), index + 3).some(line => line.kind !== 'same');
	return lines.flatMap(({kind, text}, index) => (isNear(index) ? [`${marks[kind]} ${text}\n`] : [])).join('');
}

/** How many lines are common from each pair of places on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): ReadonlyArray<readonly number[]> {
	const table = Array.from({length: old.length + 1}, () => Array.from({length: fresh.length + 1}, () => 0));
	for (let row = old.length - 1; row >= 0; row--) {
		for (let column = fresh.length - 1; column >= 0; column--) {
			const cells = table[row] ?? [];
			cells[column] =
				old[row] === fresh[column]
					? at(table, row + 1, column + 1) + 1
					: Math.max(at(table, row + 1, column), at(table, row, column + 1));
		}
	}

	return table;
}

function at(table: ReadonlyArray<readonly number[]>, row: number, column: number): number {
	return table[row]?.[column] ?? -1;
}

function linesOf(text: string): readonly string[] {
	return text === '' ? [] : text.replace(/\n$/u, '').split('\n');
}

function added(text: string): DifferenceLine {
	return {kind: 'added', text};
}

function removed(text: string): DifferenceLine {
	return {kind: 'removed', text};
}

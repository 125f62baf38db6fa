import {diffArrays} from 'diff';

/** Lines of two texts that follow one another: in both, or in one of them. */
export type LineRun = {readonly kind: 'same' | 'added' | 'removed'; readonly lines: readonly string[]};

/**
The difference of two lists of lines; removed ones come before the added ones in their place. Undefined if more than `maxEdits` lines are removed or
added: time grows with the square of that. Lines are compared as numbers, so that long ones that begin alike cost no more than others.
*/
export function lineDifference(
	before: readonly string[],
	after: readonly string[],
	maxEdits: number,
): readonly LineRun[] | undefined {
	const numbers = new Map<string, number>();
	const texts: string[] = [];
	const numbered = (lines: readonly string[]) =>
		lines.map(line => {
			const number = numbers.get(line) ?? texts.push(line) - 1;
			numbers.set(line, number);
			return number;
		});
	const changes = diffArrays(numbered(before), numbered(after), {maxEditLength: maxEdits});
	return changes?.map(({value, added, removed}) => ({
		kind: added ? 'added' : removed ? 'removed' : 'same',
		lines: value.map(number => texts[number] ?? ''),
	}));
}

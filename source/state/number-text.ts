/** A number as people read it: `1,204`. */
export function groupedNumber(count: number): string {
	return count.toLocaleString('en-US');
}

/** `1 call`, `2 calls`. */
export function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

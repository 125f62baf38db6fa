/** The value below which `share` of the values lie. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((first, second) => first - second);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
	return quantile(values, 0.5);
}

/** Prints a figure beside its limit; one that is over makes the process fail when it ends. */
export function checkLimit(
	figure: string,
	measured: number,
	target: {readonly limit: number; readonly unit: string},
): void {
	const isWithin = measured <= target.limit;
	process.exitCode = isWithin ? process.exitCode : 1;
	const verdict = isWithin ? 'within' : 'OVER';
	console.log(`${figure.padEnd(46)} ${measured.toFixed(2).padStart(8)} ${target.unit} of ${target.limit} ${verdict}`);
}

/** A number as people read it: `1,204`. */
export function groupedNumber(count: number): string {
	return count.toLocaleString('en-US');
}

/** `1 call`, `2 calls`. */
export function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Millionths of a dollar: `$1.25`, and below a dollar `$0.0042`. */
export function usdText(microUsd: number): string {
	const usd = microUsd / 1_000_000;
	return usd > 0 && usd < 0.000_05 ? '< $0.0001' : `$${usd.toFixed(usd > 0 && usd < 1 ? 4 : 2)}`;
}

/** `1,234 tokens in, 56 out`. */
export function tokensInAndOut({
	inputTokens,
	outputTokens,
}: {
	readonly inputTokens: number;
	readonly outputTokens: number;
}): string {
	return `${groupedNumber(inputTokens)} tokens in, ${groupedNumber(outputTokens)} out`;
}

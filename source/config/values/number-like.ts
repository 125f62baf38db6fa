import {z} from 'zod';
import {field} from './field-rule.ts';

/** What a number of the configuration may be, and what stands for it when it is missing or junk. */
export type NumberRange = {
	/** Undefined: nothing stands for it. */
	readonly fallback: number | undefined;
	readonly minimum: number;
	readonly maximum?: number;
	readonly whole?: boolean;
	/** What it counts, in words: "seconds". */
	readonly unit?: string;
};

/** The schema of a number, also given as text; NaN, infinity, anything out of range and junk become the default with a warning (docs/configuration.md, How values are read). */
export function numberLike(description: string, range: NumberRange) {
	const {fallback, minimum, maximum = Number.MAX_VALUE} = range;
	const bounded = (range.whole ? z.int() : z.number()).min(minimum).max(Math.min(maximum, Number.MAX_SAFE_INTEGER));
	const asText = z
		.string()
		.regex(/^\s*\d+(?:\.\d+)?\s*$/u)
		.refine(text => bounded.safeParse(Number(text)).success);
	return field(z.union([bounded, asText]), {
		description: `${description}${fallback === undefined ? '' : ` Default: ${fallback}.`}`,
		allowed: allowedText(range),
		instead: {told: fallback === undefined ? 'the key is left out' : `${fallback} is used`},
	}).optional();
}

function allowedText({minimum, maximum, whole, unit}: NumberRange): string {
	const kind = `a ${whole ? 'whole ' : ''}number${unit ? ` of ${unit}` : ''}`;
	return maximum === undefined ? `${kind}, ${minimum} or more` : `${kind} from ${minimum} to ${maximum}`;
}

/** The number that `numberLike` let through, or the default. */
export function toNumber(value: string | number | undefined, fallback: number): number {
	return value === undefined ? fallback : Number(value);
}

import {z} from 'zod';
import {field} from './field-rule.ts';

/** One of a few words. Any other is left out, or replaced by `use`, with a warning that ends in `told`. */
export function choice<const Words extends readonly [string, ...string[]]>(
	words: Words,
	about: {readonly description: string; readonly told: string; readonly use?: string},
) {
	return field(z.enum(words), {
		description: about.description,
		allowed: words.join(', '),
		instead: {told: about.told, use: about.use},
	}).optional();
}

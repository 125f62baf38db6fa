/** A variable in a template: `{a.b.c}`. */
export const templateVariable = /\{([\p{L}\p{N}_.-]+)\}/gu;

/** The variables of a template that a `{` begins and no `}` ends before the next one: a slip, for a template has no other use of a brace and a name. */
export function unclosedBraces(template: string): readonly string[] {
	const found = template.matchAll(/\{(?<path>[\p{L}_][\p{L}\p{N}_.-]*)(?![\p{L}\p{N}_.-])(?=[^{}]*(?:\{|$))/gu);
	return [...new Set(Array.from(found, match => match.groups?.['path'] ?? ''))];
}

import {type JsonValue} from '../util/json-text.ts';

/** A line of JSON, and whether the value in it is one of those to be marked. */
export type JsonLine = {readonly text: string; readonly marked: boolean};

/** A value as `JSON.stringify` with two blanks would write it, line by line; values at the paths (`labels.0`) are marked, with all that is in them. */
export function markedJson(value: JsonValue, paths: ReadonlySet<string>): readonly JsonLine[] {
	return linesOf({value, path: '', before: '', after: '', indent: '', marked: false}, paths);
}

type Place = {
	readonly value: JsonValue;
	readonly path: string;
	/** What stands before and after the value in its first and last line. */
	readonly before: string;
	readonly after: string;
	readonly indent: string;
	readonly marked: boolean;
};

function linesOf(place: Place, paths: ReadonlySet<string>): readonly JsonLine[] {
	const {value, before, after, indent} = place;
	const marked = place.marked || paths.has(place.path);
	const members = membersOf(value);
	if (members.length === 0) {
		return [{text: `${indent}${before}${JSON.stringify(value)}${after}`, marked}];
	}

	const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
	return [
		{text: `${indent}${before}${open}`, marked},
		...members.flatMap(([name, member], index) =>
			linesOf(
				{
					value: member,
					path: place.path === '' ? name : `${place.path}.${name}`,
					before: Array.isArray(value) ? '' : `${JSON.stringify(name)}: `,
					after: index === members.length - 1 ? '' : ',',
					indent: `${indent}  `,
					marked,
				},
				paths,
			),
		),
		{text: `${indent}${close}${after}`, marked},
	];
}

function membersOf(value: JsonValue): ReadonlyArray<readonly [string, JsonValue]> {
	return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

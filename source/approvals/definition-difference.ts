import {isJsonObject, type JsonObject, type JsonValue} from '../util/json-text.ts';
import {exactHead, exactLine} from '../util/exact-text.ts';

/** The maximum of changed members, and of characters of each value, that are shown. */
const maxLines = 40;
const maxValueCharacters = 300;

/** A change at the end of a long text must not be cut off, so what is the same is left out. */
const shortestCommonStart = 80;
const commonStartCharacters = 30;

/** Schemas nested deeper than this are compared as one text. */
const deepestMember = 12;

/**
The changes between two tool definitions, one member per line and safe to show: `+ path: new`, `- path: old`, `~ path: old → new`.
Undefined when nothing did.
*/
export function definitionDifference(before: JsonObject, after: JsonObject): string | undefined {
	const old = leaves(before);
	const fresh = leaves(after);
	const paths = [...new Set([...old.keys(), ...fresh.keys()])];
	const lines = paths.flatMap(path => lineFor(path, old.get(path), fresh.get(path)));
	if (lines.length === 0) {
		return undefined;
	}

	const more = lines.length - maxLines;
	return [...lines.slice(0, maxLines), ...(more > 0 ? [`… ${more} more changes`] : [])].join('\n');
}

function lineFor(path: string, before: string | undefined, after: string | undefined): string[] {
	if (before === after) {
		return [];
	}

	const name = exactHead(path, maxValueCharacters, exactLine);
	if (before === undefined || after === undefined) {
		return [after === undefined ? `- ${name}: ${shown(before ?? '')}` : `+ ${name}: ${shown(after)}`];
	}

	const same = commonStart(before, after);
	return [`~ ${name}: ${shown(before, same)} → ${shown(after, same)}`];
}

/** The length of the common beginning, less some characters that help to find the place; 0 if that is not worth an ellipsis. */
function commonStart(before: string, after: string): number {
	let end = 0;
	while (end < before.length && before[end] === after[end]) {
		end++;
	}

	return end > shortestCommonStart ? end - commonStartCharacters : 0;
}

function shown(value: string, from = 0): string {
	return `${from > 0 ? '…' : ''}${exactHead(value.slice(from), maxValueCharacters, exactLine)}`;
}

/** Every scalar, empty or very deep member as JSON, by its path. */
function leaves(definition: JsonObject): Map<string, string> {
	const found = new Map<string, string>();
	const add = (value: JsonValue, path: readonly string[]) => {
		const members = path.length < deepestMember ? membersOf(value) : [];
		if (members.length === 0 && path.length > 0) {
			found.set(path.join('.'), JSON.stringify(value));
		}

		for (const [name, member] of members) {
			add(member, [...path, name]);
		}
	};

	add(definition, []);
	return found;
}

function membersOf(value: JsonValue): ReadonlyArray<readonly [string, JsonValue]> {
	if (Array.isArray(value)) {
		return value.map((member: JsonValue, index) => [String(index), member] as const);
	}

	return isJsonObject(value) ? Object.entries(value) : [];
}

import {type JsonObject} from '../json-text.ts';
import {type LineRun, lineDifference} from './line-difference.ts';
import {countLines, hasSign} from './text-lines.ts';

/** Arguments that replace one text by another, and the difference of both. */
export type TextEdit = {
	readonly oldName: string;
	readonly newName: string;
	readonly before: string;
	readonly after: string;
	/** Lines with their ends. */
	readonly runs: readonly LineRun[];
};

/** Names of both texts at the tools of agents and of servers for files. */
const pairs = [
	['old_string', 'new_string'],
	['old_str', 'new_str'],
	['old_text', 'new_text'],
	['oldString', 'newString'],
	['oldText', 'newText'],
] as const;

/** Beyond these bounds both texts are shown as they are: a difference takes at most some 50 ms. */
const maxCharacters = 500_000;
const maxLines = 20_000;
const maxEdits = 400;

const known = new WeakMap<JsonObject, TextEdit | 'none'>();

/**
The edit in an object of shown arguments: two different texts under the names of one of the pairs. Undefined if there is none, if it is too large, or if a
part of either is cut or masked: different secrets have the same mask. Remembered by the object.
*/
export function editIn(shown: JsonObject): TextEdit | undefined {
	const answer = known.get(shown) ?? findEdit(shown) ?? 'none';
	known.set(shown, answer);
	return answer === 'none' ? undefined : answer;
}

function findEdit(shown: JsonObject): TextEdit | undefined {
	const pair = pairs.find(names => names.every(name => Object.hasOwn(shown, name)));
	const [before, after] = pair?.map(name => shown[name]) ?? [];
	if (!pair || typeof before !== 'string' || typeof after !== 'string') {
		return undefined;
	}

	const [oldName, newName] = pair;
	const isSmall =
		before.length + after.length <= maxCharacters &&
		countLines(before, maxLines) + countLines(after, maxLines) <= maxLines;
	const runs =
		isSmall && before !== after && !hasSign(before) && !hasSign(after)
			? lineDifference(withEnds(before), withEnds(after), maxEdits)
			: undefined;
	return runs && {oldName, newName, before, after, runs};
}

/** A last line with a line end is another than one without. */
function withEnds(text: string): readonly string[] {
	return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

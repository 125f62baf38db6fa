import {isJsonObject, type JsonObject, type JsonValue} from '../json-text.ts';
import {gutterWording, type LinePlace, type Wording} from './line-wording.ts';
import {editIn, type TextEdit} from './text-edit.ts';
import {countLines, endOfText, linesIn, linesText, visibleLine} from './text-lines.ts';

/** A line of a shown value, and whether the value is to be marked. */
export type ValueLine = {readonly text: string; readonly marked: boolean};

/** `lines`: texts with line ends as lines, edits as differences; `folded`: these without most of what they leave unchanged; `raw`: JSON alone. */
export type ValueForm = 'folded' | 'lines' | 'raw';

/** Bounds on the indentation, on the number of lines, and on the characters of a line, which then goes on in the next one. */
export type ValueBounds = {readonly maxIndent: number; readonly maxLines: number; readonly maxCharacters: number};

export const unbounded: ValueBounds = {
	maxIndent: Number.POSITIVE_INFINITY,
	maxLines: Number.POSITIVE_INFINITY,
	maxCharacters: Number.POSITIVE_INFINITY,
};

export type ValueOptions = {
	readonly form: ValueForm;
	/** Paths (`labels.0`) of the values that are marked, with all that is in them. */
	readonly paths?: ReadonlySet<string>;
	readonly bounds?: Partial<ValueBounds>;
	readonly wording?: Wording;
};

export type ValueLines = {
	readonly lines: readonly ValueLine[];
	/** The number of unchanged lines that are left out. */
	readonly foldedLines: number;
	/** The number of texts and edits that only the raw form writes as JSON. */
	readonly texts: number;
};

/**
A shown value (`shownValue`) in lines: JSON as `JSON.stringify` with two blanks writes it, apart from texts with line ends and from edits, whose lines are
numbered. It reads back to the value: JSON escapes the line ends of all else, and every line of a text begins with words of ours. Nothing is written after the last
line that is allowed.
*/
export function valueLines(value: JsonValue, {form, paths, bounds, wording}: ValueOptions): ValueLines {
	const writing: Writing = {
		form,
		paths: paths ?? new Set(),
		bounds: {...unbounded, ...bounds},
		wording: wording ?? gutterWording,
		lines: [],
		foldedLines: 0,
		texts: 0,
	};
	addValue({value, path: '', before: '', after: '', depth: 0, marked: false}, writing);
	const {lines, foldedLines, texts} = writing;
	return {lines, foldedLines, texts};
}

/** A value of the document, at its depth and with the text around it. */
type NestedValue<Value extends JsonValue = JsonValue> = {
	readonly value: Value;
	readonly path: string;
	/** Text around the value, in its first and its last line. */
	readonly before: string;
	readonly after: string;
	readonly depth: number;
	readonly marked: boolean;
};

type Writing = {
	readonly form: ValueForm;
	readonly paths: ReadonlySet<string>;
	readonly bounds: ValueBounds;
	readonly wording: Wording;
	readonly lines: ValueLine[];
	foldedLines: number;
	texts: number;
};

function add({lines, bounds}: Writing, text: string, marked: boolean): void {
	if (lines.length < bounds.maxLines) {
		lines.push({text, marked});
	}
}

/** A line of JSON. */
function addJson(writing: Writing, text: string, marked: boolean): void {
	const {wording, bounds} = writing;
	const frame = {of: 'text', digits: 1} as const;
	const [first = '', ...rest] = piecesOf(text, bounds);
	add(writing, first, marked);
	rest.forEach(piece => add(writing, wording.line({kind: 'rest', of: frame}, piece, frame), marked));
}

/** A line in pieces. None ends within a character. */
function piecesOf(text: string, {maxCharacters}: ValueBounds): readonly string[] {
	const pieces: string[] = [];
	for (let start = 0; start < text.length || pieces.length === 0; ) {
		const cut = start + maxCharacters;
		const end = /[\uD800-\uDBFF]/.test(text.charAt(cut - 1)) ? cut - 1 : cut;
		pieces.push(text.slice(start, end));
		start = end;
	}

	return pieces;
}

function indentOf({depth}: Pick<NestedValue, 'depth'>, {bounds}: Writing): string {
	return ' '.repeat(Math.min(depth * 2, bounds.maxIndent));
}

function addValue(nested: NestedValue, writing: Writing): void {
	const {value, before, after, path} = nested;
	const marked = nested.marked || writing.paths.has(path);
	if (typeof value === 'string' && value.includes('\n')) {
		writing.texts++;
		if (writing.form !== 'raw') {
			addText({...nested, value, marked}, writing);
			return;
		}
	}

	const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
	const indent = indentOf(nested, writing);
	if (members.length === 0) {
		addJson(writing, `${indent}${before}${JSON.stringify(value)}${after}`, marked);
		return;
	}

	const isObject = isJsonObject(value);
	add(writing, `${indent}${before}${isObject ? '{' : '['}`, marked);
	addMembers({...nested, value: value as JsonObject, marked}, members, writing);
	add(writing, `${indent}${isObject ? '}' : ']'}${after}`, marked);
}

function addMembers(
	{value, path, depth, marked}: NestedValue<JsonObject>,
	members: ReadonlyArray<readonly [string, JsonValue]>,
	writing: Writing,
): void {
	const isObject = isJsonObject(value);
	const edit = isObject ? editIn(value) : undefined;
	writing.texts += edit ? 1 : 0;
	let isEditShown = false;
	for (const [index, [name, member]] of members.entries()) {
		if (writing.lines.length >= writing.bounds.maxLines) {
			return;
		}

		const nested = {
			value: member,
			path: path === '' ? name : `${path}.${name}`,
			before: isObject ? `${JSON.stringify(name)}: ` : '',
			after: index === members.length - 1 ? '' : ',',
			depth: depth + 1,
			marked,
		};
		if (!edit || writing.form === 'raw' || (name !== edit.oldName && name !== edit.newName)) {
			addValue(nested, writing);
		} else if (isEditShown) {
			const which = name === edit.oldName ? 'before' : 'after';
			add(writing, indentOf(nested, writing) + nested.before + writing.wording.other(which), marked);
		} else {
			addEdit(edit, nested, writing);
			isEditShown = true;
		}
	}
}

function addText({value, before, marked, ...nested}: NestedValue<string>, writing: Writing): void {
	const {wording, bounds} = writing;
	const count = countLines(value, bounds.maxLines);
	const end = endOfText(value);
	const frame = {of: 'text', digits: String(count).length} as const;
	const size = linesText(count, bounds.maxLines);
	const indent = indentOf({depth: nested.depth}, writing);
	add(writing, indent + before + wording.begin(end === 'cut' ? `the first ${size}` : size), marked);
	let line = 0;
	for (const text of linesIn(value)) {
		if (writing.lines.length >= bounds.maxLines) {
			return;
		}

		line++;
		addLine({kind: 'text', line}, {text, marked, frame}, writing);
	}

	add(writing, wording.end(end, frame), marked);
}

type Frame = Parameters<Wording['line']>[2];

/** A line of a text. */
function addLine(
	place: LinePlace,
	{text, marked, frame}: {readonly text: string; readonly marked: boolean; readonly frame: Frame},
	writing: Writing,
): void {
	for (const [index, piece] of piecesOf(visibleLine(text), writing.bounds).entries()) {
		add(writing, writing.wording.line(index === 0 ? place : {kind: 'rest', of: frame}, piece, frame), marked);
	}
}

/** The lines of an edit, in the place of the one of its texts that comes first. */
function addEdit(edit: TextEdit, {before, depth, marked, path}: NestedValue, writing: Writing): void {
	const {wording, form, paths} = writing;
	const [from, to] = [countLines(edit.before, Infinity), countLines(edit.after, Infinity)];
	const frame = {of: 'edit', digits: String(Math.max(from, to)).length} as const;
	const around = path.slice(0, path.lastIndexOf('.') + 1);
	const isMarked = (name: string) => marked || paths.has(around + name);
	const marks = {removed: isMarked(edit.oldName), added: isMarked(edit.newName)};
	const anyMarked = marks.removed || marks.added;
	add(writing, indentOf({depth}, writing) + before + wording.beginEdit(linesText(from), linesText(to)), anyMarked);
	const at = {before: 0, after: 0};
	for (const [index, {kind, lines}] of edit.runs.entries()) {
		const hidden = form === 'folded' && kind === 'same' ? hiddenLines(lines, index, edit.runs.length) : undefined;
		for (const [number, line] of lines.entries()) {
			at.before += kind === 'added' ? 0 : 1;
			at.after += kind === 'removed' ? 0 : 1;
			if (hidden && number >= hidden.from && number < hidden.to) {
				continue;
			}

			if (hidden && number === hidden.to) {
				addFolded(hidden, frame, writing);
			}

			const marked = kind === 'same' ? anyMarked : marks[kind];
			addLine({kind, ...at}, {text: line.replace(/\n$/u, ''), marked, frame}, writing);
		}

		if (hidden?.to === lines.length) {
			addFolded(hidden, frame, writing);
		}
	}

	add(writing, wording.end({before: endOfText(edit.before), after: endOfText(edit.after)}, frame), anyMarked);
}

type Hidden = {readonly from: number; readonly to: number};

/** Unchanged lines around a change, and the fewest that are worth a line in their place. */
const nearLines = 3;
const fewestHidden = 4;

/** The unchanged lines of a run that are left out: far from the changes before and after it. */
function hiddenLines(lines: readonly string[], index: number, runs: number): Hidden | undefined {
	const from = index === 0 ? 0 : nearLines;
	const to = lines.length - (index === runs - 1 ? 0 : nearLines);
	return to - from >= fewestHidden ? {from, to} : undefined;
}

function addFolded({from, to}: Hidden, frame: Frame, writing: Writing): void {
	writing.foldedLines += to - from;
	add(writing, writing.wording.folded(linesText(to - from), frame), false);
}

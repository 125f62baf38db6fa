import {
	applyEdits,
	type Edit,
	findNodeAtLocation,
	getNodeValue,
	type Node,
	type ParseError,
	parseTree,
} from 'jsonc-parser';
import {type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {isSameJson, type SettingPath, type SettingsEdit} from './settings-edit.ts';

/**
Parses JSON with comments and trailing commas; an empty text is an empty object. Undefined: it is invalid, is nested too deeply, or is no object.
*/
export function parseJsonSettings(text: string): JsonObject | undefined {
	const root = rootOf(text);
	return root === 'invalid' ? undefined : root === undefined ? {} : (getNodeValue(root) as JsonObject);
}

/** True if a name is there twice on the way to this key: programs differ in the one they read. */
export function isRepeatedInJson(text: string, path: readonly string[]): boolean {
	const root = rootOf(text);
	return (
		typeof root === 'object' &&
		path.some((key, depth) => {
			const node = findNodeAtLocation(root, path.slice(0, depth));
			return (node?.children ?? []).filter(({children}) => children?.[0]?.value === key).length > 1;
		})
	);
}

/**
Makes one edit of a valid text. Positions come from the tree of jsonc-parser. Its `modify` formats the whole line around an edit, and moves
comments, so that bytes of others would change: the pieces are placed here.
*/
export function editJson(text: string, edit: SettingsEdit): string {
	const root = rootOf(text);
	const style = styleOf(text, typeof root === 'object' ? root : undefined);
	if (root === 'invalid' || root === undefined) {
		switch (edit.kind) {
			case 'set':
				return withFirstValue(text, edit, style);
			case 'add item':
				return withFirstValue(text, {path: edit.path, value: [edit.item]}, style);
			case 'remove':
			case 'remove item':
				return text;
		}
	}

	switch (edit.kind) {
		case 'set':
			return setMember({text, root, style}, edit.path, edit.value);
		case 'remove':
			return removeNode({text, root, style}, findNodeAtLocation(root, [...edit.path])?.parent);
		case 'add item':
			return addItem({text, root, style}, edit);
		case 'remove item': {
			const list = findNodeAtLocation(root, [...edit.path]);
			return removeNode(
				{text, root, style},
				list?.children?.find(child => isSameJson(getNodeValue(child), edit.item)),
			);
		}
	}
}

/** A text with its tree, and the way in which it is indented. */
type Draft = {readonly text: string; readonly root: Node; readonly style: Style};

type Style = {readonly unit: string; readonly endOfLine: string};

function rootOf(text: string): Node | 'invalid' | undefined {
	const errors: ParseError[] = [];
	try {
		const root = parseTree(text, errors, {allowTrailingComma: true, allowEmptyContent: true});
		return errors.length > 0 || (root && root.type !== 'object') ? 'invalid' : root;
	} catch {
		// The parser is recursive; no settings are nested that deeply.
		return 'invalid';
	}
}

function styleOf(text: string, root: Node | undefined): Style {
	const first = root?.children?.[0];
	const unit = first && isOnOwnLine(text, first.offset) ? indentAt(text, first.offset) : '';
	return {unit: unit || '  ', endOfLine: text.includes('\r\n') ? '\r\n' : '\n'};
}

function withFirstValue(text: string, {path, value}: {path: SettingPath; value: JsonValue}, style: Style): string {
	const {endOfLine} = style;
	const gap = text === '' || text.endsWith('\n') ? '' : endOfLine;
	return `${text}${gap}${formatted(wrapped(path, value), '', style)}${endOfLine}`;
}

function setMember(draft: Draft, path: readonly string[], value: JsonValue): string {
	const {text, root, style} = draft;
	const present = findNodeAtLocation(root, [...path]);
	if (present?.parent?.parent) {
		const isOneLine = isInOneLine(text, present.parent.parent);
		const content = isOneLine ? oneLine(value) : formatted(value, indentAt(text, present.parent.offset), style);
		return applyEdits(text, [{offset: present.offset, length: present.length, content}]);
	}

	const depth = path.findLastIndex((_, length) => findNodeAtLocation(root, path.slice(0, length)) !== undefined);
	const container = findNodeAtLocation(root, path.slice(0, depth));
	const [key = '', ...rest] = path.slice(depth);
	const name = JSON.stringify(key);
	return container ? insertChild(draft, container, {name, value: wrapped(rest, value)}) : text;
}

function addItem(draft: Draft, {path, item}: {path: SettingPath; item: JsonValue}): string {
	const list = findNodeAtLocation(draft.root, [...path]);
	return list ? insertChild(draft, list, {value: item}) : setMember(draft, path, [item]);
}

function wrapped(path: readonly string[], value: JsonValue): JsonValue {
	return path.reduceRight<JsonValue>((inner, key) => ({[key]: inner}), value);
}

function formatted(value: JsonValue, indent: string, {unit, endOfLine}: Style): string {
	return JSON.stringify(value, null, unit).replaceAll('\n', endOfLine + indent);
}

function oneLine(value: JsonValue): string {
	return JSON.stringify(value, null, 1).replaceAll(/\n\s*/gu, ' ');
}

/** A new member or item behind the last one, and behind the comments that follow it. */
function insertChild(
	{text, style}: Draft,
	container: Node,
	{name, value}: {readonly name?: string; readonly value: JsonValue},
): string {
	const last = container.children?.at(-1);
	const from = last ? last.offset + last.length : container.offset + 1;
	const close = container.offset + container.length - 1;
	const gap = readGap(text.slice(from, close));
	const comma = last && gap.comma === undefined ? ',' : '';
	const trailingComma = gap.comma === undefined ? '' : ',';
	const key = name === undefined ? '' : `${name}: `;
	const {endOfLine, unit} = style;
	let child: string;
	if (isInOneLine(text, container)) {
		const before = gap.endsWithLine ? endOfLine : last ? ' ' : '';
		child = before + key + oneLine(value) + trailingComma;
	} else {
		const base = indentAt(text, container.offset);
		const indent = last ? indentAt(text, last.offset) : base + unit;
		const end = /[\r\n]/u.test(text.slice(from + gap.contentEnd, close)) ? '' : endOfLine + base;
		child = endOfLine + indent + key + formatted(value, indent, style) + trailingComma + end;
	}

	const edits: readonly Edit[] =
		gap.contentEnd === 0
			? [{offset: from, length: 0, content: comma + child}]
			: [
					{offset: from, length: 0, content: comma},
					{offset: from + gap.contentEnd, length: 0, content: child},
				];
	return applyEdits(text, [...edits]);
}

/** Takes out a member or an item with its line and one comma. Comments around it stay. */
function removeNode({text, style}: Draft, child: Node | undefined): string {
	const container = child?.parent;
	const siblings = container?.children ?? [];
	const index = child ? siblings.indexOf(child) : -1;
	if (!child || !container || index === -1) {
		return text;
	}

	const [previous, next] = [siblings[index - 1], siblings[index + 1]];
	const from = previous ? previous.offset + previous.length : container.offset + 1;
	const before = readGap(text.slice(from, child.offset));
	const childEnd = child.offset + child.length;
	const close = container.offset + container.length - 1;
	const after = readGap(text.slice(childEnd, next ? next.offset : close));
	const end = after.comma === undefined ? childEnd : childEnd + after.comma + 1;
	const removed = rangeOf(text, {
		start: child.offset,
		end,
		contentBefore: from + before.contentEnd,
		hasComma: after.comma !== undefined,
	});
	const joins = before.endsWithLine && !/^[^\S\r\n]*\r?\n/u.test(text.slice(removed.end));
	const edits: Edit[] = [
		{offset: removed.start, length: removed.end - removed.start, content: joins ? style.endOfLine : ''},
	];
	if (after.comma === undefined && before.comma !== undefined) {
		edits.unshift({offset: from + before.comma, length: 1, content: ''});
	}

	const isLast = siblings.length === 1 && text.slice(container.offset + 1, removed.start).trim() === '';
	const rest = text.slice(removed.end, close);
	if (isLast && rest.trim() === '') {
		return applyEdits(text, [{offset: container.offset + 1, length: container.length - 2, content: ''}]);
	}

	return applyEdits(text, edits);
}

function rangeOf(
	text: string,
	{
		start,
		end,
		contentBefore,
		hasComma,
	}: {readonly start: number; readonly end: number; readonly contentBefore: number; readonly hasComma: boolean},
): {readonly start: number; readonly end: number} {
	if (isOnOwnLine(text, start) || !hasComma) {
		return {start: contentBefore, end};
	}

	const blanks = /^[^\S\r\n]*/u.exec(text.slice(end))?.[0].length ?? 0;
	return {start, end: end + blanks};
}

type Gap = {
	/** The place of the comma. */
	readonly comma: number | undefined;
	/** Behind the last comma or comment. */
	readonly contentEnd: number;
	/** The last of them is a comment that ends with its line. */
	readonly endsWithLine: boolean;
};

/** Reads what is between two values: blanks, comments and at most one comma. */
function readGap(gap: string): Gap {
	const pieces = [...gap.matchAll(/\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,/gu)];
	const last = pieces.at(-1);
	return {
		comma: pieces.find(([piece]) => piece === ',')?.index,
		contentEnd: last ? last.index + last[0].length : 0,
		endsWithLine: last?.[0].startsWith('//') ?? false,
	};
}

/** True if the members of a container are not on lines of their own; an empty one is as the container around it. */
function isInOneLine(text: string, container: Node): boolean {
	const [first] = container.children ?? [];
	if (first) {
		return !isOnOwnLine(text, first.offset);
	}

	const around = container.parent?.parent;
	return around !== undefined && isInOneLine(text, around);
}

function isOnOwnLine(text: string, offset: number): boolean {
	const start = text.lastIndexOf('\n', offset - 1);
	return start !== -1 && text.slice(start + 1, offset).trim() === '';
}

function indentAt(text: string, offset: number): string {
	const start = text.lastIndexOf('\n', offset - 1) + 1;
	return /^[^\S\r\n]*/u.exec(text.slice(start, offset))?.[0] ?? '';
}

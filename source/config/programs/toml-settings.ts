import {type JsonObject, type JsonValue, isJsonObject} from '../../util/json-text.ts';
import {parseToml, tomlText} from '../import/toml.ts';
import {type SettingsEdit} from './settings-edit.ts';

/** Texts, comments, line breaks, blanks, brackets, and everything else. */
const tokens =
	/"""(?:[^"\\]+|\\[\s\S]|"(?!""))*"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|\n|[^\S\n]+|[[\]{}]|[^"'#\s[\]{}]+|[\s\S]/gu;

/** A table as it is written: from its header to its last value. */
type Block = {readonly path: readonly string[]; readonly start: number; end: number};

/**
Sets or removes one table of a valid text, of which every other byte stays. Headers inside texts are none. A table that is written as a value, in
braces or with dotted keys, is left as it is: the caller compares the result with what it wanted.
*/
export function editToml(text: string, edit: SettingsEdit): string {
	const endOfLine = text.includes('\r\n') ? '\r\n' : '\n';
	const own = blocksOf(text).filter(({path}) => edit.path.every((key, index) => path[index] === key));
	switch (edit.kind) {
		case 'set': {
			const table = tomlText(wrapped(edit.path, edit.value)).trimEnd().replaceAll('\n', endOfLine);
			const [first, ...others] = own;
			return first
				? splice(removeBlocks(text, others), first, table)
				: `${text}${gapBehind(text, endOfLine)}${table}${endOfLine}`;
		}
		case 'remove':
			return removeBlocks(text, own);
		case 'add item':
		case 'remove item':
			return text;
	}
}

function wrapped(path: readonly string[], value: JsonValue): JsonObject {
	const inner = path.reduceRight<JsonValue>((one, key) => ({[key]: one}), value);
	return isJsonObject(inner) ? inner : {};
}

function gapBehind(text: string, endOfLine: string): string {
	if (text.trim() === '' || text.endsWith(endOfLine + endOfLine)) {
		return '';
	}

	return text.endsWith('\n') ? endOfLine : endOfLine + endOfLine;
}

function splice(text: string, {start, end}: Pick<Block, 'start' | 'end'>, content: string): string {
	return text.slice(0, start) + content + text.slice(end);
}

/** The text without these blocks, their lines and the blank line above each. */
function removeBlocks(text: string, blocks: readonly Block[]): string {
	return blocks.reduceRight((rest, {start, end}) => {
		const line = rest.indexOf('\n', end);
		const before = rest.slice(0, start).replace(/[^\S\n]*$/u, '');
		return before.replace(/(\r?\n)[^\S\n]*\r?\n$/u, '$1') + (line === -1 ? '' : rest.slice(line + 1));
	}, text);
}

function blocksOf(text: string): readonly Block[] {
	const blocks: Block[] = [];
	let depth = 0;
	let position: 'line start' | 'header' | 'value' = 'line start';
	let start = 0;
	for (const {0: token, index} of text.matchAll(tokens)) {
		if (token === '\n') {
			position = depth === 0 ? 'line start' : position;
			continue;
		}

		if (token.startsWith('#') || token.trim() === '') {
			continue;
		}

		if (position === 'line start') {
			position = token === '[' && depth === 0 ? 'header' : 'value';
			start = index;
		}

		depth += '[{'.includes(token) ? 1 : ']}'.includes(token) ? -1 : 0;
		const end = index + token.length;
		const block = blocks.at(-1);
		if (position === 'header' && depth === 0) {
			blocks.push({path: pathOf(text.slice(start, end)), start, end});
			position = 'value';
		} else if (position === 'value' && block) {
			block.end = end;
		}
	}

	return blocks;
}

/** The keys of a header, as the parser reads them. */
function pathOf(header: string): readonly string[] {
	return keysOf(parseToml(header));
}

/** The only key of a table, of the table in it, and so on. */
function keysOf(value: JsonValue | undefined): readonly string[] {
	const table = Array.isArray(value) ? keysOf(value[0]) : undefined;
	const [member] = isJsonObject(value) ? Object.entries(value) : [];
	return table ?? (member ? [member[0], ...keysOf(member[1])] : []);
}

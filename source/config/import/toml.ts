import {type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {plainTomlValue, TomlError, unescapeToml} from './toml-value.ts';

type Table = {[name: string]: JsonValue | Table};

/**
Reads the part of TOML that configuration files of other programs use: tables, arrays of tables, dotted and quoted keys, all four kinds of strings,
numbers, booleans, arrays, inline tables. Dates become texts. Undefined when the text is none of it.
*/
export function parseToml(text: string): JsonObject | undefined {
	try {
		const reader = new TomlReader(text.replace(/^\uFEFF/u, ''));
		return reader.read();
	} catch (error) {
		if (error instanceof TomlError) {
			return undefined;
		}

		throw error;
	}
}

const blanks = /(?:[ \t]|\r?\n|#[^\r\n]*)*/uy;
const spaces = /[ \t]*/uy;
const bareKey = /[A-Za-z0-9_-]+/uy;
const lineEnd = /[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$)/uy;
const scalar = /[^\s,\]}#]+(?: \d[^\s,\]}#]*)?/uy;
const strings = [
	{pattern: /"""(?:\r?\n)?((?:\\[\s\S]|(?!""")[^\\])*"{0,2})"""/uy, escapes: true},
	{pattern: /'''(?:\r?\n)?((?:(?!''')[\s\S])*'{0,2})'''/uy, escapes: false},
	{pattern: /"((?:\\.|[^"\\\r\n])*)"/uy, escapes: true},
	{pattern: /'([^'\r\n]*)'/uy, escapes: false},
] as const;

class TomlReader {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	read(): JsonObject {
		const root = newTable();
		let table = root;
		this.#take(blanks);
		while (this.#at < this.#text.length) {
			if (this.#text[this.#at] === '[') {
				table = this.#header(root);
			} else {
				this.#pair(table);
			}

			this.#expect(lineEnd);
			this.#take(blanks);
		}

		return root;
	}

	#header(root: Table): Table {
		const isList = this.#text.startsWith('[[', this.#at);
		this.#at += isList ? 2 : 1;
		const path = this.#keyPath();
		this.#literal(isList ? ']]' : ']');
		const last = path.pop() ?? '';
		const parent = path.reduce(openTable, root);
		if (!isList) {
			return openTable(parent, last);
		}

		const before = parent[last] ?? [];
		if (!Array.isArray(before)) {
			throw new TomlError();
		}

		const table = newTable();
		parent[last] = [...before, table];
		return table;
	}

	#pair(table: Table): void {
		const path = this.#keyPath();
		this.#literal('=');
		this.#take(spaces);
		const last = path.pop() ?? '';
		const parent = path.reduce(openTable, table);
		if (last in parent) {
			throw new TomlError();
		}

		parent[last] = this.#value();
	}

	#keyPath(): string[] {
		const path: string[] = [];
		do {
			this.#take(spaces);
			path.push(this.#string() ?? this.#expect(bareKey));
			this.#take(spaces);
		} while (this.#skip('.'));

		return path;
	}

	#value(): JsonValue {
		const quoted = this.#string();
		if (quoted !== undefined) {
			return quoted;
		}

		if (this.#skip('[')) {
			return this.#list();
		}

		return this.#skip('{') ? this.#inlineTable() : plainTomlValue(this.#expect(scalar));
	}

	#list(): JsonValue[] {
		const items: JsonValue[] = [];
		this.#take(blanks);
		while (!this.#skip(']')) {
			items.push(this.#value());
			this.#take(blanks);
			if (!this.#skip(',') && this.#text[this.#at] !== ']') {
				throw new TomlError();
			}

			this.#take(blanks);
		}

		return items;
	}

	#inlineTable(): JsonObject {
		const table = newTable();
		this.#take(blanks);
		while (!this.#skip('}')) {
			this.#pair(table);
			this.#take(blanks);
			if (!this.#skip(',') && this.#text[this.#at] !== '}') {
				throw new TomlError();
			}

			this.#take(blanks);
		}

		return table;
	}

	#string(): string | undefined {
		for (const {pattern, escapes} of strings) {
			const found = this.#take(pattern);
			if (found) {
				return escapes ? unescapeToml(found[1] ?? '') : (found[1] ?? '');
			}
		}

		return undefined;
	}

	#take(pattern: RegExp): RegExpExecArray | null {
		pattern.lastIndex = this.#at;
		const found = pattern.exec(this.#text);
		this.#at += found?.[0].length ?? 0;
		return found;
	}

	#expect(pattern: RegExp): string {
		const found = this.#take(pattern);
		if (!found) {
			throw new TomlError();
		}

		return found[0];
	}

	#skip(literal: string): boolean {
		const isThere = this.#text.startsWith(literal, this.#at);
		this.#at += isThere ? literal.length : 0;
		return isThere;
	}

	#literal(literal: string): void {
		if (!this.#skip(literal)) {
			throw new TomlError();
		}
	}
}

/** Without inherited members: a key may have any name. */
function newTable(): Table {
	return Object.create(null) as Table;
}

/** The table below a key, made when nothing is there; of a list of tables, the last one. */
function openTable(parent: Table, key: string): Table {
	const found = parent[key];
	if (found === undefined) {
		const table = newTable();
		parent[key] = table;
		return table;
	}

	const table = Array.isArray(found) ? found.at(-1) : found;
	if (!isTable(table)) {
		throw new TomlError();
	}

	return table;
}

function isTable(value: unknown): value is Table {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

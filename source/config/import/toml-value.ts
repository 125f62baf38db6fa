import {type JsonValue} from '../../util/json-text.ts';

/** Text that is no TOML. */
export class TomlError extends Error {}

/** A value without quotes: a number, a switch, or a date, which stays text. Throws `TomlError`. */
export function plainTomlValue(text: string): JsonValue {
	if (text === 'true' || text === 'false') {
		return text === 'true';
	}

	const digits = text.replaceAll('_', '');
	if (/^(?:[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?)|0x[\dA-Fa-f]+|0o[0-7]+|0b[01]+)$/u.test(digits)) {
		return Number(digits);
	}

	if (/^[+-]?(?:inf|nan)$|^\d{4}-\d\d-\d\d|^\d\d:\d\d/u.test(text)) {
		return text;
	}

	throw new TomlError();
}

const shortEscapes: Readonly<Record<string, string>> = {
	b: '\b',
	t: '\t',
	n: '\n',
	f: '\f',
	r: '\r',
	e: '\u001B',
	'"': '"',
	'\\': '\\',
};

/** The text that a string with escapes means. Throws `TomlError` for escapes that TOML does not know. */
export function unescapeToml(text: string): string {
	return text.replaceAll(
		/\\(?:u(?<short>[\dA-Fa-f]{4})|U(?<long>[\dA-Fa-f]{8})|(?<fold>[ \t]*\r?\n\s*)|(?<letter>[\s\S]))/gu,
		(...found) => meaningOf(found.at(-1)),
	);
}

type Escape = {readonly short?: string; readonly long?: string; readonly fold?: string; readonly letter?: string};

function meaningOf({short, long, fold, letter = ''}: Escape): string {
	const code = short ?? long;
	if (code !== undefined) {
		return codePoint(Number.parseInt(code, 16));
	}

	const plain = fold === undefined ? shortEscapes[letter] : '';
	if (plain === undefined) {
		throw new TomlError();
	}

	return plain;
}

function codePoint(code: number): string {
	if (code > 0x10_ff_ff) {
		throw new TomlError();
	}

	return String.fromCodePoint(code);
}

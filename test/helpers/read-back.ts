import {parseJson, type JsonValue} from '../../source/util/json-text.ts';

/** The text that a shown text stands for, escape by escape: the inverse of `exactText`, written without it. */
export function readExact(shown: string): string {
	return shown.replaceAll(/‹U\+([0-9A-F]+)›|[\u2400-\u241F]|␡/gu, (sign, code: string | undefined) => {
		if (code !== undefined) {
			return String.fromCodePoint(Number.parseInt(code, 16));
		}

		return sign === '␡' ? '\u007F' : String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0x24_00);
	});
}

/** The JSON in the rows of a card: rows that go on in the next one are put together, then every text in it is read. */
export function readRows(rows: readonly string[]): JsonValue | undefined {
	const text = rows
		.map((row, index) => {
			const goesOn = rows[index + 1]?.startsWith('…', 1) ?? false;
			const isFurther = row.startsWith('…', 1);
			return (isFurther ? '' : '\n') + row.slice(2, goesOn ? -1 : undefined);
		})
		.join('');
	const shown = parseJson(text);
	return shown === undefined ? undefined : readTexts(shown);
}

function readTexts(value: JsonValue): JsonValue {
	if (typeof value === 'string') {
		return readExact(value);
	}

	if (typeof value !== 'object' || value === null) {
		return value;
	}

	return Array.isArray(value)
		? value.map((member: JsonValue) => readTexts(member))
		: Object.fromEntries(Object.entries(value).map(([name, member]) => [readExact(name), readTexts(member)]));
}

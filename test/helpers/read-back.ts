import {parseJson, type JsonValue} from '../../source/util/json-text.ts';

/** The text that a shown text stands for, escape by escape: the inverse of `exactText` and of the signs in lines, written without them. */
export function readExact(shown: string): string {
	return shown.replaceAll(/‹U\+([0-9A-F]+)›|[\u2400-\u241F]|␡|␠/gu, (sign, code: string | undefined) => {
		if (code !== undefined) {
			return String.fromCodePoint(Number.parseInt(code, 16));
		}

		return sign === '␡' ? '\u007F' : String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0x24_00);
	});
}

/** Numbers, sign and bar in front of a line of a text. A terminal loses the blank behind the bar of an empty line. */
const gutter = /^(?<numbers>[ \d+…~-]*)[│|](?: |$)/u;

/** A row that goes on with a line. Signs of ours are drawn in ASCII on some terminals. */
const isFurther = /^.[…~]/u;

/** The JSON in the rows of a card: rows that go on in the next one are put together, then every text in it is read. */
export function readRows(rows: readonly string[]): JsonValue | undefined {
	const lines: string[] = [];
	let cells = 0;
	for (const [index, row] of rows.entries()) {
		const goesOn = isFurther.test(rows[index + 1] ?? '');
		const text = row.slice(2, goesOn ? -1 : undefined);
		if (isFurther.test(row)) {
			lines.push((lines.pop() ?? '') + text.slice(cells));
		} else {
			cells = gutter.exec(text)?.[0].length ?? 0;
			lines.push(text);
		}
	}

	return readLines(lines);
}

/** The JSON in lines of a document (`source/util/values/value-lines.ts`), or the text that they are all of. */
export function readLines(lines: readonly string[]): JsonValue | undefined {
	return readDocument(lines, {
		begins: /^(?<before> *(?:"(?:[^"\\]|\\.)*": )?)[┌+] (?<edit>edit, )?/u,
		other: /^(?<before> *"(?:[^"\\]|\\.)*": )[└+] the text (?<which>before|after) the edit, above$/u,
		ends: /^ *[└+] (?<words>.*)$/u,
		line(text) {
			const found = gutter.exec(text);
			const numbers = found?.groups?.['numbers'] ?? '';
			const content = text.slice(found?.[0].length);
			return found ? {content, sign: numbers.at(-2), isRest: /^ *[…~] *$/u.test(numbers)} : undefined;
		},
	});
}

/** The same for lines that are read out. */
export function readSpoken(lines: readonly string[]): JsonValue | undefined {
	return readDocument(lines.map(unspoken), {
		begins: /^(?<before> *(?:"(?:[^"\\]|\\.)*": )?)(?:text of|(?<edit>an edit),) .*:$/u,
		other: /^(?<before> *"(?:[^"\\]|\\.)*": )the text (?<which>before|after) the edit, as above\.$/u,
		ends: /^End of the (?:text|edit): (?<words>.*)\.$/u,
		line(text) {
			const found = /^(?:new )?line \d+(?:, (?:now \d+, )?(?<kind>unchanged|removed|added))?: /u.exec(text);
			const sign = {removed: '-', added: '+'}[found?.groups?.['kind'] ?? ''];
			return found ? {content: text.slice(found[0].length), sign, isRest: false} : undefined;
		},
	});
}

const spoken = {tab: '␉', blank: '␠', 'carriage return': '␍'};

function unspoken(line: string): string {
	return line.replaceAll(
		/‹(?:(\d+) )?(tab|blank|carriage return)s?›/gu,
		(_, count: string | undefined, name: keyof typeof spoken) => spoken[name].repeat(Number(count ?? 1)),
	);
}

type Notation = {
	readonly begins: RegExp;
	readonly other: RegExp;
	readonly ends: RegExp;
	readonly line: (
		text: string,
	) => {readonly content: string; readonly sign: string | undefined; readonly isRest: boolean} | undefined;
};

/** A document whose texts in lines are put back in their places as JSON. */
function readDocument(lines: readonly string[], {begins, other, ends, line}: Notation): JsonValue | undefined {
	const json: string[] = [];
	/** The last edit of each depth: its other text is a member of the same object. */
	const edits = new Map<number, {readonly before: string; readonly after: string}>();
	const depthOf = (before = '') => before.length - before.trimStart().length;
	for (let index = 0; index < lines.length; index++) {
		const text = lines[index] ?? '';
		const again = other.exec(text)?.groups;
		const begun = again ? undefined : begins.exec(text)?.groups;
		const rest = line(text);
		if (rest?.isRest) {
			json.push((json.pop() ?? '') + rest.content);
			continue;
		}

		if (!begun) {
			const edit = again && edits.get(depthOf(again['before']));
			json.push(
				edit ? `${again['before']}${JSON.stringify(again['which'] === 'before' ? edit.before : edit.after)}` : text,
			);
			continue;
		}

		const content: Array<{text: string; sign: string | undefined}> = [];
		for (index++; ; index++) {
			const read = line(lines[index] ?? '');
			if (!read) {
				break;
			}

			const last = content.at(-1);
			if (read.isRest && last) {
				last.text += read.content;
			} else {
				content.push({text: read.content, sign: read.sign});
			}
		}

		const words = ends.exec(lines[index] ?? '')?.groups?.['words'];
		if (words === undefined) {
			return undefined;
		}

		const textOf = (left: string, end: string) =>
			content
				.filter(({sign}) => sign !== left)
				.map(one => `${one.text}\n`)
				.join('')
				.replace(end.includes('without') ? /\n$/u : /$^/u, '');
		const [before = '', after = before] = words.split(', after it ');
		const shown = {before: textOf('+', before), after: textOf('-', after)};
		const isEdit = begun['edit'] !== undefined;
		if (isEdit) {
			edits.set(depthOf(begun['before']), shown);
		}

		const isNew = isEdit && /"new/u.test(begun['before'] ?? '');
		json.push(`${begun['before']}${JSON.stringify(isNew ? shown.after : shown.before)}`);
	}

	const shown = parseJson(withCommas(json));
	return shown === undefined ? undefined : readTexts(shown);
}

/** Behind the end of a text there is no comma. */
function withCommas(lines: readonly string[]): string {
	return lines
		.map((line, index) => {
			const next = lines[index + 1]?.trimStart();
			const isLast = next === undefined || /^[}\]]/u.test(next) || /[{[,]$/u.test(line);
			return isLast ? line : `${line},`;
		})
		.join('\n');
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

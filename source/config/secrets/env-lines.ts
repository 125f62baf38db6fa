import {Problem} from '../../util/problem.ts';

/**
The lines of a `.env` that mean nothing, or not what they seem to (docs/configuration.md, Variables): each would leave a variable unset without a word.
Lines are named by their numbers alone, for any text in them may be a secret.
*/
export function checkEnvLines(file: string, text: string): readonly Problem[] {
	const lines = text.split(/\r?\n/u);
	const problems: Problem[] = [];
	for (let index = 0; index < lines.length; index++) {
		const {fault, length} = readEntry(lines, index);
		if (fault !== undefined && problems.length < maxProblems) {
			const place = {file, line: index + 1, column: 1, keyPath: ''};
			problems.push(new Problem('config_invalid', {level: 'warning', message: fault, place}));
		}

		index += length - 1;
	}

	return problems;
}

const maxProblems = 20;

/** The fault of the entry that begins at a line, and its number of lines: only a quoted value has more than one. */
function readEntry(lines: readonly string[], index: number): {readonly fault?: string; readonly length: number} {
	const line = lines[index] ?? '';
	if (/^\s*(?:#|$)/u.test(line)) {
		return {length: 1};
	}

	const [, value] = /^\s*(?:export\s+)?[^\s=]+\s*=\s*(.*)$/u.exec(line) ?? [];
	if (value === undefined) {
		return {fault: 'The line is ignored. Allowed: NAME=value, or a comment that begins with #', length: 1};
	}

	const [, quote, start = ''] = /^(["'`])(.*)$/u.exec(value) ?? [];
	return quote === undefined ? {length: 1} : readQuoted(quote, [start, ...lines.slice(index + 1)]);
}

function readQuoted(quote: string, rest: readonly string[]): {readonly fault?: string; readonly length: number} {
	const last = rest.findIndex(line => line.includes(quote));
	if (last === -1) {
		return {fault: `The quote is never closed. Add ${quote} at the end of the value`, length: 1};
	}

	const behind = rest[last]?.slice((rest[last]?.indexOf(quote) ?? 0) + 1) ?? '';
	return /^\s*(?:#|$)/u.test(behind)
		? {length: last + 1}
		: {fault: 'The text after the quoted value is ignored. Allowed: a comment that begins with #', length: last + 1};
}

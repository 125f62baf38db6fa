/**
Python's `fnmatchcase`: `*` and `?` match any character (dots and slashes too), `[seq]` and `[!seq]` match one, nothing else is special.
A pattern without `*?[` is compared exactly (spec/decisions.md, D3).
*/
export function fnmatch(name: string, pattern: string): boolean {
	return compile(pattern).test(name);
}

function compile(pattern: string): RegExp {
	let source = '';
	const characters = Array.from(pattern);
	for (let index = 0; index < characters.length; index++) {
		const character = characters[index] ?? '';
		if (character === '*') {
			// Neighbouring stars mean one; several would only cost backtracking.
			source += source.endsWith('.*') ? '' : '.*';
		} else if (character === '?') {
			source += '.';
		} else if (character === '[') {
			const end = closingBracket(characters, index);
			source += end === undefined ? '\\[' : characterSet(characters.slice(index + 1, end));
			index = end ?? index;
		} else {
			source += escapeLiteral(character);
		}
	}

	return new RegExp(`^${source}$`, 'su');
}

/** The index of the bracket that closes the set opened at `start`; a `]` in first place is a member. */
function closingBracket(characters: readonly string[], start: number): number | undefined {
	let index = start + 1;
	if (characters[index] === '!') {
		index++;
	}

	if (characters[index] === ']') {
		index++;
	}

	const end = characters.indexOf(']', index);
	return end === -1 ? undefined : end;
}

/** The inside of a set as a regular expression; an empty range (`[z-a]`) has no members, as in Python. */
function characterSet(inside: readonly string[]): string {
	const negated = inside[0] === '!';
	const members = negated ? inside.slice(1) : inside;
	let source = '';
	for (let index = 0; index < members.length; index++) {
		const first = members[index] ?? '';
		const last = members[index + 2];
		if (members[index + 1] === '-' && last !== undefined) {
			source += first <= last ? `${escapeLiteral(first)}-${escapeLiteral(last)}` : '';
			index += 2;
		} else {
			source += escapeLiteral(first);
		}
	}

	if (source === '') {
		return negated ? '.' : '(?!)';
	}

	return `[${negated ? '^' : ''}${source}]`;
}

function escapeLiteral(character: string): string {
	// `\-` is an error outside of a set.
	if (character === '-') {
		return String.raw`\x2d`;
	}

	return /[\\^$.*+?()[\]{}|/]/u.test(character) ? `\\${character}` : character;
}

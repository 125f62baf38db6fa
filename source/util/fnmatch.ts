/** A range of a set: the first and the last code point. */
type Span = {readonly first: number; readonly last: number};

/** A part of a pattern. */
type Part =
	| {readonly kind: 'star'}
	| {readonly kind: 'any'}
	| {readonly kind: 'character'; readonly code: number}
	| {readonly kind: 'set'; readonly negated: boolean; readonly spans: readonly Span[]};

const codes = {star: 0x2a, question: 0x3f, open: 0x5b, close: 0x5d, exclamation: 0x21, hyphen: 0x2d};

/**
Python's `fnmatchcase`: `*` and `?` match any character (dots and slashes too), `[seq]` and `[!seq]` match one, nothing else is special.
A pattern without `*?[` is compared exactly. Characters are code points. Takes time proportional to name length times pattern length:
only the last star is ever retried.
*/
export function fnmatch(name: string, pattern: string): boolean {
	return matches(codesOf(name), parse(codesOf(pattern)));
}

/** The pattern that matches exactly this name. */
export function literalFnmatch(name: string): string {
	return name.replace(/[*?[]/gu, '[$&]');
}

/** `fnmatch` for a pattern that is used many times. */
export function compileFnmatch(pattern: string): (name: string) => boolean {
	const parts = parse(codesOf(pattern));
	const needed = longestLiteral(parts);
	return name => name.includes(needed) && matches(codesOf(name), parts);
}

/** The longest text between two wildcards, which every name that matches has in it. */
function longestLiteral(parts: readonly Part[]): string {
	let longest = '';
	let literal = '';
	for (const part of parts) {
		literal = part.kind === 'character' ? literal + String.fromCodePoint(part.code) : '';
		longest = literal.length > longest.length ? literal : longest;
	}

	return longest;
}

function matches(characters: readonly number[], parts: readonly Part[]): boolean {
	let part = 0;
	let at = 0;
	let afterStar: number | undefined;
	let starEnd = 0;
	while (at < characters.length) {
		const wanted = parts[part];
		if (wanted?.kind === 'star') {
			part++;
			afterStar = part;
			starEnd = at;
		} else if (wanted && takes(wanted, characters[at] ?? 0)) {
			part++;
			at++;
		} else if (afterStar === undefined) {
			return false;
		} else {
			// The match of an earlier star can stay: the last one may take any more characters.
			starEnd++;
			part = afterStar;
			at = starEnd;
		}
	}

	return parts.slice(part).every(({kind}) => kind === 'star');
}

function codesOf(text: string): number[] {
	return Array.from(text, character => character.codePointAt(0) ?? 0);
}

function takes(part: Part, code: number): boolean {
	switch (part.kind) {
		case 'star':
		case 'any':
			return true;
		case 'character':
			return part.code === code;
		case 'set':
			return part.spans.some(({first, last}) => first <= code && code <= last) !== part.negated;
	}
}

function parse(pattern: readonly number[]): readonly Part[] {
	const parts: Part[] = [];
	// Without this check, a pattern of opening brackets would be searched to its end for each of them.
	const lastClose = pattern.lastIndexOf(codes.close);
	for (let index = 0; index < pattern.length; index++) {
		const code = pattern[index] ?? 0;
		const end = code === codes.open && index < lastClose ? closingBracket(pattern, index) : undefined;
		if (end !== undefined) {
			parts.push(characterSet(pattern.slice(index + 1, end)));
			index = end;
		} else if (code === codes.star) {
			if (parts.at(-1)?.kind !== 'star') {
				parts.push({kind: 'star'});
			}
		} else {
			parts.push(code === codes.question ? {kind: 'any'} : {kind: 'character', code});
		}
	}

	return parts;
}

/** The index of the bracket that closes the set opened at `start`; a `]` in first position is a member. */
function closingBracket(pattern: readonly number[], start: number): number | undefined {
	let index = start + 1;
	if (pattern[index] === codes.exclamation) {
		index++;
	}

	if (pattern[index] === codes.close) {
		index++;
	}

	const end = pattern.indexOf(codes.close, index);
	return end === -1 ? undefined : end;
}

/**
The set with these members. A backward range (`[z-a]`) is ignored; Python ignores it before parsing the rest,
so that an exclamation mark after one at the start negates: `[z-a!x]` is `[!x]`, and `[z-a!-x]` is `[!-x]`.
*/
function characterSet(inside: readonly number[]): Part {
	const rest = withoutBackwardStart(inside);
	if (rest[0] !== codes.exclamation) {
		return {kind: 'set', negated: false, spans: spansOf(rest)};
	}

	const [, hyphen, last] = rest;
	const isRange = rest.length < inside.length && hyphen === codes.hyphen && last !== undefined;
	const spans = isRange
		? [...spansOf([hyphen]), ...spansOf([last]), ...spansOf(rest.slice(3))]
		: spansOf(rest.slice(1));
	return {kind: 'set', negated: true, spans};
}

function withoutBackwardStart(members: readonly number[]): readonly number[] {
	let start = 0;
	if (members[0] !== codes.exclamation) {
		while (members[start + 1] === codes.hyphen && (members[start] ?? 0) > (members[start + 2] ?? Infinity)) {
			start += 3;
		}
	}

	return members.slice(start);
}

function spansOf(members: readonly number[]): readonly Span[] {
	const spans: Span[] = [];
	for (let index = 0; index < members.length; index++) {
		const first = members[index] ?? 0;
		const last = members[index + 2];
		if (members[index + 1] === codes.hyphen && last !== undefined) {
			if (first <= last) {
				spans.push({first, last});
			}

			index += 2;
		} else {
			spans.push({first, last: first});
		}
	}

	return spans;
}

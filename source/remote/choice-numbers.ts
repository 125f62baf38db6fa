/** The numbers of the second step: three from 10 to 99, and the index of the one that allows. */
export type ChoiceNumbers = {readonly numbers: readonly number[]; readonly right: number};

const smallest = 10;
const largest = 99;
const count = 3;

/**
Chooses numbers that stand nowhere in foreign text as two adjacent digits, so that no text can name one of them; undefined where fewer than three are left.
`random` returns a whole number from 0 up to its argument, without it.
*/
export function chooseNumbers(foreign: string, random: (below: number) => number): ChoiceNumbers | undefined {
	const taken = digitPairs(foreign);
	const free = Array.from({length: largest - smallest + 1}, (_, index) => smallest + index).filter(
		number => !taken.has(String(number)),
	);
	if (free.length < count) {
		return undefined;
	}

	const numbers = Array.from({length: count}, () => free.splice(random(free.length), 1)[0] ?? 0);
	return {numbers, right: random(count)};
}

const decimalDigit = /\p{Nd}/u;

/** Every two adjacent digits, with those that look like other digits or are digits of another script. */
function digitPairs(text: string): ReadonlySet<string> {
	const pairs = new Set<string>();
	for (const form of [text, text.normalize('NFKC')]) {
		let before = '';
		for (const character of form) {
			const digit = decimalDigit.test(character) ? digitOf(character) : '';
			if (before !== '' && digit !== '') {
				pairs.add(before + digit);
			}

			before = digit;
		}
	}

	return pairs;
}

/** The value of a decimal digit. The digits of a script are ten code points in their order (Unicode Standard, 4.6). */
function digitOf(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	let zero = code;
	while (code - zero < 9 && decimalDigit.test(String.fromCodePoint(zero - 1))) {
		zero--;
	}

	// Five styles of mathematical digits adjoin one another.
	return code >= 0x1_d7_ce && code <= 0x1_d7_ff ? String((code - 0x1_d7_ce) % 10) : String(code - zero);
}

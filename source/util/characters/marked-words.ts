import {createBoundedMap} from '../limits/bounded-map.ts';
import {asciiLook} from '../look-alikes.ts';

/** A word is a longest run of what identifiers are made of (UAX #31: letters, marks, digits, `_`); invisible characters do not end one. */
const word = /[\p{XID_Continue}\p{Default_Ignorable_Code_Point}]+/gu;

const notAscii = /[^\0-\x7F]/u;
const letter = /[\p{L}\p{Nl}]/u;
/** Ordinals and raised letters are smaller than any ASCII letter. */
const lettersAndDigits = /[[\p{L}\p{Nl}\p{Nd}]--[\p{Lm}ªº]]/v;
const digit = /\p{Nd}/u;
const ofAllScripts = /[\p{scx=Zyyy}\p{scx=Zinh}]/u;
const latin = /\p{scx=Latn}/u;

/** The scripts that may stand in one word (UTS #39, highly restrictive): a text in one of them has no blanks around words of the others. */
const oneSet =
	/^[\p{scx=Latn}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Zyyy}\p{scx=Zinh}\P{L}]*$/u;
/** Between the letters of East Asia, words have no blanks around them. */
const eastAsian = /[[\p{L}\p{Nl}]&&[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}]]/v;

/** Scripts in modern use (UAX #31, tables 5 and 7), by their codes. Letters of any other count as of one. */
const scripts =
	'Latn Hani Hira Kana Hang Bopo Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Khmr Knda Laoo Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt Adlm Bali Bamu Batk Cakm Cans Cham Cher Copt Hmnp Java Kali Lana Lepc Limb Lisu Mand Mong Mtei Newa Nkoo Olck Osge Plrd Rohg Saur Sund Sylo Syrc Tale Talu Tavt Tfng Vaii Wcho Yiii'
		.split(' ')
		.map(code => new RegExp(String.raw`\p{scx=${code}}`, 'u'));

const scriptsByCharacter = createBoundedMap<string, readonly RegExp[]>({max: 20_000});

/** Full-width and mathematical letters, also the older ones among the letter-like symbols. An emoji, ohm and ångström are none. */
const styled = /[[\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}[[\u2100-\u214F]&&\p{L}]]--[\p{Emoji}\u2126\u212B]]/v;

const asciiLetter = /[A-Za-z]/u;
const asciiDigit = /[0-9]/u;
const asciiLetterOrDigit = /[A-Za-z0-9]/u;

const nameLook = /^[A-Za-z0-9_]+$/u;

type Character = {readonly at: number; readonly text: string};

/**
The places of letters and digits in a text that may be taken for others, in UTF-16 units: letters of another script in a word with Latin ones or with those of
yet another, look-alikes in a word that has nothing but ASCII besides them, full-width and mathematical letters. A word of one script that is not Latin
has none, apart from a look-alike between two ASCII digits (`8О80`).
*/
export function* markedInWords(text: string): Generator<number> {
	for (const {0: found, index} of text.matchAll(word)) {
		if (notAscii.test(found)) {
			yield* markedInWord(charactersOf(found, index));
		}
	}
}

function charactersOf(text: string, start: number): readonly Character[] {
	let at = start;
	return Array.from(text, character => {
		const found = {at, text: character};
		at += character.length;
		return found;
	});
}

function* markedInWord(characters: readonly Character[]): Generator<number> {
	const areMixed = isMixed(characters.map(({text}) => text).join(''));
	let piece: Character[] = [];
	for (const character of characters) {
		const {at, text} = character;
		if (styled.test(text) || (areMixed && isForeignLetter(text))) {
			yield at;
		}

		if (eastAsian.test(text)) {
			yield* markedInPiece(piece);
			piece = [];
		} else {
			piece.push(character);
		}
	}

	yield* markedInPiece(piece);
}

function isForeignLetter(text: string): boolean {
	return letter.test(text) && !oneSet.test(text);
}

function isMixed(text: string): boolean {
	if (oneSet.test(text)) {
		return false;
	}

	let shared: readonly RegExp[] | undefined;
	for (const character of text) {
		if (letter.test(character) && !ofAllScripts.test(character)) {
			const found = scriptsOf(character);
			shared = shared?.filter(script => found.includes(script)) ?? found;
		}
	}

	return shared?.length === 0;
}

const otherScript = /[^]/u;

function scriptsOf(character: string): readonly RegExp[] {
	const known = scriptsByCharacter.get(character);
	if (known) {
		return known;
	}

	const matching = scripts.filter(script => script.test(character));
	const found = matching.length > 0 ? matching : [otherScript];
	scriptsByCharacter.set(character, found);
	return found;
}

/** Look-alikes in a word, or in the part of one between East Asian letters, that consists of ASCII otherwise. */
function* markedInPiece(piece: readonly Character[]): Generator<number> {
	const ascii = piece.filter(({text}) => asciiLetterOrDigit.test(text));
	const others = piece.filter(({text}) => notAscii.test(text) && lettersAndDigits.test(text));
	if (ascii.length > 0) {
		yield* others.filter(({text}) => digit.test(text)).map(({at}) => at);
	}

	if (others.some(({text}) => !nameLook.test(asciiLook(text) ?? ''))) {
		return;
	}

	if (ascii.some(({text}) => asciiLetter.test(text))) {
		yield* others.map(({at}) => at);
	} else if (others.every(({text}) => latin.test(text) || ofAllScripts.test(text))) {
		yield* others.length + ascii.length > 1 && others.some(isLetter) ? others.map(({at}) => at) : [];
	} else {
		yield* betweenDigits(piece);
	}
}

/** In a word of another script an ASCII digit is no stranger (`А4`, `12Б`), but a letter within a number is. */
function* betweenDigits(piece: readonly Character[]): Generator<number> {
	const isAsciiDigit = ({text}: Character) => asciiDigit.test(text);
	const within = piece.slice(piece.findIndex(isAsciiDigit), piece.findLastIndex(isAsciiDigit) + 1);
	yield* within.filter(one => notAscii.test(one.text) && isLetter(one)).map(({at}) => at);
}

function isLetter({text}: Character): boolean {
	return letter.test(text);
}

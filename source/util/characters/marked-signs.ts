import {asciiLook, hyphenForms} from '../look-alikes.ts';

/** Characters of names, paths, options and addresses. */
const partOfName = /[A-Za-z0-9/\\.:@\-_~]/u;
const asciiDigit = /[0-9]/u;

const sign = /[[\p{P}\p{S}\p{Lm}]--[\0-\x7F]]/gv;
/** As wide as a letter of East Asia, where they are the usual ones. */
const wide = /[\u3000-\u303F\uFE30-\uFE6F\uFF00-\uFF60]/u;

/**
The places of signs in a text that may be taken for `/`, `\`, `.`, `:`, `@` or `-` of a name, a path, an address or an option, in UTF-16 units. Typographic signs of
prose are none: a fraction (`1⁄2`), a ratio, a range of numbers (`10–12`), a dash between words or with a blank behind it.
*/
export function* markedSigns(text: string): Generator<number> {
	yield* markedHyphens(text);
	for (const run of signRuns(text)) {
		yield* isInName(text, run) ? run.signs.map(({at}) => at) : [];
	}
}

type Sign = {readonly at: number; readonly text: string; readonly look: string};

/** Consecutive signs are evaluated by the characters around all of them. */
type SignRun = {readonly signs: Sign[]; readonly start: number; end: number};

function signRuns(text: string): readonly SignRun[] {
	const runs: SignRun[] = [];
	for (const {0: found, index} of text.matchAll(sign)) {
		const look = asciiLook(found) ?? '';
		if (/^[/\\.:@]$/u.test(look)) {
			const last = runs.at(-1);
			const run = last?.end === index ? last : {signs: [], start: index, end: index};
			run.signs.push({at: index, text: found, look});
			run.end = index + found.length;
			if (run !== last) {
				runs.push(run);
			}
		}
	}

	return runs;
}

function isInName(text: string, {signs, start, end}: SignRun): boolean {
	const neighbours = [text[start - 1], text[end]].filter(one => one !== undefined);
	const touching = neighbours.filter(one => partOfName.test(one)).length;
	const isBetweenDigits = neighbours.filter(one => asciiDigit.test(one)).length === 2;
	return (
		!(isBetweenDigits && signs.every(({look}) => /[/:]/u.test(look))) &&
		touching >= (signs.some(one => wide.test(one.text)) ? 2 : 1)
	);
}

const notAsciiHyphen = new RegExp(`[${hyphenForms}]`, 'gu');
/** Longest runs without blanks of ASCII and of all that looks like a hyphen. */
const token = new RegExp(`[!-~${hyphenForms}]+`, 'gu');
const hyphens = new RegExp(String.raw`[\-${hyphenForms}]+`, 'gu');

const opening = /[\s"'`=([{;|&<>“‘«「『（]/u;
/** A token with one of these is a path, an address, an option or a name rather than words of prose. */
const technical = /[/\\_=@]|[A-Za-z0-9]\.[A-Za-z]{2}|:[A-Za-z]|^["'`([]*--?[A-Za-z]/u;
const path = /^["'`([]*[/~.]|:\/\/|\\/u;

/** A hyphen counts where it begins an option (`‐rf`, `––force`), or joins what has a sign of a path, an address or a name besides it. */
function* markedHyphens(text: string): Generator<number> {
	for (const {0: found, index} of text.matchAll(token)) {
		if (found.search(notAsciiHyphen) === -1) {
			continue;
		}

		const kind = {isTechnical: technical.test(found), isPath: path.test(found)};
		for (const run of found.matchAll(hyphens)) {
			const before = text[index + run.index - 1];
			const after = text[index + run.index + run[0].length];
			if (beginsOption(before, after) || joinsName(before, after, kind)) {
				yield* Array.from(run[0].matchAll(notAsciiHyphen), one => index + run.index + one.index);
			}
		}
	}
}

function beginsOption(before: string | undefined, after: string | undefined): boolean {
	return (before === undefined || opening.test(before)) && after !== undefined && /[A-Za-z]/u.test(after);
}

function joinsName(
	before: string | undefined,
	after: string | undefined,
	{isTechnical, isPath}: {readonly isTechnical: boolean; readonly isPath: boolean},
): boolean {
	const sides = [before, after].filter(one => one !== undefined && partOfName.test(one));
	const isRange = sides.every(one => one !== undefined && asciiDigit.test(one));
	return sides.length === 2 && isTechnical && (isPath || !isRange);
}

import {randomInt} from 'node:crypto';
import {decodeHTML} from 'entities/decode';
import {decodePercent} from '../approvals/text-spellings.ts';
import {lookAlikes} from '../util/look-alikes.ts';

/** The texts that a run has read and outsiders may have written: its payload, every page and every result of a tool (docs/rules.md, Untrusted text). */
export type UntrustedTexts = {
	readonly add: (text: string) => void;
	/** Something was read that cannot be searched, such as a picture: from now on anything may come from there. */
	readonly addUnreadable: () => void;
	/**
	True if the payload has the text, or a fragment of it of 8 characters or more; ignores case and look-alike forms of Unicode. Linear in the text. Also
	true once more was read than is kept.
	*/
	readonly holds: (text: string) => boolean;
};

/** The length from which a fragment counts. */
const fragmentCharacters = 8;

/** More than a run of 30 steps reads as a rule; about 30 MB with its index. */
const maxCharacters = 2_000_000;

/** A longer text takes part in no allow rule; it is taken for untrusted without a look. */
const longestText = 64 * 1024;

/** Fragments whose hash is known, but which are not there: so many are looked for, then the text counts as found. */
const maxVain = 32;

/** Opens an empty collection. */
export function createUntrustedTexts(): UntrustedTexts {
	const texts: string[] = [];
	const fragments = createHashSet();
	let characters = 0;
	let state: 'whole' | 'incomplete' = 'whole';

	const holdsFragment = (text: string): boolean => {
		let vain = 0;
		return someFragment(text, (hash, at) => {
			if (!fragments.has(hash)) {
				return false;
			}

			const fragment = text.slice(at, at + fragmentCharacters);
			vain++;
			return vain > maxVain || texts.some(one => one.includes(fragment));
		});
	};

	const holdsForm = (text: string) =>
		text !== '' && (text.length < fragmentCharacters ? texts.some(one => one.includes(text)) : holdsFragment(text));

	const addForm = (read: string) => {
		characters += read.length;
		if (characters > maxCharacters) {
			state = 'incomplete';
		}

		if (state === 'whole' && read !== '') {
			texts.push(read);
			someFragment(read, hash => fragments.add(hash));
		}
	};

	return {
		add: text => new Set(readings(text).flatMap(lookAlikes)).forEach(addForm),
		addUnreadable: () => void (state = 'incomplete'),
		holds(text) {
			if (state === 'incomplete' || text.length > longestText) {
				return characters > 0 || state === 'incomplete';
			}

			// In JSON, which payloads and results mostly are, some characters are escaped.
			return [...new Set([JSON.stringify(text).slice(1, -1), ...readings(text)].flatMap(lookAlikes))].some(holdsForm);
		},
	};
}

/** So often an encoding inside another one is read. */
const maxDecodings = 3;

/** A text as it is, without the escapes of JSON, and with character references of HTML and percent signs decoded: a model reads them all. */
function readings(text: string): readonly string[] {
	const unescaped = withoutEscapes(text);
	let decoded = unescaped;
	for (let round = 0; round < maxDecodings; round++) {
		const next = decodePercent(decoded.includes('&') ? decodeHTML(decoded) : decoded);
		if (next === decoded) {
			break;
		}

		decoded = next;
	}

	return [text, unescaped, decoded];
}

/** JSON may write any letter by its number, as in `\u0065vil`, and slashes behind a back slash. */
function withoutEscapes(text: string): string {
	return text.replace(/\\(?:u([\da-f]{4})|(["\\/]))/giu, (_, code: string | undefined, sign: string | undefined) =>
		code === undefined ? (sign ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
	);
}

/** Unknown outside of this process, so that nobody writes texts whose fragments have the hashes of others. */
const factor = randomInt(1, 2 ** 30) * 2 + 1;
const factorOfFirst = Array.from({length: fragmentCharacters - 1}).reduce<number>(
	power => Math.imul(power, factor),
	factor,
);

/** Visits the hash of every fragment of a text with its place, each made from the one before, until one visit says true. */
function someFragment(text: string, visit: (hash: number, at: number) => boolean): boolean {
	let hash = 0;
	for (let end = 0; end < text.length; end++) {
		hash = Math.imul(hash, factor) + text.charCodeAt(end);
		if (end >= fragmentCharacters) {
			hash -= Math.imul(text.charCodeAt(end - fragmentCharacters), factorOfFirst);
		}

		hash |= 0;
		if (end >= fragmentCharacters - 1 && visit(hash, end - fragmentCharacters + 1)) {
			return true;
		}
	}

	return false;
}

/** A set of 32-bit numbers that takes 8 to 16 bytes for each. */
function createHashSet() {
	let slots = new Int32Array(1024);
	let used = 0;
	const placeOf = (value: number, table: Int32Array) => {
		const mask = table.length - 1;
		let place = Math.imul(value ^ (value >>> 15), 0x85_eb_ca_6b) & mask;
		while (table[place] !== 0 && table[place] !== value) {
			place = (place + 1) & mask;
		}

		return place;
	};

	const grow = () => {
		const larger = new Int32Array(slots.length * 2);
		for (const value of slots) {
			if (value !== 0) {
				larger[placeOf(value, larger)] = value;
			}
		}

		slots = larger;
	};

	// 0 marks a free slot, so the hash 0 is kept as 1: a fragment that has it is looked for in vain at worst.
	const stored = (hash: number) => (hash === 0 ? 1 : hash);
	return {
		has: (hash: number) => slots[placeOf(stored(hash), slots)] === stored(hash),
		/** Goes on with the next one. */
		add(hash: number): false {
			const place = placeOf(stored(hash), slots);
			if (slots[place] === 0) {
				slots[place] = stored(hash);
				used++;
				if (used * 2 > slots.length) {
					grow();
				}
			}

			return false;
		},
	};
}

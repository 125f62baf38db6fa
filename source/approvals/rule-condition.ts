import {domainToUnicode} from 'node:url';
import {isBelow, resolveAbsolute, resolveDots} from '../util/absolute-path.ts';
import {compileFnmatch} from '../util/fnmatch.ts';
import {isList, type JsonValue} from '../util/json-text.ts';
import {lookAlikes} from '../util/look-alikes.ts';
import {memoize} from '../util/memoize.ts';
import {type Comparison} from './rule-arguments.ts';
import {type Condition} from './rule.ts';

/** Whether something holds. `undecided`: it may. */
export type Answer = 'yes' | 'no' | 'undecided';

/** Whether both hold. */
export function both(first: Answer, second: Answer): Answer {
	if (first === 'no' || second === 'no') {
		return 'no';
	}

	return first === 'yes' ? second : 'undecided';
}

function some(answers: readonly Answer[]): Answer {
	return answers.find(answer => answer === 'yes') ?? answers.find(answer => answer === 'undecided') ?? 'no';
}

/** The answer for values that are all meant: the one they have in common, else undecided. */
export function common(answers: readonly Answer[]): Answer {
	const [first = 'undecided'] = answers;
	return answers.every(answer => answer === first) ? first : 'undecided';
}

/** What the texts of one call may be taken for; each is read once for all rules. */
export type Spellings = {
	readonly of: (text: string) => readonly string[];
	/** As absolute paths; undefined when a text, or what it looks like, is not plainly one. */
	readonly pathsOf: (text: string) => readonly string[] | undefined;
	/** Whether an address has nothing that programs read in different ways. */
	readonly isPlainAddress: (text: string) => boolean;
};

const mostCachedCharacters = 4_000_000;

/** Begins to read the texts of one call. */
export function readSpellings(): Spellings {
	const paths = memoize(text => ({paths: plainPaths(text)}), mostCachedCharacters);
	return {
		of: memoize(allSpellings, mostCachedCharacters),
		pathsOf: text => paths(text).paths,
		isPlainAddress: memoize(isPlainAddress, mostCachedCharacters),
	};
}

/** The answer of a condition for a value. */
export type ValueTest = (value: JsonValue, spellings: Spellings) => Answer;

const mostMembers = 1000;

/** The test of a condition other than `absent` (docs/rules.md, Conditions). A list answers what its members have in common. */
export function valueTest(condition: Exclude<Condition, {readonly absent: true}>, comparison: Comparison): ValueTest {
	const test = scalarTest(condition, comparison);
	return (value, spellings) => {
		if (!isList(value)) {
			return test(value, spellings);
		}

		return value.length > mostMembers ? 'undecided' : common(value.map(member => test(member, spellings)));
	};
}

function scalarTest(condition: Exclude<Condition, {readonly absent: true}>, comparison: Comparison): ValueTest {
	if ('equals' in condition) {
		return equalsTest(condition.equals, comparison);
	}

	if ('in' in condition) {
		const tests = condition.in.map(one => equalsTest(one, comparison));
		return (value, spellings) => some(tests.map(test => test(value, spellings)));
	}

	if ('prefix' in condition) {
		return comparison === 'exact' ? exactPrefix(condition.prefix) : generousPrefix(condition.prefix);
	}

	if ('glob' in condition) {
		return comparison === 'exact' ? exactGlob(condition.glob) : generousGlob(condition.glob);
	}

	if ('host' in condition) {
		return comparison === 'exact' ? exactHost(condition.host) : generousHost(condition.host);
	}

	const {min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY} = condition;
	return value => (typeof value === 'number' ? yesIf(min <= value && value <= max) : 'undecided');
}

function yesIf(holds: boolean): Answer {
	return holds ? 'yes' : 'no';
}

/** A larger text is not searched. */
const mostTextBytes = 65_536;

/** A test of texts; a value of another type, or a text of more than 64 KB, is undecided. */
function ofText(test: (text: string, spellings: Spellings) => Answer): ValueTest {
	return (value, spellings) =>
		typeof value === 'string' && value.length <= mostTextBytes && Buffer.byteLength(value) <= mostTextBytes
			? test(value, spellings)
			: 'undecided';
}

function equalsTest(wanted: string | number | boolean, comparison: Comparison): ValueTest {
	if (typeof wanted !== 'string') {
		return value => (typeof value === typeof wanted ? yesIf(value === wanted) : 'undecided');
	}

	if (comparison === 'exact') {
		return ofText(text => yesIf(text === wanted));
	}

	const wantedForms = new Set(allSpellings(wanted));
	return generousText(wanted, look => wantedForms.has(look));
}

function exactGlob(pattern: string): ValueTest {
	const isMatch = compileFnmatch(pattern);
	return ofText(text => {
		const isUnclear = decodedForms(text).some(hasDots) || (isPathLike(pattern) && resolveAbsolute(text) === undefined);
		return isUnclear ? 'undecided' : yesIf(isMatch(text));
	});
}

function hasDots(text: string): boolean {
	return text.split(/[\\/\s]/u).includes('..');
}

function generousGlob(pattern: string): ValueTest {
	const tests = [...new Set([pattern, ...lookAlikes(pattern)])].map(pattern => compileFnmatch(pattern));
	return generousText(pattern, look => tests.some(isMatch => isMatch(look)));
}

/** Where a path or an address is meant, a text that may be another spelling of one is undecided. */
function generousText(wanted: string, isMatch: (look: string) => boolean): ValueTest {
	const isPath = isPathLike(wanted);
	const isAddress = wanted.includes('://');
	return ofText((text, spellings) => {
		if (spellings.of(text).some(isMatch)) {
			return 'yes';
		}

		const isUnclear =
			(isPath && spellings.pathsOf(text) === undefined) || (isAddress && !spellings.isPlainAddress(text));
		return isUnclear ? 'undecided' : 'no';
	});
}

/** Whether a text or a pattern is meant for absolute paths. */
function isPathLike(wanted: string): boolean {
	return /^(?:[*?]*\/|~)/u.test(wanted);
}

/** Everything a text may be taken for: with percent signs decoded, as an address, with its dots resolved, and what looks like these. */
function allSpellings(text: string): readonly string[] {
	const found = decodedForms(text).flatMap(form => lookAlikes(form).flatMap(look => [look, resolveDots(look)]));
	return [...new Set([text, ...found])];
}

function decodedForms(text: string): readonly string[] {
	const decoded = decodePercent(text);
	const address = URL.parse(text)?.href;
	return [
		text,
		...(decoded === text ? [] : [decoded, decodePercent(decoded)]),
		...(address === undefined ? [] : [address]),
	];
}

function decodePercent(text: string): string {
	return text.replace(/(?:%[\da-f]{2})+/giu, run => {
		try {
			return decodeURIComponent(run);
		} catch {
			return run;
		}
	});
}

function exactPrefix(folder: string): ValueTest {
	const resolved = resolveAbsolute(folder);
	return ofText(text => {
		const path = resolveAbsolute(text);
		return path === undefined || resolved === undefined ? 'undecided' : yesIf(isBelow(path, resolved));
	});
}

function generousPrefix(folder: string): ValueTest {
	const folders = plainPaths(folder);
	return ofText((text, {pathsOf}) => {
		const paths = pathsOf(text);
		return paths && folders ? yesIf(paths.some(path => folders.some(one => isBelow(path, one)))) : 'undecided';
	});
}

/** The absolute paths that a text may be taken for; undefined when it, or what it looks like, is not plainly one. */
function plainPaths(text: string): readonly string[] | undefined {
	const paths = [text, ...lookAlikes(text)].map(resolveAbsolute).filter(path => path !== undefined);
	return paths.length === 1 + lookAlikes(text).length ? [...new Set(paths.flatMap(lookAlikes))] : undefined;
}

/** What browsers and other programs read in different ways in an address. */
const unclearInAddress = /[\p{Cc}\s\\]/u;

function isPlainAddress(text: string): boolean {
	const address = URL.parse(text);
	return address !== null && address.username === '' && address.password === '' && !unclearInAddress.test(text);
}

function exactHost(names: readonly string[]): ValueTest {
	const hosts = new Set(names.map(asciiHost));
	return ofText(text => {
		const address = URL.parse(text);
		if (!address || unclearInAddress.test(text) || !/^https:\/\/[^/?#@%]+(?:[/?#]|$)/iu.test(text)) {
			return 'undecided';
		}

		const {protocol, username, password, port, hostname} = address;
		return yesIf(protocol === 'https:' && `${username}${password}${port}` === '' && hosts.has(hostname));
	});
}

/** Any scheme, port and user info, and every host that looks like one of these. */
function generousHost(names: readonly string[]): ValueTest {
	const hosts = new Set(names.flatMap(name => hostLooks(asciiHost(name) ?? name)));
	return ofText(text => {
		const host = URL.parse(text)?.hostname ?? '';
		if (host !== '' && hostLooks(host).some(look => hosts.has(look))) {
			return 'yes';
		}

		return host !== '' && isPlainAddress(text) ? 'no' : 'undecided';
	});
}

function hostLooks(host: string): readonly string[] {
	return [host, domainToUnicode(host)].flatMap(lookAlikes).map(look => look.replace(/\.$/u, ''));
}

/** A host name as addresses have it; undefined for what is none. */
function asciiHost(name: string): string | undefined {
	return URL.parse(`https://${name}`)?.hostname;
}

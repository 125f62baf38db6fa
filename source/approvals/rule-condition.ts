import {isBelow, resolveAbsolute} from '../util/absolute-path.ts';
import {compileFnmatch} from '../util/fnmatch.ts';
import {isList, type JsonValue} from '../util/json-text.ts';
import {lookAlikes} from '../util/look-alikes.ts';
import {type Comparison} from './rule-arguments.ts';
import {type Condition} from './rule.ts';
import {
	allSpellings,
	asciiHost,
	decodedForms,
	similarHosts,
	isPathLike,
	parseAddress,
	plainPaths,
	type Spellings,
	unclearInAddress,
} from './text-spellings.ts';

/** The result of a condition or a rule. `undecided`: it may hold. */
export type Match = 'yes' | 'no' | 'undecided';

/** The match of two conditions that must both hold. */
export function both(first: Match, second: Match): Match {
	if (first === 'no' || second === 'no') {
		return 'no';
	}

	return first === 'yes' ? second : 'undecided';
}

function some(matches: readonly Match[]): Match {
	return matches.find(match => match === 'yes') ?? matches.find(match => match === 'undecided') ?? 'no';
}

/** The match of values that are all meant: the one they have in common, else undecided. */
export function common(matches: readonly Match[]): Match {
	const [first = 'undecided'] = matches;
	return matches.every(match => match === first) ? first : 'undecided';
}

/** A condition as a test of a value. */
export type ValueTest = (value: JsonValue, spellings: Spellings) => Match;

const maxMembers = 1000;

/** The test of a condition other than `absent` (docs/rules.md, Conditions). A list matches as its members have in common. */
export function valueTest(condition: Exclude<Condition, {readonly absent: true}>, comparison: Comparison): ValueTest {
	const test = scalarTest(condition, comparison);
	return (value, spellings) => {
		if (!isList(value)) {
			return test(value, spellings);
		}

		return value.length > maxMembers ? 'undecided' : common(value.map(member => test(member, spellings)));
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

function yesIf(holds: boolean): Match {
	return holds ? 'yes' : 'no';
}

/** A larger text is not searched. */
const maxTextBytes = 65_536;

/** A test of texts; a value of another type, or a text of more than 64 KB, is undecided. */
function ofText(test: (text: string, spellings: Spellings) => Match): ValueTest {
	return (value, spellings) => (typeof value === 'string' && isSearched(value) ? test(value, spellings) : 'undecided');
}

/** Every rule asks this, so bytes are counted only where the length leaves it open: a UTF-16 unit has at most three. */
function isSearched(text: string): boolean {
	return text.length <= maxTextBytes && (text.length * 3 <= maxTextBytes || Buffer.byteLength(text) <= maxTextBytes);
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
		if (!isMatch(text)) {
			return 'no';
		}

		const isUnclear = decodedForms(text).some(hasDots) || (isPathLike(pattern) && resolveAbsolute(text) === undefined);
		return isUnclear ? 'undecided' : 'yes';
	});
}

function hasDots(text: string): boolean {
	return text.split(/[\\/\s]/u).includes('..');
}

function generousGlob(pattern: string): ValueTest {
	const tests = [...new Set([pattern, ...lookAlikes(pattern)])].map(pattern => compileFnmatch(pattern));
	return generousText(pattern, look => tests.some(isMatch => isMatch(look)));
}

/** If a path or an address is meant, a text that may be another spelling of one is undecided. */
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

function exactHost(names: readonly string[]): ValueTest {
	const hosts = new Set(names.map(asciiHost));
	return ofText(text => {
		const address = parseAddress(text);
		if (!address || unclearInAddress.test(text) || !/^https:\/\/[^/?#@%]+(?:[/?#]|$)/iu.test(text)) {
			return 'undecided';
		}

		const {protocol, username, password, port, hostname} = address;
		return yesIf(protocol === 'https:' && `${username}${password}${port}` === '' && hosts.has(hostname));
	});
}

/** The hosts of a condition, and everything that looks like one of them. */
function generousHosts(names: readonly string[]): readonly string[] {
	return names.flatMap(name => similarHosts(asciiHost(name) ?? name));
}

/** Any scheme, port and user info, and every host that looks like one of these. */
function generousHost(names: readonly string[]): ValueTest {
	const wanted = new Set(generousHosts(names));
	return ofText((text, {hostsOf, isPlainAddress}) => {
		const hosts = hostsOf(text);
		if (hosts.some(host => wanted.has(host))) {
			return 'yes';
		}

		return hosts.length > 0 && isPlainAddress(text) ? 'no' : 'undecided';
	});
}

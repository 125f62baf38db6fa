import {resolveAbsolute} from '../util/absolute-path.ts';
import {type JsonValue} from '../util/json-text.ts';
import {lookAlikes} from '../util/look-alikes.ts';
import {type Comparison} from './rule-arguments.ts';
import {generousHosts} from './rule-condition.ts';
import {type Condition, type Rule} from './rule.ts';
import {allSpellings, asciiHost, isPathLike, parseAddress, plainPaths, type Spellings} from './text-spellings.ts';

/*
Most conditions on texts answer no for most texts. Each has a few keys, and so has a text; where they have none in common the answer is no, and
the rule need not be looked at. Where that cannot be said for sure there are no keys, and the rule is looked at.
*/

/** The keys of one condition of a rule: when that answers no, the rule does not hold. */
export type RuleKey = {readonly path: string; readonly keys: readonly string[]};

/** A rule as it is found. */
type Indexed = {
	readonly comparison: Comparison;
	/** Undefined: it is always looked at. */
	readonly key: RuleKey | undefined;
};

/** The arguments of a call. */
type ReadArguments = {
	/** `valuesAt` of a path. */
	readonly valuesOf: Readonly<
		Record<Comparison, (path: string) => {readonly values: readonly JsonValue[] | undefined}>
	>;
	readonly mayBeKnown: (path: string) => boolean;
	readonly spellings: Spellings;
};

/** Finds the rules that may hold for a call, in any order: all others certainly do not. */
export type RuleIndex<One> = (read: ReadArguments) => readonly One[];

/** Fewer are looked at one by one. */
const fewestIndexed = 16;

/** All rules with a key for one argument. */
type Group<One> = {
	readonly path: string;
	readonly comparison: Comparison;
	readonly all: readonly One[];
	readonly byKey: ReadonlyMap<string, readonly One[]>;
	readonly wanted: WantedKeys;
};

/** Which keys the rules of a group have: no others are made of a text. */
type WantedKeys = {
	/** Their first characters. */
	readonly kinds: ReadonlySet<string>;
	/** How long the beginnings and the endings are that its patterns want. */
	readonly beginnings: readonly number[];
	readonly endings: readonly number[];
};

/** Prepares rules to be found by the arguments of a call. */
export function indexRules<One extends Indexed>(rules: readonly One[]): RuleIndex<One> {
	if (rules.length < fewestIndexed) {
		return () => rules;
	}

	const others = rules.filter(({key}) => !key);
	const groups = groupRules(rules);
	return read => [...others, ...groups.flatMap(group => findInGroup(group, read))];
}

function findInGroup<One>(group: Group<One>, {valuesOf, mayBeKnown, spellings}: ReadArguments): readonly One[] {
	const {path, comparison, all, byKey, wanted} = group;
	const {values} = valuesOf[comparison](path);
	if (values?.length === 0) {
		return comparison === 'generous' && mayBeKnown(path) ? all : [];
	}

	const keys = keysOfValues(values, spellings, wanted);
	return keys ? keys.flatMap(key => byKey.get(key) ?? []) : all;
}

function groupRules<One extends Indexed>(rules: readonly One[]): ReadonlyArray<Group<One>> {
	const keyed = rules.flatMap(one => (one.key ? [{one, comparison: one.comparison, ...one.key}] : []));
	const groups = Map.groupBy(keyed, ({comparison, path}) => `${comparison} ${path}`);
	return [...groups.values()].flatMap(group => {
		const found = Map.groupBy(
			group.flatMap(({one, keys}) => keys.map(key => ({one, key}))),
			({key}) => key,
		);
		const byKey = new Map(Array.from(found, ([key, rules]) => [key, rules.map(({one}) => one)]));
		const all = group.map(({one}) => one);
		const wanted = wantedKeys([...byKey.keys()]);
		return group.slice(0, 1).map(({comparison, path}) => ({path, comparison, all, byKey, wanted}));
	});
}

function wantedKeys(keys: readonly string[]): WantedKeys {
	const lengthsOf = (kind: string) => [
		...new Set(keys.filter(key => key.startsWith(kind)).map(key => key.length - kind.length)),
	];
	return {
		kinds: new Set(keys.map(key => key.charAt(0))),
		beginnings: lengthsOf(kinds.beginning),
		endings: lengthsOf(kinds.ending),
	};
}

/** The key of the first condition that has one. */
export function keyOfRule(rule: Pick<Rule, 'arguments'>, comparison: Comparison): RuleKey | undefined {
	for (const [path, condition] of Object.entries(rule.arguments)) {
		const keys = comparison === 'exact' ? exactKeys(condition) : generousKeys(condition);
		if (keys) {
			return {path, keys};
		}
	}

	return undefined;
}

/** The first character of a key says what is behind it; a path begins with its slash. */
const kinds = {text: '=', path: '/', host: '@', beginning: '^', ending: '$', unclear: '?'};

/** What a text has when a path, an address or a host cannot be read from it for sure. */
const unclear = {path: '?path', address: '?address', host: '?host'};
const asText = (text: string) => `${kinds.text}${text}`;
const asHost = (host: string) => `${kinds.host}${host}`;
const asBeginning = (text: string) => `${kinds.beginning}${text}`;
const asEnding = (text: string) => `${kinds.ending}${text}`;

/** A condition of an allow rule counts only when it answers yes. */
function exactKeys(condition: Condition): readonly string[] | undefined {
	if ('prefix' in condition) {
		return [resolveAbsolute(condition.prefix) ?? unclear.path];
	}

	if ('host' in condition) {
		return condition.host.map(name => asHost(asciiHost(name) ?? ''));
	}

	return 'glob' in condition ? globKeys([condition.glob]) : wantedTexts(condition)?.map(asText);
}

/** A condition of a deny or ask rule counts also when it is undecided. */
function generousKeys(condition: Condition): readonly string[] | undefined {
	if ('prefix' in condition) {
		const folders = plainPaths(condition.prefix);
		return folders && [...folders, unclear.path];
	}

	if ('host' in condition) {
		return [...generousHosts(condition.host).map(asHost), unclear.host];
	}

	if ('glob' in condition) {
		const keys = globKeys([condition.glob, ...lookAlikes(condition.glob)]);
		return keys && [...keys, ...unclearKeys(condition.glob)];
	}

	return wantedTexts(condition)?.flatMap(text => [...allSpellings(text).map(asText), ...unclearKeys(text)]);
}

function unclearKeys(wanted: string): readonly string[] {
	return [...(isPathLike(wanted) ? [unclear.path] : []), ...(wanted.includes('://') ? [unclear.address] : [])];
}

const longestEnd = 64;

/** What stands in each pattern before all wildcards, or after all of them; undefined when one begins and ends with a wildcard. */
function globKeys(patterns: readonly string[]): readonly string[] | undefined {
	const keys = patterns.map(pattern => {
		const parts = pattern.split(/[*?[\]]/u);
		const beginning = parts[0]?.slice(0, longestEnd) ?? '';
		const ending = parts.at(-1)?.slice(-longestEnd) ?? '';
		return beginning !== '' ? asBeginning(beginning) : ending !== '' ? asEnding(ending) : undefined;
	});
	return keys.every(key => key !== undefined) ? keys : undefined;
}

/** The texts that a condition names, when it names nothing else. */
function wantedTexts(condition: Condition): readonly string[] | undefined {
	const values = 'equals' in condition ? [condition.equals] : 'in' in condition ? condition.in : [];
	const texts = values.filter(value => typeof value === 'string');
	return texts.length > 0 && texts.length === values.length ? texts : undefined;
}

/** A longer text has too many folders above it. */
const longestKeyed = 1000;

/** The keys of an argument that is one text; undefined for everything else. */
function keysOfValues(
	values: readonly JsonValue[] | undefined,
	spellings: Spellings,
	wanted: WantedKeys,
): readonly string[] | undefined {
	const [text] = values ?? [];
	return values?.length === 1 && typeof text === 'string' && text.length <= longestKeyed
		? keysOfText(text, spellings, wanted)
		: undefined;
}

function keysOfText(text: string, spellings: Spellings, wanted: WantedKeys): readonly string[] {
	const has = (kind: string) => wanted.kinds.has(kind);
	const ends = spellings
		.of(text)
		.flatMap(one => [
			...wanted.beginnings.map(length => asBeginning(one.slice(0, length))),
			...wanted.endings.map(length => asEnding(one.slice(-length))),
		]);
	return [
		...(has(kinds.text) ? spellings.of(text).map(asText) : []),
		...ends,
		...(has(kinds.path) ? foldersOfText(text, spellings) : []),
		...(has(kinds.host) ? hostsOfText(text, spellings).map(asHost) : []),
		...(has(kinds.unclear) ? unclearKeysOf(text, spellings) : []),
	];
}

function foldersOfText(text: string, {pathsOf}: Spellings): readonly string[] {
	const exact = resolveAbsolute(text);
	return [...new Set([...(exact === undefined ? [] : [exact]), ...(pathsOf(text) ?? [])])].flatMap(foldersOf);
}

function hostsOfText(text: string, {hostsOf}: Spellings): readonly string[] {
	return [...new Set([parseAddress(text)?.hostname ?? '', ...hostsOf(text)])];
}

function unclearKeysOf(text: string, {pathsOf, hostsOf, isPlainAddress}: Spellings): readonly string[] {
	const isPlain = isPlainAddress(text);
	return [
		...(pathsOf(text) ? [] : [unclear.path]),
		...(isPlain ? [] : [unclear.address]),
		...(isPlain && hostsOf(text).length > 0 ? [] : [unclear.host]),
	];
}

/** A path and every folder above it, as `isBelow` takes them. */
function foldersOf(path: string): readonly string[] {
	const above = Array.from(path.matchAll(/\//gu), ({index}) => path.slice(0, index));
	return ['/', ...above, path];
}

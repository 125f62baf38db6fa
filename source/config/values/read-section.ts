import {z} from 'zod';
import {isJsonObject} from '../../util/json-text.ts';
import {type Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {didYouMean} from './did-you-mean.ts';
import {type FieldRule, findRule, knownKeys} from './field-rule.ts';
import {kindOf, mismatchText, notAllowed, refusalText} from './mismatch-text.ts';
import {removeValue, setValue, valueAt} from './plain-value.ts';
import {refuse, report, type Section, warn} from './section.ts';

/** The typed section, or the first problem that makes it unusable. All problems are in the section's list. */
export type SectionReading<Value> =
	| {readonly kind: 'read'; readonly value: Value}
	| {readonly kind: 'broken'; readonly problem: Problem};

/**
Reads a value by its schema (docs/configuration.md, How values are read): unknown keys, empty values and values with a rule for `instead` are left out with a
warning, any other mismatch makes the section unusable. The value itself is not changed.
*/
export function readSection<Value>(
	schema: z.ZodType<Value>,
	value: unknown,
	section: Section,
	places: KeyPlaces = {},
): SectionReading<Value> {
	const root = {value: structuredClone(value)};
	for (let round = 0; round < maxRounds; round++) {
		// The schema is used once: compiling it would take far longer than parsing.
		const result = schema.safeParse(root.value, {jitless: true});
		if (result.success) {
			return {kind: 'read', value: result.data};
		}

		// Backwards, so that removing a list item does not shift the remaining ones.
		const broken = result.error.issues
			.toReversed()
			.map(issue => leaveOut(issue, {schema, root, section, places}))
			.filter(problem => problem !== undefined);
		const first = broken.at(-1);
		if (first) {
			return {kind: 'broken', problem: first};
		}
	}

	return {kind: 'broken', problem: refuse(section, [], 'Too many of its values are not allowed')};
}

/** Reads a value of which nothing may be left out: every unknown key and every other mismatch is an error. */
export function readStrictly<Value>(schema: z.ZodType<Value>, value: unknown, section: Section): SectionReading<Value> {
	const lost = pathOfPrototype(value);
	if (lost) {
		return {kind: 'broken', problem: reportUnknown('__proto__', lost, {schema, section, level: 'error'})};
	}

	const result = schema.safeParse(value, {jitless: true});
	if (result.success) {
		return {kind: 'read', value: result.data};
	}

	const problems = firstOfEachPath(result.error.issues).flatMap(issue =>
		issue.code === 'unrecognized_keys'
			? issue.keys.map(key => reportUnknown(key, issue.path, {schema, section, level: 'error'}))
			: [refuseMismatch(issue, {schema, section, found: valueAt(value, issue.path)})],
	);
	return {kind: 'broken', problem: problems[0] ?? refuse(section, [], 'Its values are not allowed')};
}

/** A value that breaks two rules is reported once. */
function firstOfEachPath(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
	const byPath = new Map(
		issues.toReversed().map(issue => [JSON.stringify([issue.code === 'unrecognized_keys', issue.path]), issue]),
	);
	return [...byPath.values()].toReversed();
}

/** The path to a mapping with an own member `__proto__`, which the schema of a free mapping leaves out without a word. */
function pathOfPrototype(value: unknown): readonly PropertyKey[] | undefined {
	if (typeof value !== 'object' || value === null) {
		return undefined;
	}

	if (Object.hasOwn(value, '__proto__')) {
		return [];
	}

	for (const [name, member] of Object.entries(value)) {
		const path = pathOfPrototype(member);
		if (path) {
			return [Array.isArray(value) ? Number(name) : name, ...path];
		}
	}

	return undefined;
}

/**
The value of an optional section. Empty when it is missing or, after a report, unusable: the defaults of its keys
apply then. The schema of a missing section is not built.
*/
export function readSettings<Value extends object>(
	schema: () => z.ZodType<Value>,
	written: unknown,
	section: Section,
): Partial<Value> {
	if (written === undefined || written === null) {
		return {};
	}

	const reading = readSection(schema(), written, section);
	return reading.kind === 'read' ? reading.value : {};
}

/** The schema of a mapping of which only the keys are known here. */
export function asMapping(keys: readonly string[]) {
	const anything = z.unknown().optional();
	return z.strictObject(Object.fromEntries(keys.map(key => [key, anything])));
}

/**
The known members of a mapping, each with any value and parsed separately, so that an invalid one does not affect the others (docs/configuration.md, How values are read).
A missing mapping is empty; anything but a mapping is reported and treated as empty.
*/
export function readMapping(
	schema: ReturnType<typeof asMapping>,
	written: unknown,
	section: Section,
	places?: KeyPlaces,
): Readonly<Record<string, unknown>> {
	if (written === undefined || written === null) {
		return {};
	}

	if (!isJsonObject(written)) {
		refuse(section, [], notAllowed(kindOf(written), `a mapping with ${Object.keys(schema.shape).join(', ')}`));
		return {};
	}

	const reading = readSection(schema, written, section, places);
	return reading.kind === 'read' ? reading.value : {};
}

/** Leaving out a value can reveal the next mismatch, but at most as many as the schema is deep. */
const maxRounds = 8;

/** The right places of keys that people write into the wrong mapping. */
export type KeyPlaces = Readonly<Record<string, string>>;

type Repair = {
	readonly schema: z.ZodType;
	readonly root: {value: unknown};
	readonly section: Section;
	readonly places: KeyPlaces;
};

/** Leaves out the value of an issue, or returns why the section is unusable. */
function leaveOut(issue: z.core.$ZodIssue, repair: Repair): Problem | undefined {
	if (issue.code === 'unrecognized_keys') {
		for (const key of issue.keys) {
			leaveOutUnknown(key, issue.path, repair);
		}

		return undefined;
	}

	const {schema, root, section} = repair;
	const found = valueAt(root, ['value', ...issue.path]);
	const ruled = findRule(schema, issue.path);
	// A choice with a safe fallback uses it even when left blank.
	if (found === null && issue.path.length > 0 && ruled?.rule.instead?.use === undefined) {
		return leaveOutEmpty(issue.path, repair);
	}

	if (ruled?.rule.instead) {
		leaveOutWrong(issue.path.slice(0, ruled.depth), ruled.rule, repair);
		return undefined;
	}

	return refuseMismatch(issue, {schema, section, found});
}

function refuseMismatch(
	issue: z.core.$ZodIssue,
	{schema, section, found}: {readonly schema: z.ZodType; readonly section: Section; readonly found: unknown},
): Problem {
	const within = issueWithin(issue, found);
	if (within?.code === 'unrecognized_keys') {
		const [key = ''] = within.keys;
		return reportUnknown(key, within.path, {schema, section, level: 'error'});
	}

	if (within) {
		return refuse(
			section,
			keys(within.path),
			mismatchText(valueAt(found, within.path.slice(issue.path.length)), within),
		);
	}

	const ruled = findRule(schema, issue.path);
	const rule = ruled && (ruled.depth === issue.path.length ? ruled.rule : {allowed: ruled.rule.allowed});
	return refuse(section, keys(issue.path), mismatchText(found, issue, rule));
}

/** The mismatch inside a mapping that a union of a word and a mapping refuses; undefined for any other issue. */
function issueWithin(issue: z.core.$ZodIssue, found: unknown): z.core.$ZodIssue | undefined {
	if (issue.code !== 'invalid_union' || !isJsonObject(found)) {
		return undefined;
	}

	const inner = issue.errors.flat().find(({code, path}) => path.length > 0 || code === 'unrecognized_keys');
	return inner && {...inner, path: [...issue.path, ...inner.path]};
}

function leaveOutUnknown(key: string, path: readonly PropertyKey[], {schema, root, section, places}: Repair): void {
	const place = path.length === 0 && Object.hasOwn(places, key) ? places[key] : undefined;
	reportUnknown(key, path, {schema, section, level: 'warning', place});
	removeValue(root, ['value', ...path, key]);
}

type UnknownKey = {
	readonly schema: z.ZodType;
	readonly section: Section;
	readonly level: 'error' | 'warning';
	/** The place to which the key belongs. */
	readonly place?: string | undefined;
};

function reportUnknown(
	key: string,
	path: readonly PropertyKey[],
	{schema, section, level, place}: UnknownKey,
): Problem {
	const meant = place ?? didYouMean(key, knownKeys(schema, path));
	return report(section, {
		code: 'config_unknown_key',
		level,
		key: [...keys(path), key],
		message: `"${safeText(key, {maximumCharacters: 60})}" is not a known key${meant ? `; did you mean "${meant}"?` : ''}`,
	});
}

/** A known key without a value counts as absent; a member of a free mapping is reported. */
function leaveOutEmpty(path: readonly PropertyKey[], {schema, root, section}: Repair): undefined {
	const last = path.at(-1);
	if (typeof last === 'string' && !knownKeys(schema, path.slice(0, -1)).includes(last)) {
		warn(section, keys(path), 'The key has no value and is ignored');
	}

	removeValue(root, ['value', ...path]);
}

function leaveOutWrong(path: readonly PropertyKey[], rule: FieldRule, {root, section}: Repair): void {
	const found = valueAt(root, ['value', ...path]);
	// Several mismatches inside one value are reported once.
	if (found === undefined) {
		return;
	}

	const refusal = refusalText(found, rule);
	warn(section, keys(path), `${refusal}. ${rule.instead?.notice ?? ''}`, {refusal});
	if (rule.instead?.use === undefined) {
		removeValue(root, ['value', ...path]);
	} else {
		setValue(root, ['value', ...path], rule.instead.use);
	}
}

function keys(path: readonly PropertyKey[]): Array<string | number> {
	return path.map(key => (typeof key === 'number' ? key : String(key)));
}

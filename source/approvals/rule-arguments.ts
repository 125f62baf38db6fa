import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../util/json-text.ts';
import {lookAlikes} from '../util/look-alikes.ts';
import {memoize, memoizeByObject} from '../util/memoize.ts';

/** How a rule compares names and values: an allow rule exactly, a deny or ask rule with everything that may be taken for them. */
export type Comparison = 'exact' | 'generous';

/**
All values that the path of a rule may mean: of the argument with the whole path as its name, and of the one that its dots lead to. None when the
argument is absent. Own members only. Undefined when something else than an object is on the way.
*/
export function valuesAt(args: JsonObject, path: string, comparison: Comparison): readonly JsonValue[] | undefined {
	const membersOf = comparison === 'exact' ? exactMembers : generousMembers;
	if (!path.includes('.')) {
		return membersOf(args, path);
	}

	let values: readonly JsonValue[] = [args];
	for (const name of path.split('.')) {
		const objects = values.filter(isJsonObject);
		if (objects.length < values.length) {
			return undefined;
		}

		values = objects.flatMap(object => membersOf(object, name));
	}

	return [...membersOf(args, path), ...values];
}

function exactMembers(object: JsonObject, name: string): readonly JsonValue[] {
	const value = ownMember(object, name);
	return value === undefined ? [] : [value];
}

/** The members with every name that may be taken for this one. */
function generousMembers(object: JsonObject, name: string): readonly JsonValue[] {
	return namesLike(object, looksOfName(name)).flatMap(one => exactMembers(object, one));
}

/** Calls of a tool have the same few names of arguments. */
const looksOfName = memoize(lookAlikes);

/** More names are looked up instead of compared one by one: many rules may ask for many of them. */
const mostCompared = 20;

function namesLike(object: JsonObject, looks: readonly string[]): readonly string[] {
	const names = Object.keys(object);
	return names.length > mostCompared
		? [...new Set(looks.flatMap(look => namesByLook(object).get(look) ?? []))]
		: names.filter(name => looksOfName(name).some(look => looks.includes(look)));
}

const namesByLook = memoizeByObject((object: JsonObject) => {
	const names = new Map<string, string[]>();
	for (const name of Object.keys(object)) {
		for (const look of lookAlikes(name)) {
			const known = names.get(look);
			if (known) {
				known.push(name);
			} else {
				names.set(look, [name]);
			}
		}
	}

	return names;
});

/** What lets a schema know properties that its `properties` do not name. */
const openKeywords = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties'];

/** Whether the input schema knows an argument, or may: one that is not there, or refers to others, may know any. */
export function mayBeKnown(schema: JsonObject | undefined, path: string): boolean {
	return schema === undefined || isKnownBy(schema)(path);
}

/** The schema of a tool is the same object for all of its calls. */
const isKnownBy = memoizeByObject((schema: JsonObject) =>
	memoize(path => isAt(schema, [path]) || isAt(schema, path.split('.'))),
);

function isAt(schema: JsonValue, [name, ...below]: readonly string[]): boolean {
	if (name === undefined || !isJsonObject(schema)) {
		return name === undefined;
	}

	const properties = ownMember(schema, 'properties');
	return (
		openKeywords.some(keyword => Object.hasOwn(schema, keyword)) ||
		(isJsonObject(properties) && generousMembers(properties, name).some(property => isAt(property, below)))
	);
}

/**
Whether every argument stands in a rule: with its own name, or, for an object of which the rule names members, with each of its members.
Below the top, a name with a dot in it is none that a path can lead to.
*/
export function isCovered(args: JsonObject, paths: ReadonlySet<string>): boolean {
	const isObjectCovered = (object: JsonObject, above: string): boolean =>
		Object.entries(object).every(([name, value]) => {
			const path = `${above}${name}`;
			const isPlain = !name.includes('.');
			return (
				((isPlain || above === '') && paths.has(path)) ||
				(isPlain && isJsonObject(value) && hasBelow(paths, path) && isObjectCovered(value, `${path}.`))
			);
		});

	return isObjectCovered(args, '');
}

function hasBelow(paths: ReadonlySet<string>, path: string): boolean {
	return [...paths].some(one => one.startsWith(`${path}.`));
}

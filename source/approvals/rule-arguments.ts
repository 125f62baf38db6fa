import {folderArgument, isHookServer} from '../config/hooks/hook-tools.ts';
import {isJsonObject, isList, type JsonObject, type JsonValue, ownMember} from '../util/json-text.ts';
import {lookAlikes} from '../util/look-alikes.ts';
import {memoize, memoizeByObject} from '../util/memoize.ts';

/** The way that a rule compares names and values: an allow rule exactly, a deny or ask rule with everything that may be taken for them. */
export type Comparison = 'exact' | 'generous';

/** The arguments of a call to a server. */
type Arguments = {readonly server: string; readonly arguments: JsonObject};

/**
All values that the path of a rule may mean; none when the argument is absent. Own members only. Undefined when something else than an object is on
the way. The dots of an allow rule lead to nested members alone: a member whose name holds one of them may be what the server reads, so that is undefined
too. Deny and ask rules count the argument with the whole path as its name as well.
*/
export function valuesAt(
	{server, arguments: args}: Arguments,
	path: string,
	comparison: Comparison,
): readonly JsonValue[] | undefined {
	const membersOf = comparison === 'exact' ? exactMembers : generousMembers;
	if (isOneName(server, path)) {
		const found = membersOf(args, path);
		// A command as a list of words: its members in any order are another command.
		return comparison === 'exact' && isHookServer(server) && found.some(isList) ? undefined : found;
	}

	if (comparison === 'exact' && hasDottedMember(args, path.split('.'))) {
		return undefined;
	}

	let values: readonly JsonValue[] = [args];
	for (const name of path.split('.')) {
		const objects = values.filter(isJsonObject);
		if (objects.length < values.length) {
			return undefined;
		}

		values = objects.flatMap(object => membersOf(object, name));
	}

	return comparison === 'exact' ? values : [...membersOf(args, path), ...values];
}

/** True for a path that is the name of an argument. The folder of a program's own call is one with a dot (docs/hooks.md, Rules). */
function isOneName(server: string, path: string): boolean {
	return !path.includes('.') || (path === folderArgument && isHookServer(server));
}

/** True if a member on the way of these names has several of them, joined by dots, as its own name. */
function hasDottedMember(value: JsonValue, names: readonly string[]): boolean {
	if (!isJsonObject(value)) {
		return false;
	}

	const [name = '', ...below] = names;
	const isJoined = names.some((_, index) => index > 0 && Object.hasOwn(value, names.slice(0, index + 1).join('.')));
	return isJoined || (below.length > 0 && hasDottedMember(ownMember(value, name) ?? null, below));
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
const maxCompared = 20;

function namesLike(object: JsonObject, looks: readonly string[]): readonly string[] {
	const names = Object.keys(object);
	return names.length > maxCompared
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

/** Keywords by which a schema may know properties that its `properties` do not name. */
const openKeywords = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties'];

/** True if the input schema knows an argument, or may: a schema that is absent or refers to others may know any. */
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
True if a rule covers every argument: by its own name, or, for an object of which the rule names members, by each of its members.
Below the top, no path leads to a name with a dot in it.
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

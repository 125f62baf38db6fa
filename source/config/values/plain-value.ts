import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';

/** The value at `path` in plain objects and lists, own members only. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
	let value = root;
	for (const key of path) {
		value = isContainer(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
	}

	return value;
}

/** Removes the value at `path` from its object or list. */
export function removeValue(root: unknown, path: readonly PropertyKey[]): void {
	const parent = valueAt(root, path.slice(0, -1));
	const last = path.at(-1);
	if (Array.isArray(parent)) {
		parent.splice(Number(last), 1);
	} else if (isContainer(parent) && last !== undefined) {
		Reflect.deleteProperty(parent, last);
	}
}

/** Replaces the value at `path`. */
export function setValue(root: unknown, path: readonly PropertyKey[], value: unknown): void {
	const parent = valueAt(root, path.slice(0, -1));
	const last = path.at(-1);
	if (isContainer(parent) && last !== undefined) {
		Reflect.defineProperty(parent, last, {value, writable: true, enumerable: true, configurable: true});
	}
}

/** The value as JSON: numbers without a JSON form become strings, and anything else without one becomes null. */
export function toJsonValue(value: unknown): JsonValue {
	if (typeof value === 'string' || typeof value === 'boolean') {
		return value;
	}

	if (typeof value === 'number') {
		return Number.isFinite(value) ? value : String(value);
	}

	if (Array.isArray(value)) {
		return value.map(toJsonValue);
	}

	return isJsonObject(value) ? toJsonObject(value) : null;
}

/** The members of a mapping as JSON; anything else is an empty object. */
export function toJsonObject(value: unknown): JsonObject {
	return isJsonObject(value)
		? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJsonValue(member)]))
		: {};
}

/** The maximum nesting of values: deeper ones exhaust the stack of a recursive function. */
const deepestNesting = 200;

/** False when the value contains itself or is nested deeper than 200 levels. YAML anchors can create both. */
export function isPlainTree(value: unknown): boolean {
	const depths = new Map<object, number>();
	const depthOf = (node: unknown): number => {
		if (!isContainer(node)) {
			return 0;
		}

		const known = depths.get(node);
		if (known !== undefined) {
			return known;
		}

		depths.set(node, Number.POSITIVE_INFINITY);
		const depth = Object.values(node).reduce<number>((deepest, member) => Math.max(deepest, depthOf(member) + 1), 1);
		depths.set(node, depth);
		return depth;
	};

	return depthOf(value) <= deepestNesting;
}

function isContainer(value: unknown): value is object {
	return isJsonObject(value) || Array.isArray(value);
}

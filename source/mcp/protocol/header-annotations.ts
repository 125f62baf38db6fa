import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';

const annotation = 'x-mcp-header';

/** The characters of an HTTP header name. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;

/** Members of a schema that hold values, not schemas. */
const valueMembers = new Set(['const', 'default', 'enum', 'examples', annotation]);

/** A schema, or a value inside one. Only schemas reached from the top through `properties` may be mirrored into a header. */
type Spot = {readonly node: JsonValue; readonly place: 'top' | 'property' | 'elsewhere'};

/**
The reason that the `x-mcp-header` annotations of an input schema are invalid; undefined when they are valid (2026-07-28, Streamable HTTP: a tool with invalid ones must not be used).
Iterative, so that deep nesting cannot exhaust the stack.
*/
export function headerFault(inputSchema: JsonObject): string | undefined {
	const taken = new Set<string>();
	const open: Spot[] = [{node: inputSchema, place: 'top'}];
	for (let spot = open.pop(); spot !== undefined; spot = open.pop()) {
		const {node, place} = spot;
		if (isJsonObject(node) && Object.hasOwn(node, annotation)) {
			const fault = place === 'property' ? annotationFault(node, taken) : 'is in a place that no argument is read from';
			if (fault !== undefined) {
				return fault;
			}
		}

		open.push(...spotsInside(spot));
	}

	return undefined;
}

function spotsInside({node, place}: Spot): Spot[] {
	if (!isJsonObject(node)) {
		return Array.isArray(node) ? node.map(member => ({node: member, place: 'elsewhere'})) : [];
	}

	return Object.entries(node).flatMap(([name, member]): Spot[] => {
		if (valueMembers.has(name)) {
			return [];
		}

		if (name === 'properties' && isJsonObject(member)) {
			const inner = place === 'elsewhere' ? 'elsewhere' : 'property';
			return Object.values(member).map(property => ({node: property, place: inner}));
		}

		return [{node: member, place: 'elsewhere'}];
	});
}

function annotationFault(schema: JsonObject, taken: Set<string>): string | undefined {
	const name = schema[annotation];
	if (typeof name !== 'string' || !headerName.test(name)) {
		return 'is not a valid header name';
	}

	const {type} = schema;
	if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
		return 'is on something other than a string, an integer or a boolean';
	}

	if (taken.has(name.toLowerCase())) {
		return 'names one header twice';
	}

	taken.add(name.toLowerCase());
	return undefined;
}

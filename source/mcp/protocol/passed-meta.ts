import {isDeeperThan, isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';

/**
The members of `_meta` that reach clients of the endpoint (docs/endpoint.md, What is passed on): the user interface of MCP Apps, and what Claude Code
reads about the size and the loading of a tool. All others concern the connection between Sluice and the server.
*/
const passedNames: ReadonlySet<string> = new Set([
	'ui',
	'ui/resourceUri',
	'anthropic/alwaysLoad',
	'anthropic/maxResultSizeChars',
]);

const maxCharacters = 16_384;
const deepest = 20;

/** The members of a `_meta` that are passed on; undefined when there are none, or when they are too large. */
export function passedMeta(meta: JsonValue | undefined): JsonObject | undefined {
	if (!isJsonObject(meta)) {
		return undefined;
	}

	const passed = Object.fromEntries(Object.entries(meta).filter(([name]) => passedNames.has(name)));
	const isSmall = !isDeeperThan(passed, deepest) && JSON.stringify(passed).length <= maxCharacters;
	return isSmall && Object.keys(passed).length > 0 ? passed : undefined;
}

import {isJsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {exactDigits, parseExactJson} from '../payload/exact-json.ts';

/**
What the stdout of a script makes of the payload; undefined when it ignores the event (docs/webhooks.md, Scripts).
Text beside a payload that is no object: the payload moves to the member `payload`.
*/
export function readScriptOutput(output: string, payload: JsonValue): JsonValue | undefined {
	const text = output.trim();
	if (text === '' || text === '[SILENT]') {
		return undefined;
	}

	const json = parseExactJson(text);
	if (isMapping(json)) {
		return ownMember(json, '__hermes_ignore__') === true ? undefined : json;
	}

	return {...(isMapping(payload) ? payload : {payload}), script_output: text};
}

/** A number kept by its digits looks like an object and is none. */
function isMapping(value: JsonValue | undefined): value is {readonly [name: string]: JsonValue} {
	return isJsonObject(value) && exactDigits(value) === undefined;
}

import {hasRepeatedName, isJsonObject, type JsonObject, parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';

/** The arguments of a tool as `--args` has them; default: none. Throws `bad_usage`, also for a name that stands twice: which value is meant cannot be said. */
export function readArguments(text = '{}'): JsonObject {
	const args = parseJson(text);
	if (!isJsonObject(args)) {
		throw new Problem('bad_usage', {message: '--args must be a JSON object, such as \'{"path": "notes.txt"}\''});
	}

	if (hasRepeatedName(text)) {
		throw new Problem('bad_usage', {message: '--args has a name twice in one object'});
	}

	return args;
}

import {isJsonObject, type JsonObject, lossInJson, parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';

/** The arguments of a tool as `--args` has them; default: none. Throws `bad_usage`, also for what would be lost of them on their way. */
export function readArguments(text = '{}'): JsonObject {
	const args = parseJson(text);
	if (!isJsonObject(args)) {
		throw new Problem('bad_usage', {message: '--args must be a JSON object, such as \'{"path": "notes.txt"}\''});
	}

	const loss = lossInJson(text, args);
	if (loss !== undefined) {
		throw new Problem('bad_usage', {message: `--args: ${loss}`});
	}

	return args;
}

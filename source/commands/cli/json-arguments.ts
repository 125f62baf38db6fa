import {isJsonObject, type JsonObject, lossInJson, parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {readNamedFile, readStdin} from './read-input.ts';

/** The arguments of a tool as `--args` has them: JSON, `@FILE`, or `-` for stdin; default: none. Rejects with `bad_usage`, also for what would be lost of them on their way. */
export async function readArguments(typed: string | undefined, signal: AbortSignal): Promise<JsonObject> {
	const text = await readTyped(typed ?? '{}', signal);
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

async function readTyped(typed: string, signal: AbortSignal): Promise<string> {
	if (typed === '-') {
		return readStdin(signal);
	}

	return typed.startsWith('@') ? readNamedFile(typed.slice(1), signal) : typed;
}

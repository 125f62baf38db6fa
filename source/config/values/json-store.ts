import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import {type z} from 'zod';
import {isJsonObject, type JsonObject, parseJson} from '../../util/json-text.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {absentStamp, failureText, fileStamp} from './text-file.ts';
import {keyPathText} from './problem-list.ts';

/**
A small JSON file of the state directory written by several processes, commands and the gateway: subscriptions, jobs and remembered approvals.
Not kept by conf: it parses the file at every read, and these are read at every request or call; here a file that did not change is not parsed
again, and an invalid one is reported and never overwritten. (Tokens, where a lost change loses a login, have a lock as well: `oauth/tokens`.)
*/
export type JsonStore<Value> = {
	readonly path: string;
	/** The value, or the fallback when there is no file. Throws a Problem when the file is invalid, without clearing it. */
	readonly read: () => Value;
	/** Replaces the file, atomically, 0600. Throws a Problem when the existing file is invalid, without overwriting it. */
	readonly write: (value: Value) => void;
};

/** Creates the store of `<directory>/<name>.json`; the first write creates the file. */
export function createJsonStore<Value extends JsonObject>(options: {
	readonly directory: string;
	readonly name: string;
	readonly schema: z.ZodType<Value>;
	readonly fallback: Value;
}): JsonStore<Value> {
	const {directory, name, schema, fallback} = options;
	const path = join(directory, `${name}.json`);
	const guard = <Result>(act: () => Result): Result => {
		try {
			return act();
		} catch (error) {
			throw toProblem(error, 'config_unreadable', {message: `${path} cannot be read or written${failureText(error)}`});
		}
	};

	/** Some stores are read at every call, so an unchanged file is not read again. */
	let last: {readonly stamp: string; readonly value: Value} | undefined;
	const read = () => {
		const stamp = fileStamp(path);
		if (stamp === absentStamp) {
			return fallback;
		}

		if (last?.stamp !== stamp) {
			last = {stamp, value: validate(path, schema, parse(path, readFileSync(path, 'utf8')))};
		}

		return last.value;
	};

	return {
		path,
		read: () => guard(read),
		write: value =>
			guard(() => {
				read();
				mkdirSync(directory, {recursive: true, mode: 0o700});
				writeFileAtomic.sync(path, `${JSON.stringify(value, undefined, '\t')}\n`, {mode: 0o600});
			}),
	};
}

/** Only an object is valid; a list or a number is an error. */
function parse(path: string, text: string): JsonObject {
	const value = parseJson(text);
	if (isJsonObject(value)) {
		return value;
	}

	throw new Problem('config_syntax', {message: `${path} is not a JSON object`});
}

function validate<Value>(path: string, schema: z.ZodType<Value>, store: unknown): Value {
	const result = schema.safeParse(store);
	if (result.success) {
		return result.data;
	}

	const [issue] = result.error.issues;
	const key = keyPathText(issue?.path.map(part => (typeof part === 'number' ? part : String(part))) ?? []);
	throw new Problem('config_invalid', {message: `${path}: ${key ? `${key}: ` : ''}found another value than allowed`});
}

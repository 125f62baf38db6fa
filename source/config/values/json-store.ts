import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {type z} from 'zod';
import {type Clock} from '../../util/clock.ts';
import {repairRemedy} from '../../util/file-remedies.ts';
import {isJsonObject, type JsonObject, parseJson} from '../../util/json-text.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {lockPathOf, withFileLock} from './file-lock.ts';
import {absentStamp, failureText, fileStamp, writePrivateFile} from './text-file.ts';
import {valueAt} from './plain-value.ts';
import {keyPathText} from './problem-list.ts';
import {kindOf} from './read-section.ts';

/**
A small JSON file of the state directory written by several processes, commands and the gateway: subscriptions, jobs and remembered approvals.
Not kept by conf: it parses the file at every read, and these are read at every request or call; here a file that did not change is not parsed
again, and an invalid one is reported and never overwritten. Changes are made under a lock, so that none is lost; reading takes no lock.
*/
export type JsonStore<Value> = {
	readonly path: string;
	/** The value, or the fallback when there is no file. Throws a Problem when the file is invalid, without clearing it. */
	readonly read: () => Value;
	/**
	Replaces the value by what `change` makes of the current one, one process at a time, atomically, 0600. Returning the same value writes nothing.
	`change` is called twice, the second time under the lock. The file is flushed beside the main thread: until the promise resolves, `read` answers what was there before.
	Rejects with the error of `change`, or with a Problem when the file cannot be written, is locked for too long, or is invalid; it is unchanged then.
	*/
	readonly update: (change: (value: Value) => Value, clock: Clock) => Promise<void>;
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

	const write = async (change: (value: Value) => Value, clock: Clock): Promise<void> => {
		const before = guard(read);
		// Without a change no lock is needed, nor the right to write.
		if (change(before) === before) {
			return;
		}

		await withFileLock(lockPathOf(path), {clock}, async () => {
			// Two writes within a tick of the file system's clock can leave the stamp of the first.
			last = undefined;
			const current = guard(read);
			const value = change(current);
			if (value !== current) {
				await writePrivateFile(path, `${JSON.stringify(value, undefined, '\t')}\n`);
				last = undefined;
			}
		});
	};

	/** Changes of this store follow each other; only those of other processes are waited for at the lock. */
	let changed: Promise<unknown> = Promise.resolve();
	return {
		path,
		read: () => guard(read),
		update(change, clock) {
			const written = changed.then(() => write(change, clock));
			changed = written.catch(() => undefined);
			return written;
		},
	};
}

/** Only an object is valid; a list or a number is an error. */
function parse(path: string, text: string): JsonObject {
	const value = parseJson(text);
	if (isJsonObject(value)) {
		return value;
	}

	throw new Problem('config_syntax', {message: `${path} is not a JSON object`, remedy: repairRemedy(path)});
}

function validate<Value>(path: string, schema: z.ZodType<Value>, store: unknown): Value {
	const result = schema.safeParse(store);
	if (result.success) {
		return result.data;
	}

	const [issue] = result.error.issues;
	const key = keyPathText(issue?.path.map(part => (typeof part === 'number' ? part : String(part))) ?? []);
	const found = kindOf(valueAt(store, issue?.path ?? []));
	const message = `${path}: ${key ? `${key}: ` : ''}found ${found}${issue ? allowedText(issue) : ''}`;
	throw new Problem('config_invalid', {message, remedy: repairRemedy(path)});
}

/** The types of JSON in words, as `kindOf` says them. */
const kinds: Readonly<Record<string, string>> = {
	string: 'text',
	number: 'a number',
	int: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	object: 'a mapping',
	record: 'a mapping',
};

/** What a schema wants in place of a value, which may be a secret and is not shown. */
function allowedText(issue: z.core.$ZodIssue): string {
	if (issue.code === 'invalid_type') {
		return `, allowed: ${kinds[issue.expected] ?? issue.expected}`;
	}

	return issue.code === 'invalid_value'
		? `, allowed: ${issue.values.map(String).join(', ')}`
		: ' that is not allowed here';
}

import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {type z} from 'zod';
import {type Clock} from '../../util/clock.ts';
import {repairRemedy} from '../../util/file-remedies.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {toProblem} from '../../util/problem.ts';
import {lockPathOf, withFileLock} from './file-lock.ts';
import {assertSize, parseDocument, type StoredDocument} from './stored-document.ts';
import {absentStamp, failureText, fileStamp, writePrivateFile} from './text-file.ts';

/**
Creates the document of `<directory>/<name>.json`; the first write creates the file, 0600. Not kept by conf: it parses the file at every read, and
these are read at every request or call; here a file that did not change is not parsed again. Changes are made under a lock, one process at a time;
reading takes no lock. A lock that is held for too long is a Problem.
*/
export function createJsonStore<Value extends JsonObject>(options: {
	readonly directory: string;
	readonly name: string;
	readonly schema: z.ZodType<Value>;
	readonly fallback: Value;
	readonly largestBytes?: number;
}): StoredDocument<Value> {
	const {directory, name, schema, fallback, largestBytes} = options;
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
			assertSize(largestBytes === undefined ? 0 : statSync(path).size, path, largestBytes);
			const value = parseDocument(schema, readFileSync(path, 'utf8'), {place: path, remedy: repairRemedy(path)});
			last = {stamp, value};
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
		place: path,
		read: () => guard(read),
		stamp: () => guard(() => fileStamp(path)),
		update(change, clock) {
			const written = changed.then(() => write(change, clock));
			changed = written.catch(() => undefined);
			return written;
		},
	};
}

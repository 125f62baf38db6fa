import {mkdir} from 'node:fs/promises';
import {dirname} from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import {toProblem} from '../util/problem.ts';

/** Writes a file that this user alone may read, all or nothing: temporary file, fsync, rename (spec/decisions.md, D1). Throws a Problem `config_unreadable`. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
	try {
		await mkdir(dirname(path), {recursive: true, mode: 0o700});
		await writeFileAtomic(path, text, {mode: 0o600});
	} catch (error) {
		throw toProblem(error, 'config_unreadable', {message: `${path} cannot be written`});
	}
}

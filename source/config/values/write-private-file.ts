import {dirname} from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import {makePrivateFolder} from '../../util/make-private-folder.ts';
import {toProblem} from '../../util/problem.ts';
import {failureText} from './failure-text.ts';

/** Writes a file that this user alone may read, all or nothing: temporary file, fsync, rename (docs/configuration.md, State directory). Throws a Problem `config_unreadable`. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
	try {
		await makePrivateFolder(dirname(path));
		await writeFileAtomic(path, text, {mode: 0o600});
	} catch (error) {
		throw toProblem(error, 'config_unreadable', {message: `${path} cannot be written${failureText(error)}`});
	}
}

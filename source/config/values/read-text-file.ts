import {readFile, stat} from 'node:fs/promises';
import {Problem, toProblem} from '../../util/problem.ts';
import {failureText} from './failure-text.ts';

/** No file that a person writes by hand is larger. */
const largestFileBytes = 4 * 1_048_576;

/** The text of a file, undefined when there is none. Throws a Problem `config_unreadable` when it is there and cannot be read. */
export async function readTextFile(path: string): Promise<string | undefined> {
	try {
		const {size} = await stat(path);
		if (size > largestFileBytes) {
			throw new Problem('config_unreadable', {message: `${path} is larger than 4 MB`});
		}

		return await readFile(path, 'utf8');
	} catch (error) {
		if (isMissing(error)) {
			return undefined;
		}

		throw toProblem(error, 'config_unreadable', {message: `${path} cannot be read${failureText(error)}`});
	}
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

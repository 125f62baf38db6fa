import {createReadStream} from 'node:fs';
import {failureText} from '../../config/values/text-file.ts';
import {untilAborted} from '../../util/clock.ts';
import {Problem, systemErrorCode, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

const maxInputBytes = 1_048_576;

/** All of stdin. Rejects with `bad_usage` for more than 1 MB. */
export function readStdin(signal: AbortSignal): Promise<string> {
	return untilAborted(readBounded(process.stdin), signal);
}

/** The text of a file that a person named. Rejects with `bad_usage` for more than 1 MB, and with `file_missing` where it cannot be read. */
export async function readNamedFile(path: string, signal: AbortSignal): Promise<string> {
	const file = createReadStream(path, {signal});
	try {
		return await readBounded(file);
	} catch (error) {
		signal.throwIfAborted();
		const fault = systemErrorCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read${failureText(error)}`;
		throw toProblem(error, 'file_missing', {
			message: `${safeText(path)} ${fault}`,
			remedy: 'Name a file that exists and that your user can read',
		});
	} finally {
		file.destroy();
	}
}

async function readBounded(stream: AsyncIterable<unknown>): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		const part = Buffer.from(chunk as Uint8Array);
		bytes += part.length;
		if (bytes > maxInputBytes) {
			throw new Problem('bad_usage', {message: 'The input is longer than 1 MB'});
		}

		chunks.push(part);
	}

	return Buffer.concat(chunks).toString('utf8');
}

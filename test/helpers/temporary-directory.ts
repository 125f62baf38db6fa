import {mkdtempSync, readFileSync, rmSync, statfsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from './on-test-finished.ts';

const root = memoryFolder() ?? tmpdir();

/** A fresh directory that is gone when the test has ended. */
export function temporaryDirectory(): string {
	const path = mkdtempSync(join(root, 'sluice-test-'));
	onTestFinished(() => rmSync(path, {recursive: true, force: true, maxRetries: 10, retryDelay: 50}));
	return path;
}

/**
The memory of Linux as a file system, where it has room and programs may be started from it. Nothing is lost there that a test could
miss, and a journal on it does not wait for a disk at every row.
*/
function memoryFolder(): string | undefined {
	const folder = '/dev/shm';
	try {
		const mount = readFileSync('/proc/mounts', 'utf8').split('\n');
		const options = mount
			.map(line => line.split(' '))
			.find(([, path]) => path === folder)?.[3]
			?.split(',');
		const {bavail, bsize} = statfsSync(folder);
		const isFit = options?.includes('rw') && !options.includes('noexec') && bavail * bsize > 2 ** 30;
		return isFit ? folder : undefined;
	} catch {
		return undefined;
	}
}

import {mkdir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';

/**
Makes a folder and those above it, 0700; folders that are there keep their rights. Rejects with the error of the system.
`mkdir` with `recursive` does not return where a folder that is there refuses new ones as missing, as `/proc` does.
*/
export async function makePrivateFolder(path: string): Promise<void> {
	const above = dirname(path);
	if (await isFolder(path)) {
		return;
	}

	if (above !== path) {
		await makePrivateFolder(above);
	}

	try {
		await mkdir(path, {mode: 0o700});
	} catch (error) {
		// Somebody else may have made it in the meantime.
		if (!(await isFolder(path))) {
			throw error;
		}
	}
}

async function isFolder(path: string): Promise<boolean> {
	try {
		return (await stat(path)).isDirectory();
	} catch {
		return false;
	}
}

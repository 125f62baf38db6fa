import {mkdir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';

/**
Creates a folder and its parents, 0700; existing folders keep their permissions. Rejects with the error of the system.
`mkdir` with `recursive` does not return where an existing folder refuses new ones as missing, as `/proc` does.
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
		// Another process may have created it meanwhile.
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

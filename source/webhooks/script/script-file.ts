import {realpath, stat} from 'node:fs/promises';
import {resolve, sep} from 'node:path';

/**
The real path of a script, or undefined when there is no such file below `directory`: neither `..`, an absolute path nor a symbolic link leads out
(docs/webhooks.md, Scripts). What is run is the path that was judged.
*/
export async function findScript(directory: string, script: string): Promise<string | undefined> {
	try {
		const home = await realpath(directory);
		const file = await realpath(resolve(home, script));
		return file.startsWith(home + sep) && (await stat(file)).isFile() ? file : undefined;
	} catch {
		return undefined;
	}
}

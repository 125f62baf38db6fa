import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

/** In place of `source/util/own-program.ts`: the program as it was built for this run, or its source. */
export function ownProgram(name: string, moduleUrl: string): URL {
	const built = join(process.env['SLUICE_TEST_THREADS'] ?? '', `${name}.js`);
	return existsSync(built) ? pathToFileURL(built) : new URL(`./${name}.ts`, moduleUrl);
}

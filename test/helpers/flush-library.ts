import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {fixture} from './fixture-program.ts';

/** Milliseconds that a flush takes longer while the file of `SLUICE_FLUSH_DELAY` exists. */
export const flushDelayMilliseconds = 200;

/**
Builds `test/fixtures/disk-flushes.c` in a folder and returns the variables that preload it. A text says why it cannot be built here: preloading is
Linux's, and no package of this repository brings a compiler.
*/
export function buildFlushLibrary(directory: string): {readonly LD_PRELOAD: string} | string {
	if (process.platform !== 'linux') {
		return 'this is not Linux';
	}

	const library = join(directory, 'disk-flushes.so');
	try {
		execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, fixture('disk-flushes.c'), '-ldl'], {stdio: 'pipe'});
		return {LD_PRELOAD: library};
	} catch (caught) {
		return caught instanceof Error ? caught.message.trim() : String(caught);
	}
}

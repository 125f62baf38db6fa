import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {atMost, type Clock} from '../../util/clock.ts';
import {ownProgram} from '../../util/own-program.ts';
import {safeText} from '../../util/safe-text.ts';

/** The output of the program that checks a file. */
export type CheckLine =
	| {readonly kind: 'intact'; readonly table: string}
	| {readonly kind: 'damaged' | 'failed'; readonly table: string; readonly detail: string}
	| {readonly kind: 'over'};

/** The result of a check. `intact`: all tables are; `partly`: so many are, then it was broken off; `failed`: the file could not be read for another reason than damage. */
export type FileCheck =
	| {readonly kind: 'intact' | 'partly'; readonly tables: number}
	| {readonly kind: 'damaged' | 'failed'; readonly detail: string};

/** A process that was ended is waited for so long: one that hangs in a call of the system is gone only once that returns. */
const endMilliseconds = 1000;
const longestDetail = 200;

/**
Reads every page of a journal in a process of its own, a table at a time, until the first damage. Never rejects.
`quick`: its pages; `full`: its indexes too (https://www.sqlite.org/pragma.html#pragma_integrity_check). `unused`: nobody writes to it meanwhile.
*/
export async function checkFile(options: {
	readonly path: string;
	readonly clock: Clock;
	readonly depth: 'quick' | 'full';
	readonly use: 'unused' | 'of a gateway';
	/** Breaks it off. */
	readonly signal: AbortSignal;
}): Promise<FileCheck> {
	const {clock, signal} = options;
	const child = startProgram(options);
	const result = Promise.withResolvers<FileCheck>();
	let tables = 0;
	const breakOff = () => result.resolve({kind: 'partly', tables});
	signal.addEventListener('abort', breakOff, {once: true});
	if (signal.aborted) {
		breakOff();
	}

	const closed = new Promise<void>(resolve => {
		const fail = (detail: string) => {
			result.resolve({kind: 'failed', detail});
			resolve();
		};

		child.once('error', ({message}) => fail(message));
		child.once('close', () => fail('the process that checks it ended'));
	});
	createInterface({input: child.stdout}).on('line', text => {
		const line = JSON.parse(text) as CheckLine;
		switch (line.kind) {
			case 'intact':
				tables++;
				break;
			case 'over':
				result.resolve({kind: 'intact', tables});
				break;
			case 'damaged':
			case 'failed':
				result.resolve({kind: line.kind, detail: detailOf(line)});
		}
	});
	const found = await result.promise;
	signal.removeEventListener('abort', breakOff);
	child.kill('SIGKILL');
	await atMost(endMilliseconds, closed, clock);
	return found;
}

function startProgram({path, depth, use}: Pick<Parameters<typeof checkFile>[0], 'path' | 'depth' | 'use'>) {
	const url = pathToFileURL(path);
	if (use === 'unused') {
		// Without it, SQLite would make files beside this one.
		url.searchParams.set('immutable', '1');
	}

	const program = fileURLToPath(ownProgram('check-process', import.meta.url));
	const check = depth === 'quick' ? 'quick_check' : 'integrity_check';
	const words = ['--disable-warning=ExperimentalWarning', program, url.href, check];
	return spawn(process.execPath, words, {stdio: ['ignore', 'pipe', 'ignore'], env: {}});
}

function detailOf({table, detail}: {readonly table: string; readonly detail: string}): string {
	return safeText(table === '' ? detail : `table ${table}: ${detail}`, {maximumCharacters: longestDetail});
}

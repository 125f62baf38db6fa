import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {queuedColumns} from '../../../source/journal/rows/columns.ts';
import {checkFile} from '../../../source/journal/sqlite/check-file.ts';
import {openStorage} from '../../../source/journal/sqlite/operations.ts';
import {breakIndex} from '../../helpers/broken-index.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {sampleRun} from '../../helpers/journal-records.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const clock = createFakeClock();
const quick = {clock, depth: 'quick', use: 'of a gateway'} as const;

/** A journal with many pages of runs, closed. */
async function filled(): Promise<string> {
	const path = join(temporaryDirectory(), 'journal.db');
	const storage = openStorage(path);
	for (let number = 0; number < 200; number++) {
		const run = sampleRun({id: `run-${number}`, eventId: '', prompt: 'x'.repeat(3000)});
		await storage.run([{name: 'queueRun', args: [queuedColumns(run)], now: 1}]);
	}

	await storage.close();
	return path;
}

/** Overwrites a page in the middle of the file. */
function breakPage(path: string): void {
	const bytes = readFileSync(path);
	const middle = Math.floor(bytes.length / 2 / 4096) * 4096;
	writeFileSync(path, bytes.fill('garbage ', middle, middle + 4096), {flag: 'r+'});
}

test('a whole file is whole, also while it is written to, and its clean stop is recorded', async () => {
	const path = await filled();
	const storage = openStorage(path);
	const run = sampleRun({id: 'later', eventId: ''});
	const checked = checkFile({...quick, path, signal: neverAborted()});
	await storage.run([{name: 'queueRun', args: [queuedColumns(run)], now: 1}]);
	expect(await checked).toMatchObject({kind: 'intact', tables: expect.any(Number)});
	await storage.close();
	expect(readFileSync(path)[18]).toBe(1);
});

test('a broken page that nobody reads is found, and the table is named', async () => {
	const path = await filled();
	breakPage(path);
	const found = await checkFile({...quick, path, signal: neverAborted()});
	expect(found).toMatchObject({kind: 'damaged', detail: expect.stringContaining('table runs')});
});

test('a broken index is found where all is read', async () => {
	const path = await filled();
	breakIndex(path);
	const check = (depth: 'quick' | 'full') => checkFile({clock, path, depth, use: 'unused', signal: neverAborted()});
	expect((await check('quick')).kind).toBe('intact');
	expect(await check('full')).toMatchObject({
		kind: 'damaged',
		detail: expect.stringContaining('runs_by_end'),
	});
});

test('garbage is damage, and a file that is not there is none', async () => {
	const path = join(temporaryDirectory(), 'journal.db');
	const check = () => checkFile({...quick, path, signal: neverAborted()});
	expect(await check()).toMatchObject({kind: 'failed'});
	writeFileSync(path, 'garbage '.repeat(5000));
	expect(await check()).toMatchObject({kind: 'damaged'});
});

test('a check that hangs ends when it is broken off, and so does one that is broken off before', async () => {
	const path = join(temporaryDirectory(), 'journal.db');
	execFileSync('mkfifo', [path]);
	const ending = new AbortController();
	onTestFinished(() => ending.abort());
	let state = 'checking';
	const checked = checkFile({...quick, path, signal: ending.signal}).finally(() => (state = 'over'));
	// A disk that hangs: the subject is that nothing happens, which only time shows.
	await new Promise(resolve => setTimeout(resolve, 500));
	expect(state).toBe('checking');
	ending.abort();
	expect(await checked).toEqual({kind: 'partly', tables: 0});
	expect(await checkFile({...quick, path, signal: ending.signal})).toEqual({kind: 'partly', tables: 0});
});

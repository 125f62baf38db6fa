import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {checkUnusedJournal, openJournalReader} from '../../../source/journal/sqlite/inspect-journal.ts';
import {openJournal} from '../../../source/journal/open-journal.ts';
import {breakIndex} from '../../helpers/broken-index.ts';
import {acceptRun, sampleRun} from '../../helpers/journal-records.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {stateDirectory} from '../../helpers/sluice.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

async function writtenJournal(path = join(temporaryDirectory(), 'journal.db')): Promise<string> {
	const journal = openJournal({path, clock: systemClock, limits: () => ({maxAgeDays: 30, maxBytes: 1_000_000})});
	await acceptRun(journal, sampleRun({id: 'a'}));
	await journal.close();
	return path;
}

test('a journal is read without a trace in its folder', async () => {
	const path = await writtenJournal();
	const before = readFileSync(path);
	const files = readdirSync(join(path, '..'));
	const reader = openJournalReader(path);
	expect(await reader?.listEvents({limit: 10})).toHaveLength(1);
	expect(await reader?.findEvent('none')).toBeUndefined();
	await reader?.close();
	expect(readdirSync(join(path, '..'))).toEqual(files);
	expect(readFileSync(path)).toEqual(before);
});

test.each([undefined, ''])('a file with %j is none yet', text => {
	const path = join(temporaryDirectory(), 'journal.db');
	if (text !== undefined) {
		writeFileSync(path, text);
	}

	expect(openJournalReader(path)).toBeUndefined();
});

test.each([undefined, ''])('a file with %j beside the log of an older one is damaged', text => {
	const path = join(temporaryDirectory(), 'journal.db');
	writeFileSync(`${path}-wal`, 'written last');
	if (text !== undefined) {
		writeFileSync(path, text);
	}

	expect(() => openJournalReader(path)).toThrow(expect.objectContaining({code: 'storage_unavailable'}));
});

test('garbage, and a page that is damaged, are refused', async () => {
	const path = await writtenJournal();
	const whole = readFileSync(path);
	expect(openJournalReader(path)).toBeDefined();
	for (const damaged of [
		Buffer.alloc(8192, 'x'),
		Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 7)]),
	]) {
		writeFileSync(path, damaged);
		expect(() => openJournalReader(path)).toThrow(expect.objectContaining({code: 'storage_unavailable'}));
	}
});

test('a journal that nobody uses is read whole, indexes included, as long as there is time', async () => {
	const path = await writtenJournal();
	const check = (signal = neverAborted()) => checkUnusedJournal(path, systemClock, signal);
	expect(await check()).toBe('intact');
	expect(await check(AbortSignal.abort())).toBe('partly');
	writeFileSync(`${path}-wal`, 'of a process that was killed');
	expect(await check()).toBe('unchecked');
	rmSync(`${path}-wal`);
	breakIndex(path);
	await expect(check()).rejects.toMatchObject({
		code: 'storage_unavailable',
		message: expect.stringContaining('The journal is damaged'),
		detail: expect.stringContaining('runs_by_end'),
	});
	expect(readdirSync(join(path, '..'))).toEqual(['journal.db']);
});

test('doctor says that an index is damaged, and nothing of one that is whole', async () => {
	const home = stateDirectory({});
	const path = await writtenJournal(join(home, 'journal.db'));
	const found = async () => {
		const {stdout} = await runSluice({home}, 'doctor', '--json');
		const all = JSON.parse(stdout) as ReadonlyArray<{readonly check: string}>;
		return all.filter(({check}) => check === 'journal');
	};
	expect(await found()).toEqual([]);
	breakIndex(path);
	expect(await found()).toMatchObject([
		{
			level: 'error',
			message: expect.stringContaining('The journal is damaged'),
			remedy: expect.stringContaining('Restore'),
		},
	]);
});

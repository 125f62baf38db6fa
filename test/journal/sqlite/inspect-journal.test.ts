import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openJournalReader} from '../../../source/journal/sqlite/inspect-journal.ts';
import {openJournal} from '../../../source/journal/open-journal.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

async function writtenJournal(): Promise<string> {
	const path = join(temporaryDirectory(), 'journal.db');
	const journal = openJournal({path, clock: systemClock, limits: () => ({maxAgeDays: 30, maxBytes: 1_000_000})});
	await journal.close();
	return path;
}

test('a journal is read without a trace in its folder', async () => {
	const path = await writtenJournal();
	const before = readFileSync(path);
	const files = readdirSync(join(path, '..'));
	const reader = openJournalReader(path);
	expect(await reader?.listEvents({limit: 10})).toEqual([]);
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

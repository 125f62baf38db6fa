import {setImmediate as nextTurn} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {openJournalAnywhere} from '../../../source/journal/open-journal.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {journalLimits, sampleRun} from '../../helpers/journal-records.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';

describe.runIf(hasPostgres)('a read of a journal on PostgreSQL', () => {
	test('waits for the writes before it, and not for those that follow', async () => {
		const journal = await openJournalAnywhere({
			...(await newPostgresPlace()),
			clock: createFakeClock(),
			limits: journalLimits({}),
		});
		onTestFinished(() => journal.close());
		const run = sampleRun();
		// The connection of reads is there then.
		await journal.findRun(run.id);
		const writes = [journal.queueRun(run)];
		const read: string[] = [];
		void journal.findRun(run.id).then(found => read.push(found?.state ?? 'none'));
		// The next write is there before the one before it is on disk.
		while (read.length === 0 && writes.length < 20_000) {
			writes.push(journal.setRunState('another', 'failed'));
			await nextTurn();
		}

		expect(read).toEqual(['queued']);
		await Promise.all(writes);
	});
});

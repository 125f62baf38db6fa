import {expect, test} from 'vitest';
import {createInbox} from '../../source/runs/inbox.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, openTestJournal, sampleRun} from '../helpers/journal-records.ts';
import {recordEvents} from '../helpers/record-events.ts';

test('a run that was taken stays in the inbox when the process is killed before it could tell', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	await acceptRun(journal, sampleRun({id: 'a'}));
	await createInbox({journal, publish: recordEvents().publish}).take();
	await journal.interruptBegunRuns();
	expect(journal.findRun('a')).toMatchObject({state: 'inbox', reason: 'no model configured'});
});

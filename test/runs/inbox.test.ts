import {expect, test} from 'vitest';
import {createTakeRuns} from '../../source/runs/take-runs.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, openTestJournal, sampleRun} from '../helpers/journal-records.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {fakeAgent} from './fake-agent.ts';

test('a run that was taken stays in the inbox when the process is killed before it could tell', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	await acceptRun(journal, sampleRun({id: 'a'}));
	const {publish} = recordEvents();
	const profileOf = () => ({publish, agent: fakeAgent()});
	const take = createTakeRuns({journal, profileOf, deliveryReady: async () => undefined});
	await take(1, {signal: neverAborted()});
	await journal.interruptBegunRuns();
	expect(journal.findRun('a')).toMatchObject({state: 'inbox', reason: 'no model configured'});
});

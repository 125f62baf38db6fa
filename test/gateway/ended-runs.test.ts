import {join} from 'node:path';
import {expect, test} from 'vitest';
import {systemClock} from '../../source/util/clock.ts';
import {openTestJournal, sampleRun} from '../helpers/journal-records.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

test('runs that ended before the start are shown, and are no news for the log and the counters; one that is interrupted by it is', async () => {
	const home = temporaryDirectory();
	const journal = openTestJournal({path: join(home, 'journal.db'), clock: systemClock});
	for (const id of ['ended', 'begun', 'waiting']) {
		await journal.queueRun(sampleRun({id, eventId: ''}));
	}

	await journal.moveQueuedRuns(['ended', 'begun'], {state: 'running'});
	await journal.moveQueuedRuns(['waiting'], {state: 'inbox'});
	await journal.finishRun('ended', {state: 'finished', result: {}});
	await journal.close();

	const {events, snapshot} = await runGateway('', home);
	const shown = () => snapshot().runs.map(({runId, state}) => `${runId} ${state}`);
	await expect.poll(shown).toEqual(expect.arrayContaining(['ended finished', 'begun interrupted', 'waiting inbox']));
	const heard = events.flatMap(event => (event.type === 'run.state' ? `${event.runId} ${event.state}` : []));
	expect(new Set(heard)).toEqual(new Set(['begun interrupted', 'waiting inbox']));
});

import {expect, test} from 'vitest';
import {type AnswerRecord} from '../../source/journal/journal.ts';
import {resumeAnswers} from '../../source/runs/run-answers.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal, sampleRun} from '../helpers/journal-records.ts';

test('the end of a run is published in its own profile', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	await journal.queueRun(sampleRun({id: 'run-1', profile: 'work'}));
	await journal.setRunState('run-1', 'interrupted');
	const told: Array<{readonly profile: string | undefined; readonly event: GatewayEventBody}> = [];
	const answer: AnswerRecord = {
		id: 'answer-1',
		target: 'telegram',
		text: 'All good',
		extra: {},
		deliveryId: 'delivery-1',
		route: 'github',
		eventId: 'event-1',
		runId: 'run-1',
	};
	await resumeAnswers(
		{uncertain: [], pending: [answer]},
		{
			outbox: {resume: async (_left, settled) => settled(answer, {kind: 'delivered', target: 'telegram'})},
			journal,
			publishOf: profile => event => void told.push({profile, event}),
		},
	);
	expect(told).toMatchObject([{profile: 'work', event: {type: 'run.state', runId: 'run-1', state: 'finished'}}]);
});

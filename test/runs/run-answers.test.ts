import {expect, test} from 'vitest';
import {type AnswerRecord} from '../../source/journal/journal.ts';
import {resumeAnswers} from '../../source/runs/run-answers.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal, sampleRun} from '../helpers/journal-records.ts';

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

test('the end of a run is published in its own profile', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	await journal.queueRun(sampleRun({id: 'run-1', profile: 'work'}));
	await journal.setRunState('run-1', 'interrupted');
	const told: Array<{readonly profile: string | undefined; readonly event: GatewayEventBody}> = [];
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

test.each([false, true])(
	'an inbox item whose answer arrived is closed, unless it has another end: %s',
	async isEnded => {
		const journal = openTestJournal({clock: createFakeClock()});
		await journal.queueRun(sampleRun({id: 'run-1'}));
		await journal.moveQueuedRuns(['run-1'], {state: 'inbox'});
		const events: GatewayEventBody[] = [];
		const other = {state: 'finished', reason: 'closed by a person', result: {}} as const;
		await resumeAnswers(
			{uncertain: [], pending: [answer]},
			{
				outbox: {resume: async (_left, settled) => settled(answer, {kind: 'delivered', target: 'telegram'})},
				journal: {
					...journal,
					async findRun(id) {
						const run = await journal.findRun(id);
						await (isEnded && journal.finishRun(id, other));
						return run;
					},
				},
				publishOf: () => event => void events.push(event),
			},
		);
		const closed = {state: 'finished', reason: 'delivered after a restart', result: {answer: 'All good'}};
		expect(await journal.findRun('run-1')).toMatchObject(isEnded ? other : closed);
		expect(events).toMatchObject(isEnded ? [] : [{state: 'finished', answer: 'All good'}]);
	},
);

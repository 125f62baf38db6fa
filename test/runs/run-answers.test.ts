import {expect, test} from 'vitest';
import {type DeliveryResult} from '../../source/delivery/deliver.ts';
import {type OutgoingMessage, type Journal} from '../../source/journal/journal.ts';
import {createOutbox} from '../../source/runs/outbox.ts';
import {resumeAnswers} from '../../source/runs/run-answers.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal, sampleRun} from '../helpers/journal-records.ts';
import {done, failed} from './outbox-fixture.ts';

const answer: OutgoingMessage = {
	id: 'answer-1',
	target: 'telegram',
	text: 'All good',
	extra: {},
	deliveryId: 'delivery-1',
	route: 'github',
	eventId: 'event-1',
	runId: 'run-1',
};

/** Sends the answer that an earlier process left, and says what was published. */
async function resume(journal: Journal, send: () => Promise<DeliveryResult>) {
	const told: Array<{readonly profile: string | undefined; readonly event: GatewayEventBody}> = [];
	const publishOf = (profile?: string) => (event: GatewayEventBody) => void told.push({profile, event});
	const clock = createFakeClock();
	const outbox = createOutbox({journal, clock, publishOf, redact: text => text, deliver: send});
	await journal.persistMessages([answer], 'pending');
	await resumeAnswers(await outbox.leftBehind(), {outbox, journal, publishOf});
	return told;
}

test.each([
	{result: done, end: {state: 'finished', reason: 'delivered after a restart'}},
	{result: failed, end: {state: 'failed', reason: 'Delivery failed'}},
])('the end of a run whose answer was $result.kind is published in its own profile', async ({result, end}) => {
	const journal = openTestJournal({clock: createFakeClock()});
	await journal.queueRun(sampleRun({id: 'run-1', profile: 'work'}));
	await journal.setRunState('run-1', 'interrupted');
	expect(await resume(journal, async () => result)).toMatchObject([
		{profile: 'work', event: {type: 'run.state', runId: 'run-1', ...end}},
	]);
	expect(await journal.findRun('run-1')).toMatchObject(end);
});

test.each([false, true])(
	'an inbox item whose answer arrived is closed, unless it has another end: %s',
	async isEnded => {
		const journal = openTestJournal({clock: createFakeClock()});
		await journal.queueRun(sampleRun({id: 'run-1'}));
		await journal.moveQueuedRuns(['run-1'], {state: 'inbox'});
		const other = {state: 'finished', reason: 'closed by a person', result: {}} as const;
		const told = await resume(journal, async () => {
			await (isEnded && journal.finishRun('run-1', other));
			return done;
		});
		const closed = {state: 'finished', reason: 'delivered after a restart', result: {answer: 'All good'}};
		expect(await journal.findRun('run-1')).toMatchObject(isEnded ? other : closed);
		expect(told).toMatchObject(isEnded ? [] : [{event: {state: 'finished', answer: 'All good'}}]);
	},
);

test('an inbox item whose answer was not delivered after a restart says why it is open', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	await journal.queueRun(sampleRun({id: 'run-1'}));
	await journal.moveQueuedRuns(['run-1'], {state: 'inbox'});
	const open = {state: 'inbox', reason: 'Delivery failed'};
	expect(await resume(journal, async () => failed)).toMatchObject([{event: open}]);
	expect(await journal.findRun('run-1')).toMatchObject(open);
});

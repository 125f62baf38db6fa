import {expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {openSlackCommands} from '../simulators/callers/slack-command.ts';
import {answeringRoute, openAnswers} from './open-answers.ts';

/** Two gateways on one journal: the first has the request, the second takes the run. */
async function openTwo() {
	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	const slack = await openSlackCommands();
	const both = {clock, journal, isShared: () => true, places: [slack.later]};
	const first = await openAnswers({...both, routes: [answeringRoute('slack', {})], takesRuns: false});
	const second = await openAnswers({...both, routes: []});
	const seen = slack.type(`${first.url}/webhooks/slack`, {at: clock.now()});
	await expect.poll(async () => (await journal.listRuns({limit: 1})).length).toBe(1);
	second.runs.wake();
	await expect.poll(() => second.asked.length).toBe(1);
	const [run] = second.asked;
	return {clock, slack, first, second, seen, run};
}

test('a result that another gateway wrote is the answer while the request waits', async () => {
	const {clock, slack, first, seen, run} = await openTwo();
	run?.answer('Sunny');
	await expect.poll(first.messages).toMatchObject([{target: 'caller', state: 'pending'}, {target: 'log'}]);
	await clock.advance(250);
	expect(await seen).toBe('Sunny');
	await expect.poll(first.messages).toMatchObject([
		{target: 'caller', state: 'sent'},
		{target: 'log', state: 'sent'},
	]);
	await clock.advance(60_000);
	expect(slack.later.received).toEqual([]);
});

test('a later one is sent by the gateway that wrote it', async () => {
	const {clock, slack, first, second, seen, run} = await openTwo();
	await clock.advance(2500);
	expect(await seen).toBe('');
	run?.answer('Sunny');
	await clock.advance(1000);
	await expect.poll(() => slack.later.received.map(({body}) => body)).toEqual(['{"text":"Sunny"}']);
	expect([(await first.addresses()).length, (await second.addresses()).length]).toEqual([0, 1]);
});

import {describe, expect, test} from 'vitest';
import {createInboxStatus} from '../../source/runs/inbox.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, openTestJournal, sampleRun, takeRun} from '../helpers/journal-records.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {fakeAgent} from './fake-agent.ts';

/** A list and one new item, whose tools are told by `tools`. */
async function openItem() {
	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	const run = sampleRun({id: 'a'});
	await acceptRun(journal, run);
	await takeRun(journal, {state: 'inbox', reason: 'no model configured'});
	const {publish, events, ofType} = recordEvents();
	const tools = Promise.withResolvers<readonly string[]>();
	const agent = {...fakeAgent(), allowedTools: () => tools.promise};
	const inboxStatus = createInboxStatus({journal, clock, profileOf: () => ({publish, agent})});
	const shown = () => ofType('run.state').map(({state, prompt, allowedTools}) => ({state, prompt, allowedTools}));
	return {clock, journal, inboxStatus, run, tools, shown, events};
}

describe('a new item', () => {
	const {prompt} = sampleRun();

	test('whose tools are known at once is told in one word', async () => {
		const {clock, inboxStatus, run, tools, shown} = await openItem();
		tools.resolve(['web_search']);
		inboxStatus.show([run]);
		await clock.settle();
		expect(shown()).toEqual([{state: 'inbox', prompt, allowedTools: ['web_search']}]);
	});

	test('whose tools are known later is told without them, and then with them', async () => {
		const {clock, inboxStatus, run, tools, shown} = await openItem();
		inboxStatus.show([run]);
		await clock.settle();
		expect(shown()).toEqual([{state: 'inbox', prompt, allowedTools: undefined}]);
		tools.resolve(['web_search']);
		await clock.settle();
		expect(shown().slice(1)).toEqual([{state: 'inbox', prompt: undefined, allowedTools: ['web_search']}]);
	});

	test('for which there are no tools is told once', async () => {
		const {clock, inboxStatus, run, tools, shown} = await openItem();
		tools.resolve([]);
		inboxStatus.show([run]);
		await clock.settle();
		expect(shown()).toEqual([{state: 'inbox', prompt, allowedTools: undefined}]);
	});

	test('that is closed before its tools are known does not come back', async () => {
		const {clock, journal, inboxStatus, run, tools, shown} = await openItem();
		inboxStatus.show([run]);
		await clock.settle();
		await journal.setRunState('a', 'finished');
		tools.resolve(['web_search']);
		await clock.settle();
		expect(shown()).toHaveLength(1);
	});

	test('whose tools cannot be told is shown all the same, and the log says why', async () => {
		const {clock, inboxStatus, run, tools, events} = await openItem();
		tools.reject(new Error('no catalogue'));
		inboxStatus.show([run]);
		await clock.settle();
		expect(events).toMatchObject([
			{type: 'run.state', state: 'inbox', prompt},
			{type: 'log', level: 'error', text: 'run a: no catalogue'},
		]);
	});

	test('that is closed in the turn in which it appears is not told as open', async () => {
		const {clock, journal, inboxStatus, run, shown} = await openItem();
		const closed = journal.setRunState('a', 'finished');
		inboxStatus.show([run]);
		await closed;
		await clock.settle();
		expect(shown()).toEqual([]);
	});
});

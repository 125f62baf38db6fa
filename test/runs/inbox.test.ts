import {describe, expect, test} from 'vitest';
import {createInbox, noModel} from '../../source/runs/inbox.ts';
import {createTakeRuns} from '../../source/runs/take-runs.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, openTestJournal, sampleRun, takeRun} from '../helpers/journal-records.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {fakeAgent} from './fake-agent.ts';

/** An inbox and one new item, whose tools are those that `tools` resolves with. */
async function openItem() {
	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	const run = sampleRun({id: 'a'});
	await acceptRun(journal, run);
	await takeRun(journal, {state: 'inbox', reason: 'no model configured'});
	const {publish, events, ofType} = recordEvents();
	const tools = Promise.withResolvers<readonly string[]>();
	const agent = {...fakeAgent(), allowedTools: () => tools.promise};
	const inbox = createInbox({
		journal,
		clock,
		deliverAnswer: async () => ({kind: 'shown'}),
		profileOf: () => ({publish, agent}),
	});
	const shown = () => ofType('run.state').map(({state, prompt, allowedTools}) => ({state, prompt, allowedTools}));
	return {clock, journal, inbox, run, tools, shown, events};
}

describe('a new item', () => {
	const {prompt} = sampleRun();

	test('whose tools are known at once is published in one event', async () => {
		const {clock, inbox, run, tools, shown} = await openItem();
		tools.resolve(['web_search']);
		inbox.show([{run, reason: noModel}]);
		await clock.settle();
		expect(shown()).toEqual([{state: 'inbox', prompt, allowedTools: ['web_search']}]);
	});

	test('whose tools are known later is published without them, and then with them', async () => {
		const {clock, inbox, run, tools, shown} = await openItem();
		inbox.show([{run, reason: noModel}]);
		await clock.settle();
		expect(shown()).toEqual([{state: 'inbox', prompt, allowedTools: undefined}]);
		tools.resolve(['web_search']);
		await clock.settle();
		expect(shown().slice(1)).toEqual([{state: 'inbox', prompt: undefined, allowedTools: ['web_search']}]);
	});

	test('without tools is published once', async () => {
		const {clock, inbox, run, tools, shown} = await openItem();
		tools.resolve([]);
		inbox.show([{run, reason: noModel}]);
		await clock.settle();
		expect(shown()).toEqual([{state: 'inbox', prompt, allowedTools: undefined}]);
	});

	test('that is closed before its tools are known does not come back', async () => {
		const {clock, journal, inbox, run, tools, shown} = await openItem();
		inbox.show([{run, reason: noModel}]);
		await clock.settle();
		await journal.setRunState('a', 'finished');
		tools.resolve(['web_search']);
		await clock.settle();
		expect(shown()).toHaveLength(1);
	});

	test('whose tools cannot be listed is shown nevertheless, and the log says why', async () => {
		const {clock, inbox, run, tools, events} = await openItem();
		tools.reject(new Error('no catalogue'));
		inbox.show([{run, reason: noModel}]);
		await clock.settle();
		expect(events).toMatchObject([
			{type: 'run.state', state: 'inbox', prompt},
			{type: 'log', level: 'error', text: 'run a: no catalogue'},
		]);
	});

	test('that is closed in the turn in which it appears is not published as open', async () => {
		const {clock, journal, inbox, run, shown} = await openItem();
		const closed = journal.setRunState('a', 'finished');
		inbox.show([{run, reason: noModel}]);
		await closed;
		await clock.settle();
		expect(shown()).toEqual([]);
	});
});

test('an item that is answered at another gateway is not answered here, and one that could not be delivered is given back', async () => {
	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	await acceptRun(journal, sampleRun({id: 'a'}));
	await takeRun(journal, {state: 'inbox'});
	const sent: string[] = [];
	const released: string[] = [];
	let isElsewhere = true;
	const inbox = createInbox({
		journal: {
			...journal,
			claimInboxItem: async () => !isElsewhere,
			releaseInboxItem: id => void released.push(id),
		},
		clock,
		async deliverAnswer(_, text) {
			sent.push(text);
			return sent.length === 1 ? {kind: 'failed', reason: 'no'} : {kind: 'delivered'};
		},
		profileOf: () => ({publish: recordEvents().publish, agent: fakeAgent()}),
	});
	const refusal = {code: 'unknown_run', message: 'The inbox item is already being answered or closed a'};
	await expect(inbox.answer('a', 'one')).rejects.toMatchObject(refusal);
	await expect(inbox.close('a')).rejects.toMatchObject(refusal);
	expect([sent, (await journal.findRun('a'))?.state]).toEqual([[], 'inbox']);

	isElsewhere = false;
	expect([await inbox.answer('a', 'two'), released]).toEqual(['the answer was not delivered: no', ['a']]);
	expect([await inbox.answer('a', 'three'), released, sent]).toEqual([undefined, ['a'], ['two', 'three']]);
	expect((await journal.findRun('a'))?.state).toBe('finished');
});

test('an item that somebody ended elsewhere, while this gateway counted as dead, is shown as it ended there', async () => {
	const {clock, journal, run} = await openItem();
	const {publish, ofType} = recordEvents();
	const inbox = createInbox({
		journal: {
			...journal,
			async finishRun(id, end) {
				await journal.finishRun(id, {...end, reason: 'closed elsewhere', result: {}});
				return false;
			},
		},
		clock,
		deliverAnswer: async () => ({kind: 'shown'}),
		profileOf: () => ({publish, agent: fakeAgent()}),
	});
	expect(await inbox.answer(run.id, 'Yes')).toBeUndefined();
	const [shown, ...others] = ofType('run.state');
	expect([shown?.state, shown?.reason, shown?.answer, others]).toEqual(['finished', 'closed elsewhere', undefined, []]);
});

test('an item whose answer could not be delivered, and that was ended elsewhere meanwhile, is not shown as open', async () => {
	const {clock, journal, run} = await openItem();
	const {publish, ofType} = recordEvents();
	const inbox = createInbox({
		journal,
		clock,
		async deliverAnswer({id}) {
			await journal.finishRun(id, {state: 'finished', reason: 'closed elsewhere', result: {}});
			return {kind: 'failed', reason: 'no'};
		},
		profileOf: () => ({publish, agent: fakeAgent()}),
	});
	expect(await inbox.answer(run.id, 'Yes')).toBe('the answer was not delivered: no');
	expect(ofType('run.state').map(({state, reason}) => [state, reason])).toEqual([['finished', 'closed elsewhere']]);
});

test('a run that was parked stays in the inbox when the process is killed before it was published', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	await acceptRun(journal, sampleRun({id: 'a'}));
	const {publish} = recordEvents();
	const profileOf = () => ({publish, agent: fakeAgent()});
	const take = createTakeRuns({
		journal,
		profileOf,
		deliveryReady: async () => undefined,
		parkable: {scan: async () => []},
		mayHaveModelElsewhere: () => false,
		isHeld: () => false,
	});
	await take(1, {signal: neverAborted()});
	await journal.interruptBegunRuns();
	expect(await journal.findRun('a')).toMatchObject({state: 'inbox', reason: 'no model configured'});
});

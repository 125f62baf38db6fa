import {describe, expect, test} from 'vitest';
import {type AnswerOptions} from '../../source/agent/run-task.ts';
import {type RunRecord} from '../../source/journal/journal.ts';
import {createRuns} from '../../source/runs/runs.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, openTestJournal, sampleRun} from '../helpers/journal-records.ts';
import {openLogDelivery} from '../helpers/log-delivery.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {fakeAgent, type FakeAnswer} from './fake-agent.ts';
import {to} from '../helpers/destinations.ts';

/** Runs with a model that answers so, or none, and what they did. */
function openRuns(answer?: FakeAnswer) {
	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	const recorded = recordEvents();
	const {publish, ofType} = recorded;
	const asked: Array<RunRecord & Pick<AnswerOptions, 'history' | 'payload'>> = [];
	const agent = fakeAgent(
		answer &&
			((run, options) => {
				asked.push({...run, history: options.history, payload: options.payload});
				return answer(run, options);
			}),
	);
	const deliver = openLogDelivery({clock, publish});
	const profileOf = () => ({publish, agent});
	const runs = createRuns({
		journal,
		clock,
		publish,
		deliver,
		limits: () => ({maxRunning: 1, maxWaiting: 100}),
		isHeld: () => false,
		profileOf,
		payloadOf: async eventId => (eventId === '' ? undefined : `payload of ${eventId}`),
	});
	const accept = async (run: RunRecord) => {
		await acceptRun(journal, run);
		runs.wake();
		await clock.settle();
	};

	const delivered = () =>
		ofType('log')
			.filter(event => event.area === 'delivery')
			.map(event => event.text);
	return {clock, journal, runs, asked, accept, delivered, settle: clock.settle, ...recorded};
}

/** Waits for the signal, as a model does that has much to say. */
const endless: FakeAnswer = (_, {signal}) =>
	new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('a run of a person', () => {
	test('is answered, shown and delivered nowhere', async () => {
		const {runs, journal, asked, ofType, settle} = openRuns(async () => 'Done.');
		await runs.controller.start('Tidy up', 'default');
		await settle();
		const id = asked[0]?.id ?? '';
		expect(await journal.findRun(id)).toMatchObject({state: 'finished', prompt: 'Tidy up', result: {answer: 'Done.'}});
		expect(ofType('run.state').map(event => [event.state, event.answer])).toEqual([
			['queued', undefined],
			['running', undefined],
			['finished', 'Done.'],
		]);
		expect(ofType('delivery.settled')).toEqual([]);
	});

	test.each(['', '  \n', 'x'.repeat(200_001)])('without words, or with too many, is refused', async prompt => {
		const {runs, events} = openRuns(async () => 'Done.');
		await expect(runs.controller.start(prompt, 'default')).rejects.toMatchObject({code: 'unknown_run'});
		expect(events).toEqual([]);
	});

	test('without a model waits in the inbox with the tools that may be called', async () => {
		const {runs, ofType, settle} = openRuns();
		await runs.controller.start('Tidy up', 'default');
		await settle();
		expect(ofType('run.state').at(-1)).toMatchObject({
			state: 'inbox',
			allowedTools: ['web_search', 'mcp__files__read'],
		});
	});
});

describe('a follow-up', () => {
	test('goes on with the conversation, with the same tools, and is not delivered', async () => {
		const {runs, asked, accept, delivered, ofType, settle} = openRuns(async () => 'Done.');
		await accept(
			sampleRun({id: 'a', eventId: 'event-a', toolsets: ['files'], skills: ['tone'], signature: 'X-Gitlab-Token'}),
		);
		await runs.controller.followUp('a', 'And now?');
		await settle();
		expect(asked[1]).toMatchObject({
			payload: 'payload of event-a',
			prompt: 'And now?',
			route: 'github',
			signature: 'X-Gitlab-Token',
			toolsets: ['files'],
			skills: ['tone'],
			conversation: 'a',
			deliver: [],
			history: '[{"role":"assistant","content":"Done."}]',
		});
		expect(delivered()).toHaveLength(1);
		await runs.controller.followUp(asked[1]?.id ?? '', 'And then?');
		await settle();
		expect(asked[2]).toMatchObject({eventId: '', payload: 'payload of event-a'});
		expect(ofType('run.state').find(event => event.conversation === 'a')).toMatchObject({state: 'queued'});
	});

	test('of a run that came to no answer says its prompt again, with the words of outsiders still marked', async () => {
		let isFirst = true;
		const {runs, asked, accept, settle} = openRuns(async () => {
			if (isFirst) {
				isFirst = false;
				throw new Error('broken');
			}

			return 'Done.';
		});
		await accept(sampleRun({id: 'a', prompt: 'Look at main', foreign: [[8, 12]]}));
		await runs.controller.followUp('a', 'Again');
		await settle();
		expect(asked[1]).toMatchObject({prompt: 'Look at main\n\nAgain', foreign: [[8, 12]], history: undefined});
	});

	test.each(['queued', 'running', 'inbox'] as const)('of a run that is %s is refused', async state => {
		const {runs, journal, asked} = openRuns(async () => 'Done.');
		await acceptRun(journal, sampleRun({id: 'a'}));
		await journal.setRunState('a', state);
		await expect(runs.controller.followUp('a', 'And now?')).rejects.toMatchObject({code: 'unknown_run'});
		expect(asked).toEqual([]);
	});
});

describe('cancelling', () => {
	test('a run under way ends it, and nothing is delivered', async () => {
		const {runs, journal, accept, delivered, settle} = openRuns(endless);
		await accept(sampleRun({id: 'a'}));
		await runs.controller.cancel('a');
		await settle();
		expect(await journal.findRun('a')).toMatchObject({state: 'cancelled', reason: 'cancelled by a person'});
		expect(delivered()).toEqual([]);
	});

	test('a run that waits for its turn takes it out of the queue', async () => {
		const {runs, journal, accept, asked, ofType, settle} = openRuns(endless);
		await accept(sampleRun({id: 'a'}));
		await accept(sampleRun({id: 'b'}));
		await runs.controller.cancel('b');
		await runs.controller.cancel('a');
		await settle();
		expect(asked.map(run => run.id)).toEqual(['a']);
		expect(await journal.findRun('b')).toMatchObject({state: 'cancelled'});
		expect(ofType('run.state').filter(event => event.runId === 'b')).toMatchObject([{state: 'cancelled'}]);
	});

	test('a run that is over is refused', async () => {
		const {runs, accept} = openRuns(async () => 'Done.');
		await accept(sampleRun({id: 'a'}));
		await expect(runs.controller.cancel('a')).rejects.toMatchObject({code: 'unknown_run'});
	});
});

describe('answering an inbox item', () => {
	test('delivers the words of the person and closes it', async () => {
		const {runs, journal, accept, delivered, ofType} = openRuns();
		await accept(sampleRun({id: 'a'}));
		await runs.inbox.answer('a', 'I looked: fine');
		expect(delivered()).toEqual(['github: I looked: fine']);
		expect(await journal.findRun('a')).toMatchObject({
			state: 'finished',
			reason: 'answered by a person',
			result: {answer: 'I looked: fine'},
		});
		expect(ofType('run.state').at(-1)).toMatchObject({state: 'finished', answer: 'I looked: fine'});
	});

	test('with [SILENT] delivers nothing and closes it', async () => {
		const {runs, journal, accept, delivered} = openRuns();
		await accept(sampleRun({id: 'a'}));
		await runs.inbox.answer('a', ' [SILENT]\n');
		expect([delivered(), (await journal.findRun('a'))?.state]).toEqual([[], 'finished']);
	});

	test('twice at once delivers once', async () => {
		const {runs, accept, delivered} = openRuns();
		await accept(sampleRun({id: 'a'}));
		const answers = await Promise.allSettled([runs.inbox.answer('a', 'one'), runs.inbox.answer('a', 'two')]);
		expect(answers.map(answer => answer.status)).toEqual(['fulfilled', 'rejected']);
		expect(delivered()).toEqual(['github: one']);
	});

	test('that cannot be delivered leaves it there and says why', async () => {
		const {runs, journal, accept, ofType} = openRuns();
		await accept(sampleRun({id: 'a', deliver: to('nowhere')}));
		await runs.inbox.answer('a', 'fine');
		expect((await journal.findRun('a'))?.state).toBe('inbox');
		expect(ofType('run.state').at(-1)?.reason).toMatch(
			/^the answer was not delivered: "[^"]+" is not a known delivery target/u,
		);
	});
});

test('an answer of [SILENT] is not delivered', async () => {
	const {journal, accept, delivered} = openRuns(async () => '[SILENT]');
	await accept(sampleRun({id: 'a'}));
	expect(delivered()).toEqual([]);
	expect(await journal.findRun('a')).toMatchObject({state: 'finished', reason: 'the model had nothing to deliver'});
});

test('a run publishes its model, its usage, what it waits for, its text and its steps', async () => {
	const step = {id: '1', tool: 'read', arguments: '{}', state: 'running'} as const;
	const usage = {inputTokens: 3, outputTokens: 4};
	const {journal, accept, settle, events} = openRuns(async (_, {report}) => {
		report({kind: 'model', model: 'openai/fake'});
		report({kind: 'waiting', waiting: 'approval'});
		report({kind: 'turn', turn: {number: 1, at: 5, model: 'openai/fake'}});
		report({kind: 'turn', turn: {number: 1, at: 5, model: 'openai/fake', end: {ms: 2, usage, microUsd: 7}}});
		// The turn is published once it is in the journal.
		await journal.findRun('a');
		report({kind: 'waiting', waiting: 'nothing'});
		report({kind: 'text', text: 'Well'});
		report({kind: 'step', step});
		return 'Done.';
	});
	await accept(sampleRun({id: 'a'}));
	await settle();
	const changes = events.flatMap(event =>
		event.type === 'run.state' ? [[event.state, event.model, event.waitingFor, event.usage?.outputTokens]] : [],
	);
	expect(changes.slice(1)).toEqual([
		['running', 'openai/fake', undefined, undefined],
		['running', 'openai/fake', 'approval', undefined],
		['running', 'openai/fake', 'approval', 4],
		['running', 'openai/fake', undefined, 4],
		['finished', 'openai/fake', undefined, 4],
	]);
	expect(events).toContainEqual({type: 'run.text', runId: 'a', text: 'Well'});
	expect(events).toContainEqual({type: 'run.step', runId: 'a', step});
	expect((await journal.findRun('a'))?.result).toEqual({
		model: 'openai/fake',
		turns: 1,
		usage,
		microUsd: 7,
		answer: 'Done.',
		startedAt: expect.any(Number),
	});
});

test('what came of a run is shown again after a start', async () => {
	const {runs, accept, ofType} = openRuns(async (_, {report}) => {
		report({kind: 'model', model: 'openai/fake'});
		return 'Done.';
	});
	await accept(sampleRun({id: 'a'}));
	await runs.start();
	expect(ofType('run.state').at(-1)).toMatchObject({state: 'finished', model: 'openai/fake', answer: 'Done.'});
});

import {describe, expect, test} from 'vitest';
import {type Journal} from '../../source/journal/journal.ts';
import {createRuns} from '../../source/runs/runs.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {type JournalEngine, journalEngines} from '../helpers/journal-engines.ts';
import {acceptRun, openTestJournal, sampleRun} from '../helpers/journal-records.ts';
import {openLogDelivery} from '../helpers/log-delivery.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {fakeAgent} from './fake-agent.ts';

/** Two places for models that answer when a test says so; profiles called `person …` have no model. */
async function openPlaces({
	open = async options => openTestJournal(options),
	...options
}: {
	readonly open?: JournalEngine['open'];
	readonly lacking?: (journal: Journal) => Partial<Journal>;
	readonly hasModel?: (profile: string) => boolean;
	readonly mayHaveModelElsewhere?: (profile: string) => boolean;
	readonly isHeld?: () => boolean;
} = {}) {
	const clock = createFakeClock();
	const journal = await open({clock});
	const {publish, ofType} = recordEvents();
	const answers: Array<() => void> = [];
	const looks: number[] = [];
	const used: Journal = {
		...journal,
		listQueuedRuns(query) {
			looks.push(query.after);
			return journal.listQueuedRuns(query);
		},
	};
	const answer = () => new Promise<string>(resolve => void answers.push(() => resolve('done')));
	const {hasModel = profile => !profile.startsWith('person'), mayHaveModelElsewhere} = options;
	const runs = createRuns({
		journal: {...used, ...options.lacking?.(used)},
		clock,
		publish,
		deliver: openLogDelivery({clock, publish}),
		limits: () => ({maxRunning: 2, maxWaiting: 100}),
		isHeld: options.isHeld ?? (() => false),
		mayHaveModelElsewhere,
		profileOf: profile => ({publish, agent: fakeAgent(hasModel(profile) ? answer : undefined)}),
	});
	const accept = async (id: string, profile: string) => {
		await acceptRun(journal, sampleRun({id, profile}));
		runs.wake(profile);
	};
	const inState = (state: string) =>
		ofType('run.state')
			.filter(event => event.state === state && event.prompt !== undefined)
			.map(({runId}) => runId);
	return {
		clock,
		journal,
		runs,
		accept,
		looks,
		/** The model of the oldest running run answers. */
		answerOne: () => answers.shift()?.(),
		inbox: () => inState('inbox'),
		begun: () => inState('running'),
		/** Expects these in the inbox, after the time in which as many are parked. */
		parked: (ids: readonly string[]) =>
			expect
				.poll(async () => {
					await clock.advance(20);
					return inState('inbox');
				})
				.toEqual(ids),
	};
}

const someIds = Array.from({length: 40}, (_, index) => `work-${index}`);

describe.each(journalEngines)('on $engine, while the models of other profiles work', ({open}) => {
	test('an event for a person is in the inbox at once, and no later run begins before an earlier one', async () => {
		const {accept, answerOne, begun, parked, journal} = await openPlaces({open});
		for (const id of someIds) {
			await accept(id, 'work');
		}

		await accept('one', 'person');
		await accept('two', 'person');
		await parked(['one', 'two']);
		expect([begun(), await journal.countWaitingRuns()]).toEqual([someIds.slice(0, 2), 38]);
		answerOne();
		await expect.poll(begun).toEqual(someIds.slice(0, 3));
		await accept('three', 'person');
		await parked(['one', 'two', 'three']);
	});

	test('events that a former start left behind theirs are in the inbox, too, oldest first', async () => {
		const {journal, runs, parked, begun} = await openPlaces({open});
		const people = Array.from({length: 50}, (_, index) => `one-${index}`);
		for (const id of someIds) {
			await acceptRun(journal, sampleRun({id, profile: 'work'}));
		}

		for (const id of people) {
			await acceptRun(journal, sampleRun({id, profile: 'person'}));
		}

		await runs.start();
		await expect.poll(begun).toEqual(someIds.slice(0, 2));
		await parked(people);
		expect(begun()).toEqual(someIds.slice(0, 2));
	});
});

describe('the queue', () => {
	test('is read for no event of a profile that has a model, and never twice for those of a person', async () => {
		const {accept, clock, looks, inbox} = await openPlaces();
		for (const id of someIds) {
			await accept(id, 'work');
		}

		await clock.settle();
		await accept('first', 'person');
		await expect.poll(inbox).toEqual(['first']);
		await clock.settle();
		const before = looks.length;
		for (let count = 0; count < 100; count++) {
			await accept(`more-${count}`, 'work');
			await clock.settle();
		}

		expect(looks.length).toBe(before);
		await accept('second', 'person');
		await expect.poll(inbox).toEqual(['first', 'second']);
		await expect.poll(() => looks.length).toBeGreaterThan(before);
		expect(looks.slice(before).every(after => after >= 41)).toBe(true);
	});

	test('is looked through again when a profile has lost its model', async () => {
		let hasModel = true;
		const {accept, clock, runs, inbox} = await openPlaces({
			hasModel: profile => profile === 'work' || hasModel,
		});
		await accept('work-1', 'work');
		await accept('work-2', 'work');
		await accept('other', 'other');
		await accept('another', 'other');
		await clock.settle();
		runs.wake();
		await clock.settle();
		expect(inbox()).toEqual([]);
		hasModel = false;
		runs.wake();
		await expect.poll(inbox).toEqual(['other', 'another']);
	});

	test('leaves what another gateway has a model for, until that one is gone', async () => {
		let isThere = true;
		const {accept, clock, runs, inbox} = await openPlaces({
			mayHaveModelElsewhere: profile => profile === 'person elsewhere' && isThere,
		});
		await accept('work-1', 'work');
		await accept('work-2', 'work');
		await accept('left', 'person elsewhere');
		await accept('mine', 'person');
		await expect.poll(inbox).toEqual(['mine']);
		runs.wake();
		await clock.settle();
		expect(inbox()).toEqual(['mine']);
		isThere = false;
		runs.wake();
		await expect.poll(inbox).toEqual(['mine', 'left']);
	});

	test('is looked through again after the journal could not be written', async () => {
		let fails = true;
		const {accept, clock, inbox, begun} = await openPlaces({
			lacking: journal => ({
				async moveQueuedRuns(ids, change) {
					if (change.state === 'inbox' && fails) {
						throw new Problem('storage_unavailable');
					}

					return journal.moveQueuedRuns(ids, change);
				},
			}),
		});
		await accept('work-1', 'work');
		await accept('work-2', 'work');
		await expect.poll(begun).toHaveLength(2);
		await accept('one', 'person');
		await expect.poll(() => clock.open()).toBeGreaterThan(0);
		await clock.settle();
		expect(inbox()).toEqual([]);
		fails = false;
		await clock.advance(5000);
		await expect.poll(inbox).toEqual(['one']);
	});

	test('is left as it is by a look during which a hold begins, until the release', async () => {
		let isHeld = false;
		let holdsAtLook = false;
		const {accept, clock, runs, inbox} = await openPlaces({
			isHeld: () => isHeld,
			lacking: journal => ({
				async listQueuedRuns(query) {
					const found = await journal.listQueuedRuns(query);
					isHeld = holdsAtLook;
					return found;
				},
			}),
		});
		await accept('work-1', 'work');
		await accept('work-2', 'work');
		await clock.settle();
		holdsAtLook = true;
		await accept('one', 'person');
		await expect.poll(() => isHeld).toBe(true);
		await clock.settle();
		expect(inbox()).toEqual([]);
		holdsAtLook = false;
		isHeld = false;
		runs.wake();
		await expect.poll(inbox).toEqual(['one']);
	});

	test('is scanned from its beginning when the numbers of pruned runs are given again', async () => {
		let pruned = 0;
		const {accept, clock, inbox} = await openPlaces({
			lacking: journal => ({
				async listQueuedRuns({after, ...query}) {
					const {runs, last} = await journal.listQueuedRuns({...query, after: after + pruned});
					return {runs, last: last - pruned};
				},
			}),
		});
		for (const id of ['work-1', 'work-2', 'work-3', 'work-4']) {
			await accept(id, 'work');
		}

		await accept('one', 'person');
		await expect.poll(inbox).toEqual(['one']);
		await clock.settle();
		pruned = 5;
		await accept('two', 'person');
		await expect.poll(inbox).toEqual(['one', 'two']);
	});
});

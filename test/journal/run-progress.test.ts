import {describe, expect, test} from 'vitest';
import {maxWaitingNotes} from '../../source/journal/rows/run-progress.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {acceptRun, sampleRun} from '../helpers/journal-records.ts';

const note = (id: string, text = id) => ({id, at: 5, by: 'console:1', text});
const turn = {number: 1, at: 5, model: 'openai/tiny'};
const end = {ms: 7, usage: {inputTokens: 3, outputTokens: 4}, microUsd: 9};

describe.each(journalEngines)('on $engine', ({open}) => {
	const openWithRun = async () => {
		const journal = await open({clock: createFakeClock()});
		await acceptRun(journal, sampleRun({id: 'a'}));
		return journal;
	};

	test('notes to a run wait in their sequence until a turn has got them', async () => {
		const journal = await openWithRun();
		expect(await journal.addRunNote('a', note('1'))).toBe('added');
		expect(await journal.addRunNote('a', note('2'))).toBe('added');
		// A repeated write.
		expect(await journal.addRunNote('a', note('2', 'other words'))).toBe('added');
		expect(await journal.listUnreadNotes('a')).toEqual([note('1'), note('2')]);
		await journal.markNotesRead(['1'], {at: 8, turn: 3});
		await journal.markNotesRead(['1', 'none'], {at: 9, turn: 4});
		expect(await journal.listUnreadNotes('a')).toEqual([note('2')]);
		expect((await journal.findRunProgress('a')).notes).toEqual([{...note('1'), read: {at: 8, turn: 3}}, note('2')]);
	});

	test.each(['inbox', 'finished', 'failed', 'cancelled', 'interrupted'] as const)(
		'a run that is %s takes no note',
		async state => {
			const journal = await openWithRun();
			await journal.moveQueuedRuns(['a'], {state: 'running'});
			expect(await journal.addRunNote('a', note('1'))).toBe('added');
			await journal.setRunState('a', state);
			expect(await journal.addRunNote('a', note('2'))).toBe('over');
			expect(await journal.addRunNote('none', note('3'))).toBe('over');
			expect((await journal.findRunProgress('a')).notes).toEqual([note('1')]);
		},
	);

	test('so many notes wait, and one more once some were read', async () => {
		const journal = await openWithRun();
		const ids = Array.from({length: maxWaitingNotes}, (_, index) => `n${String(index).padStart(2, '0')}`);
		for (const id of ids) {
			expect(await journal.addRunNote('a', note(id))).toBe('added');
		}

		expect(await journal.addRunNote('a', note('x'))).toBe('full');
		await journal.markNotesRead(ids.slice(0, 1), {at: 8, turn: 1});
		expect(await journal.addRunNote('a', note('x'))).toBe('added');
	});

	test('a turn is known from its beginning, and its end stays', async () => {
		const journal = await openWithRun();
		await journal.putModelTurn('a', turn);
		expect((await journal.findRunProgress('a')).turns).toEqual([turn]);
		await journal.putModelTurn('a', {...turn, end});
		await journal.putModelTurn('a', turn);
		await journal.putModelTurn('a', {...turn, number: 2, end: {ms: 1}});
		await journal.putModelTurn('none', turn);
		const {turns} = await journal.findRunProgress('a');
		expect(turns).toEqual([
			{...turn, end},
			{...turn, number: 2, end: {ms: 1}},
		]);
		expect(await journal.findRunProgress('none')).toEqual({turns: [], notes: []});
	});

	test('a trace has turns with their sums, and notes, and all of it goes with the run', async () => {
		const clock = createFakeClock();
		const journal = await open({clock, maxAgeDays: 1});
		await acceptRun(journal, sampleRun({id: 'a'}));
		await journal.moveQueuedRuns(['a'], {state: 'running'});
		await journal.putModelTurn('a', {...turn, end});
		await journal.putModelTurn('a', {...turn, number: 2, end});
		await journal.addRunNote('a', note('1'));
		expect(await journal.findTrace({subject: {kind: 'run', id: 'a'}, profile: 'default'})).toMatchObject({
			turns: [
				{number: 1, total: {turns: 1, usage: end.usage, microUsd: 9}},
				{number: 2, total: {turns: 2, usage: {inputTokens: 6, outputTokens: 8}, microUsd: 18}},
			],
			notes: [note('1')],
		});
		await journal.finishRun('a', {state: 'finished', result: {}});
		await clock.advance(3 * 24 * 60 * 60 * 1000);
		journal.prune();
		await expect
			.poll(async () => {
				await clock.settle();
				return journal.findRun('a');
			})
			.toBe(undefined);
		expect(await journal.findRunProgress('a')).toEqual({turns: [], notes: []});
	});
});

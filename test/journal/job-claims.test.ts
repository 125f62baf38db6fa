import {describe, expect, test} from 'vitest';
import {type JournalPlace} from '../../source/journal/open-journal.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {sampleRun} from '../helpers/journal-records.ts';
import {journalEngines} from '../helpers/journal-engines.ts';

describe.each(journalEngines)('on $engine', ({open, newPlace}) => {
	async function openClaims(place?: JournalPlace) {
		const clock = createFakeClock();
		const journal = await open({clock, place});
		const claim = (slot: number, runId: string) => journal.claimJob({jobId: 'j1', slot, runId}, sampleRun({id: runId}));
		return {clock, journal, claim};
	}

	describe('a claim', () => {
		test('queues its run', async () => {
			const {journal, claim} = await openClaims();
			expect(await claim(1, 'a')).toBe('claimed');
			expect((await journal.findRun('a'))?.state).toBe('queued');
		});

		test('is refused while the job runs, and its run is not kept', async () => {
			const {journal, claim} = await openClaims();
			await claim(1, 'a');
			expect(await claim(2, 'b')).toBe('running');
			expect(await claim(1, 'b')).toBe('late');
			expect(await journal.findRun('b')).toBeUndefined();
		});

		test.each([
			[1, 'late'],
			[2, 'late'],
			[3, 'claimed'],
		])('of slot %d after slot 2 is %s', async (slot, outcome) => {
			const {journal, claim} = await openClaims();
			await claim(2, 'a');
			journal.releaseJob({jobId: 'j1', runId: 'a'});
			expect(await claim(slot, 'b')).toBe(outcome);
		});

		test('is not given free by another run', async () => {
			const {journal, claim} = await openClaims();
			await claim(1, 'a');
			journal.releaseJob({jobId: 'j1', runId: 'b'});
			expect(await claim(2, 'c')).toBe('running');
		});

		test('outlives its process', async () => {
			const place = await newPlace();
			const first = await openClaims(place);
			await first.claim(1, 'a');
			await first.journal.close();
			expect(await (await openClaims(place)).journal.listJobClaims()).toEqual([{jobId: 'j1', slot: 1, runId: 'a'}]);
		});
	});
});

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {openTestJournal, sampleRun} from '../../helpers/journal-records.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

function open(path?: string) {
	const clock = createFakeClock();
	const journal = openTestJournal({clock, path});
	const claim = (slot: number, runId: string) => journal.claimJob({jobId: 'j1', slot, runId}, sampleRun({id: runId}));
	return {clock, journal, claim};
}

describe('a claim', () => {
	test('queues its run', async () => {
		const {journal, claim} = open();
		expect(await claim(1, 'a')).toBe('claimed');
		expect((await journal.findRun('a'))?.state).toBe('queued');
	});

	test('is refused while the job runs, and its run is not kept', async () => {
		const {journal, claim} = open();
		await claim(1, 'a');
		expect(await claim(2, 'b')).toBe('running');
		expect(await journal.findRun('b')).toBeUndefined();
	});

	test.each([
		[1, 'late'],
		[2, 'late'],
		[3, 'claimed'],
	])('of slot %d after slot 2 is %s', async (slot, outcome) => {
		const {journal, claim} = open();
		await claim(2, 'a');
		journal.releaseJob({jobId: 'j1', runId: 'a'});
		expect(await claim(slot, 'b')).toBe(outcome);
	});

	test('is not given free by another run', async () => {
		const {journal, claim} = open();
		await claim(1, 'a');
		journal.releaseJob({jobId: 'j1', runId: 'b'});
		expect(await claim(2, 'c')).toBe('running');
	});

	test('outlives its process', async () => {
		const path = join(temporaryDirectory(), 'journal.db');
		const first = open(path);
		await first.claim(1, 'a');
		await first.journal.close();
		expect(await open(path).journal.listJobClaims()).toEqual([{jobId: 'j1', slot: 1, runId: 'a'}]);
	});
});

test('two processes that race for one job a hundred times run it a hundred times in all', async () => {
	const path = join(temporaryDirectory(), 'journal.db');
	const fixture = fileURLToPath(new URL('../../fixtures/job-racer.ts', import.meta.url));
	const racers = [1, 2].map(() => spawn(process.execPath, [fixture, path], {stdio: ['pipe', 'pipe', 'inherit']}));
	const outputs = racers.map(async racer => {
		let text = '';
		for await (const chunk of racer.stdout) {
			text += String(chunk);
		}

		return text;
	});
	await Promise.all(racers.map(racer => once(racer.stdout, 'readable')));
	racers.forEach(racer => racer.stdin.write('go\n'));
	const texts = await Promise.all(outputs);
	const won = texts.flatMap(text => [...text.matchAll(/^won (\d+)$/gmu)].map(([, slot]) => Number(slot)));
	expect(won.toSorted((first, second) => first - second)).toEqual(Array.from({length: 100}, (_, index) => index + 1));
}, 30_000);

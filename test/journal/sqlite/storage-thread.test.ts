import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {openConfirmedJournal} from '../../../source/journal/confirmed-journal.ts';
import {openStorageThread, startStorageThread} from '../../../source/journal/sqlite/storage-thread.ts';
import {type Problem} from '../../../source/util/problem.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {crashImage, openTestJournal, sampleEvent, sampleRun} from '../../helpers/journal-records.ts';
import {ownProgram} from '../../helpers/own-program.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {queuedColumns} from '../../../source/journal/rows/columns.ts';

const limits = () => ({maxAgeDays: 30, maxBytes: 2 ** 30});

async function open() {
	const path = join(temporaryDirectory(), 'journal.db');
	const clock = createFakeClock();
	const losses: Problem[] = [];
	const journal = await openConfirmedJournal({path, clock, limits, onLost: problem => losses.push(problem)});
	onTestFinished(() => journal.close());
	return {path, clock, journal, losses};
}

describe('A journal in a thread', () => {
	test('resolves a write once a hard kill leaves it on the disk', async () => {
		const {path, clock, journal} = await open();
		const event = sampleEvent();
		await journal.acceptEvent({event, run: sampleRun({id: 'a', eventId: event.id})});
		const left = openTestJournal({path: crashImage(path), clock});
		expect(await left.findEvent(event.id)).toEqual(event);
		expect(await left.findRun('a')).toMatchObject({state: 'queued'});
	});

	test('gives each of many requests its own answer, and accepts a delivery id once', async () => {
		const {journal} = await open();
		const event = sampleEvent();
		const requests = Array.from({length: 300}, (_, index) => ({
			event: {...sampleEvent({id: `event-${index}`}), deliveryId: `same-${index % 100}`},
			deduplicateUntil: Number.MAX_SAFE_INTEGER,
		}));
		const outcomes = await Promise.all(requests.map(journal.acceptEvent));
		expect(outcomes.slice(0, 100)).toEqual(Array(100).fill('accepted'));
		expect(outcomes.slice(100)).toEqual(Array(200).fill('duplicate'));
		expect(await journal.findEvent('event-7')).toMatchObject({deliveryId: 'same-7', body: event.body});
		expect(await journal.findEvent('event-107')).toBeUndefined();
	});

	test('closes behind what was asked just before', async () => {
		const {path, clock, journal, losses} = await open();
		const event = sampleEvent();
		journal.recordEvent(event);
		await journal.close();
		expect(await openTestJournal({path, clock}).findEvent(event.id)).toEqual(event);
		await expect(journal.listEvents({limit: 1})).rejects.toMatchObject({code: 'storage_unavailable'});
		expect(losses).toEqual([]);
	});

	test.each(['running', 'ended'] as const)('is opened with a thread started ahead that is %s', async state => {
		const path = join(temporaryDirectory(), 'journal.db');
		const clock = createFakeClock();
		const thread = startStorageThread();
		if (state === 'ended') {
			await thread.terminate();
		}

		expect(existsSync(path)).toBe(false);
		const journal = await openConfirmedJournal({path, clock, limits, thread, onLost: () => undefined});
		onTestFinished(() => journal.close());
		expect(await journal.countWaitingRuns()).toBe(0);
		expect(existsSync(path)).toBe(true);
		// One that runs is the one that has the file.
		await journal.close();
		expect(thread.threadId).toBe(-1);
	});

	test('does not open a file that is no journal, and leaves it as it is', async () => {
		const path = join(temporaryDirectory(), 'journal.db');
		writeFileSync(path, 'notes of mine'.repeat(500));
		const opening = openConfirmedJournal({path, clock: createFakeClock(), limits, onLost: () => undefined});
		await expect(opening).rejects.toMatchObject({code: 'storage_unavailable', fault: 'damaged'});
		expect(readFileSync(path, 'utf8')).toBe('notes of mine'.repeat(500));
	});
});

describe('A thread that fails', () => {
	const program = ownProgram('failing-storage-worker', new URL('../../fixtures/', import.meta.url).href);

	async function openFailing() {
		const path = join(temporaryDirectory(), 'journal.db');
		const clock = createFakeClock();
		const losses: Problem[] = [];
		const thread = await openStorageThread({path, clock, program, onLost: problem => losses.push(problem)});
		onTestFinished(thread.close);
		const find = (id: string) => thread.run([{name: 'findRun', args: [id], now: 0}]);
		const run = queuedColumns(sampleRun({id: 'kept', eventId: ''}));
		await thread.run([{name: 'queueRun', args: [run], now: 0}]);
		return {path, clock, losses, thread, find};
	}

	test.each(['throw', 'exit'])(
		'by %s rejects what is asked of it, says so once, and what it answered is kept',
		async way => {
			const {path, clock, losses, find} = await openFailing();
			const asked = await Promise.allSettled([find(way), find('kept')]);
			expect(asked.map(({status}) => status)).toEqual(['rejected', 'rejected']);
			expect(losses).toMatchObject([{code: 'storage_unavailable'}]);
			await expect(find('kept')).rejects.toMatchObject({code: 'storage_unavailable'});
			expect(await openTestJournal({path, clock}).findRun('kept')).toMatchObject({state: 'queued'});
		},
	);

	test('by answering nothing is given up after a minute', async () => {
		const {path, clock, losses, find} = await openFailing();
		const asked = find('hang');
		const outcome = expect(asked).rejects.toMatchObject({message: 'The disk of the journal does not answer'});
		await clock.advance(59_000);
		expect(losses).toEqual([]);
		await clock.advance(1000);
		await outcome;
		expect(losses).toHaveLength(1);
		expect(await openTestJournal({path, clock}).findRun('kept')).toMatchObject({state: 'queued'});
	});

	test('by hanging while it closes the file is given up after a minute', async () => {
		const path = join(temporaryDirectory(), 'hangs-on-close.db');
		const clock = createFakeClock();
		const losses: Problem[] = [];
		const thread = await openStorageThread({path, clock, program, onLost: problem => losses.push(problem)});
		let state = 'closing';
		const closed = thread.close().then(() => (state = 'closed'));
		await expect.poll(clock.open).toBe(1);
		await clock.advance(59_000);
		expect(state).toBe('closing');
		await clock.advance(1000);
		await closed;
		// A journal that is being closed has lost nothing that is used.
		expect([losses, clock.open()]).toEqual([[], 0]);
	});

	test('is not given up for a request that cannot be sent to it', async () => {
		const {clock, losses, thread, find} = await openFailing();
		const unsendable = thread.run([{name: 'findRun', args: [() => 'a function'], now: 0}]);
		await expect(unsendable).rejects.toThrow('could not be cloned');
		await clock.advance(60_000);
		expect(losses).toEqual([]);
		expect(await find('kept')).toHaveLength(1);
	});

	test('is not given up while it answers', async () => {
		const {clock, losses, find} = await openFailing();
		for (let minute = 0; minute < 3; minute++) {
			await find('kept');
			await clock.advance(60_000);
		}

		expect(losses).toEqual([]);
	});
});

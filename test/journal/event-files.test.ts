import {randomBytes} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {type EventFile} from '../../source/journal/rows/file-rows.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {sampleEvent, sampleRun} from '../helpers/journal-records.ts';

const start = 1_700_000_000_000;
const day = 24 * 60 * 60 * 1000;
const odd = '../nul \0, \u001A and half \uD83D';
const files: readonly EventFile[] = [
	{name: odd, contentType: 'image/png', content: randomBytes(3_000_000)},
	{name: '', contentType: '', content: new Uint8Array()},
	{name: 'a', contentType: 'text/plain', content: Buffer.alloc(100_000, 'a')},
];
/** The rows but their names, of which an engine may store a character in another way. */
const rows = files.map(({contentType, content}, index) => ({
	number: index + 1,
	contentType,
	bytes: content.length,
}));
const equals = (file: EventFile | undefined, other: EventFile | undefined) =>
	file !== undefined && other !== undefined && Buffer.from(file.content).equals(other.content);

describe.each(journalEngines)('files of events on $engine', ({open}) => {
	test('are there with their event, each with its content', async () => {
		const journal = await open({clock: createFakeClock(start)});
		await journal.acceptEvent({event: sampleEvent({id: 'e', files}), run: sampleRun({id: 'r', eventId: 'e'})});
		journal.recordEvent(sampleEvent({id: 'ignored', outcome: 'ignored', files: files.slice(2)}));
		await journal.acceptEvent({event: sampleEvent({id: 'without'})});
		const listed = await journal.listEventFiles('e');
		expect(listed).toMatchObject(rows);
		for (const [index, file] of files.entries()) {
			expect(equals(await journal.findEventFile('e', index + 1), file)).toBe(true);
		}

		expect(equals(await journal.findEventFile('ignored', 1), files[2])).toBe(true);
		expect(await journal.listEventFiles('without')).toEqual([]);
		expect([await journal.findEventFile('e', 4), await journal.findEventFile('none', 1)]).toEqual([
			undefined,
			undefined,
		]);
		expect((await journal.findEvent('e'))?.files).toBeUndefined();
	});

	test('are not written where the event is not: a duplicate, a full queue', async () => {
		const journal = await open({clock: createFakeClock(start)});
		const accept = (id: string, queueLimit: number) =>
			journal.acceptEvent({
				event: sampleEvent({id, deliveryId: 'd', files: files.slice(1)}),
				deduplicateUntil: start + day,
				run: sampleRun({id: `run ${id}`, eventId: id}),
				queueLimit,
			});
		expect([await accept('full', 0), await accept('first', 5), await accept('again', 5)]).toEqual([
			'queue-full',
			'accepted',
			'duplicate',
		]);
		const counts = [];
		for (const id of ['full', 'first', 'again']) {
			counts.push((await journal.listEventFiles(id)).length);
		}

		expect(counts).toEqual([0, 2, 0]);
	});

	test('of many events at once are each with their own', async () => {
		const journal = await open({clock: createFakeClock(start)});
		const ids = Array.from({length: 20}, (_, index) => `e${index}`);
		await Promise.all(
			ids.map((id, index) =>
				journal.acceptEvent({
					event: sampleEvent({
						id,
						files: index % 2 === 0 ? [{name: id, contentType: 'a/b', content: Buffer.from(id)}] : [],
					}),
				}),
			),
		);
		const names = await Promise.all(ids.map(async id => (await journal.listEventFiles(id)).map(({name}) => name)));
		expect(names).toEqual(ids.map((id, index) => (index % 2 === 0 ? [id] : [])));
		expect(Buffer.from((await journal.findEventFile('e18', 1))?.content ?? []).toString()).toBe('e18');
	});

	test('go with their event by age, and stay with one that stays', async () => {
		const journal = await open({clock: createFakeClock(start), maxAgeDays: 2});
		await journal.acceptEvent({event: sampleEvent({id: 'old', time: start - 2 * day - 1, files})});
		await journal.acceptEvent({event: sampleEvent({id: 'young', time: start - 2 * day, files: files.slice(1)})});
		journal.prune();
		await expect.poll(async () => (await journal.listEvents({limit: 10})).map(({id}) => id)).toEqual(['young']);
		expect([await journal.listEventFiles('old'), await journal.findEventFile('old', 1)]).toEqual([[], undefined]);
		expect(await journal.listEventFiles('young')).toHaveLength(2);
	});

	test('count towards the size of the journal: the oldest go first, with their events', async () => {
		const journal = await open({clock: createFakeClock(start), maxBytes: 2 ** 22});
		const accept = (index: number) =>
			journal.acceptEvent({
				event: sampleEvent({
					id: `e${index}`,
					time: start - 1000 + index,
					files: [{name: 'f', contentType: 'a/b', content: randomBytes(2 ** 18)}],
				}),
			});
		await Promise.all(Array.from({length: 60}, (_, index) => accept(index)));
		journal.prune();
		await expect.poll(async () => (await journal.listEvents({limit: 100})).length).toBeLessThan(20);
		const left = await journal.listEvents({limit: 100});
		expect(left.length).toBeGreaterThan(5);
		expect(left[0]?.id).toBe('e59');
		expect(await journal.listEventFiles('e59')).toHaveLength(1);
		expect(await journal.listEventFiles('e0')).toEqual([]);
	});
});

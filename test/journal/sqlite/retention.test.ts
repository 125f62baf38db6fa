import {randomBytes} from 'node:crypto';
import {statSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {type Journal} from '../../../source/journal/journal.ts';
import {refusedRemoval} from '../../../source/journal/sqlite/retention.ts';
import {type FakeClock, createFakeClock} from '../../helpers/fake-clock.ts';
import {openTestJournal, sampleEvent, sampleRun} from '../../helpers/journal-records.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const start = 1_700_000_000_000;
const day = 24 * 60 * 60 * 1000;

/** Prunes until nothing more is removed. */
async function pruneAll(journal: Journal, clock: FakeClock): Promise<void> {
	journal.prune();
	for (let turn = 0; turn < 20; turn++) {
		await clock.settle();
	}
}

function openWithAge(maxAgeDays: number) {
	const clock = createFakeClock(start);
	const path = join(temporaryDirectory(), 'journal.db');
	return {clock, path, journal: openTestJournal({clock, path, maxAgeDays})};
}

test('events older than the age are removed, younger ones stay', async () => {
	const {clock, journal} = openWithAge(2);
	await journal.acceptEvent({event: sampleEvent({id: 'old', time: start - 2 * day - 1})});
	await journal.acceptEvent({event: sampleEvent({id: 'young', time: start - 2 * day})});
	await pruneAll(journal, clock);
	expect((await journal.listEvents({limit: 10})).map(row => row.id)).toEqual(['young']);
});

test('an age that changes is felt by the next prune', async () => {
	let maxAgeDays = 7;
	const clock = createFakeClock(start);
	const journal = openTestJournal({clock, maxAgeDays: () => maxAgeDays});
	await journal.acceptEvent({event: sampleEvent({time: start - 5 * day})});
	await pruneAll(journal, clock);
	const before = (await journal.listEvents({limit: 10})).length;
	maxAgeDays = 2;
	await pruneAll(journal, clock);
	expect([before, (await journal.listEvents({limit: 10})).length]).toEqual([1, 0]);
});

test('more than one slice is removed', async () => {
	const {clock, journal} = openWithAge(1);
	await Promise.all(
		Array.from({length: 1000}, () => journal.acceptEvent({event: sampleEvent({time: start - 5 * day})})),
	);
	await pruneAll(journal, clock);
	expect(await journal.listEvents({limit: 10})).toEqual([]);
});

test.each(['queued', 'running', 'inbox'] as const)('an old run that is %s stays, with its event', async state => {
	const {clock, journal} = openWithAge(1);
	const event = sampleEvent({time: start - 5 * day});
	await journal.acceptEvent({event, run: sampleRun({id: 'run', eventId: event.id, createdAt: event.time})});
	await journal.setRunState('run', state);
	await clock.advance(5 * day);
	await pruneAll(journal, clock);
	expect([(await journal.findRun('run'))?.state, (await journal.findEvent(event.id))?.id]).toEqual([state, event.id]);
});

test.each(['finished', 'failed', 'cancelled', 'interrupted'] as const)('an old run that is %s goes', async state => {
	const {clock, journal} = openWithAge(1);
	const event = sampleEvent();
	await journal.acceptEvent({event, run: sampleRun({id: 'run', eventId: event.id})});
	await journal.setRunState('run', state);
	await clock.advance(5 * day);
	await pruneAll(journal, clock);
	expect([await journal.findRun('run'), await journal.findEvent(event.id)]).toEqual([undefined, undefined]);
});

test('old calls and decisions go', async () => {
	const {clock, journal} = openWithAge(1);
	const row = {id: 'a', time: start - 5 * day, profile: 'default', server: 's', tool: 't'};
	await journal.startCall({...row, arguments: {}, origin: {kind: 'dashboard'}});
	journal.recordDecision({...row, argumentsHash: 'h', outcome: 'denied'});
	await clock.settle();
	await pruneAll(journal, clock);
	expect([await journal.listCalls({limit: 1}), await journal.listDecisions({limit: 1})]).toEqual([[], []]);
});

test('a delivery id that still holds survives the row of its event', async () => {
	const {clock, journal} = openWithAge(1);
	const request = () => ({event: sampleEvent({deliveryId: 'one', time: start - 5 * day}), deduplicateUntil: start + 1});
	await journal.acceptEvent(request());
	await pruneAll(journal, clock);
	expect([await journal.listEvents({limit: 1}), await journal.acceptEvent(request())]).toEqual([[], 'duplicate']);
});

test('delivery ids go once their hour is over', async () => {
	const {clock, journal, path} = openWithAge(30);
	const accept = (deliveryId: string, deduplicateUntil: number) =>
		journal.acceptEvent({event: sampleEvent({deliveryId}), deduplicateUntil});
	await Promise.all(Array.from({length: 500}, (_, index) => accept(`${index}`, start + 1)));
	await accept('later', start + 2);
	await clock.advance(1);
	await pruneAll(journal, clock);
	const database = new DatabaseSync(path, {readOnly: true});
	expect(database.prepare('SELECT delivery_id AS id FROM deliveries').all()).toEqual([{id: 'later'}]);
	database.close();
});

test('the oldest events go until the size is kept, and the file gives the space back', async () => {
	const clock = createFakeClock(start);
	const path = join(temporaryDirectory(), 'journal.db');
	const maxBytes = 2 ** 21;
	const journal = openTestJournal({clock, path, maxBytes});
	for (let index = 0; index < 1000; index++) {
		const event = sampleEvent({id: `${index}`, time: start + index, body: randomBytes(4096)});
		await journal.acceptEvent({event});
	}

	await pruneAll(journal, clock);
	const left = (await journal.listEvents({limit: 1000})).map(row => row.id);
	expect(left[0]).toBe('999');
	expect(left.length).toBeGreaterThan(0);
	expect(left).toEqual(left.map((_, index) => `${999 - index}`));
	await journal.close();
	expect(statSync(path).size).toBeLessThanOrEqual(maxBytes);
});

test('refused requests go before what was accepted earlier', async () => {
	const clock = createFakeClock(start);
	const path = join(temporaryDirectory(), 'journal.db');
	const maxBytes = 2 ** 21;
	const journal = openTestJournal({clock, path, maxBytes});
	const accepted = Array.from({length: 20}, (_, index) => `accepted-${index}`);
	await Promise.all(accepted.map((id, index) => journal.acceptEvent({event: sampleEvent({id, time: start + index})})));
	for (let index = 0; index < 1500; index++) {
		const headers = {junk: randomBytes(7000).toString('hex')};
		journal.recordEvent(
			sampleEvent({time: start + 100 + index, status: 401, outcome: 'rejected', headers, body: undefined}),
		);
	}

	await journal.listEvents({limit: 1});
	await pruneAll(journal, clock);
	const left = (await journal.listEvents({limit: 2000})).map(row => row.id);
	expect(left.filter(id => id.startsWith('accepted-'))).toEqual(accepted.toReversed());
	await journal.close();
	expect(statSync(path).size).toBeLessThanOrEqual(maxBytes);
});

test('a journal too large with open runs alone stops pruning', async () => {
	const clock = createFakeClock(start);
	const journal = openTestJournal({clock, maxBytes: 1});
	const event = sampleEvent();
	await journal.acceptEvent({event, run: sampleRun({id: 'run', eventId: event.id})});
	await pruneAll(journal, clock);
	expect((await journal.findEvent(event.id))?.id).toBe(event.id);
});

test('closing in the middle of pruning is quiet', async () => {
	const clock = createFakeClock(start);
	const problems: unknown[] = [];
	const journal = openTestJournal({clock, maxAgeDays: 1, report: problem => problems.push(problem)});
	await Promise.all(
		Array.from({length: 500}, () => journal.acceptEvent({event: sampleEvent({time: start - 5 * day})})),
	);
	journal.prune();
	await journal.close();
	await clock.settle();
	expect(problems).toEqual([]);
});

test('what is removed first is found by an index', () => {
	const {path} = openWithAge(1);
	const database = new DatabaseSync(path);
	const plan = database.prepare(`EXPLAIN QUERY PLAN ${refusedRemoval}`).all();
	database.close();
	expect(plan.map(({detail}) => detail).join('\n')).toContain('USING COVERING INDEX events_refused');
	expect(plan.map(({detail}) => detail).join('\n')).not.toContain('TEMP B-TREE');
});

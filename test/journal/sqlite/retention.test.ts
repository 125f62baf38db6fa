import {randomBytes} from 'node:crypto';
import {statSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {refusedRemoval} from '../../../source/journal/sqlite/retention.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {openTestJournal, sampleEvent} from '../../helpers/journal-records.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const start = 1_700_000_000_000;

test('delivery ids go once their hour is over', async () => {
	const clock = createFakeClock(start);
	const path = join(temporaryDirectory(), 'journal.db');
	const journal = openTestJournal({clock, path});
	const accept = (deliveryId: string, deduplicateUntil: number) =>
		journal.acceptEvent({event: sampleEvent({deliveryId}), deduplicateUntil});
	await Promise.all(Array.from({length: 500}, (_, index) => accept(`${index}`, start + 1)));
	await accept('later', start + 2);
	await clock.advance(1);
	const database = new DatabaseSync(path, {readOnly: true});
	journal.prune();
	await expect.poll(() => database.prepare('SELECT delivery_id AS id FROM deliveries').all()).toEqual([{id: 'later'}]);
	database.close();
});

test('the file gives back the space of what was removed', async () => {
	const clock = createFakeClock(start);
	const path = join(temporaryDirectory(), 'journal.db');
	const maxBytes = 2 ** 21;
	const journal = openTestJournal({clock, path, maxBytes});
	const accept = () => journal.acceptEvent({event: sampleEvent({body: randomBytes(4096)})});
	await Promise.all(Array.from({length: 1000}, accept));
	journal.prune();
	for (let turn = 0; turn < 20; turn++) {
		await clock.settle();
	}

	await journal.close();
	expect(statSync(path).size).toBeLessThanOrEqual(maxBytes);
});

test('what is removed first is found by an index', async () => {
	const path = join(temporaryDirectory(), 'journal.db');
	openTestJournal({clock: createFakeClock(start), path});
	const database = new DatabaseSync(path);
	const plan = database.prepare(`EXPLAIN QUERY PLAN ${refusedRemoval}`).all();
	database.close();
	expect(plan.map(({detail}) => detail).join('\n')).toContain('USING COVERING INDEX events_refused');
	expect(plan.map(({detail}) => detail).join('\n')).not.toContain('TEMP B-TREE');
});

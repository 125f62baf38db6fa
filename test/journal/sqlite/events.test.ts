import {statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {openTestJournal, sampleEvent} from '../../helpers/journal-records.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

test('a large body is stored compressed', async () => {
	const path = join(temporaryDirectory(), 'journal.db');
	const journal = openTestJournal({clock: createFakeClock(), path});
	const body = new TextEncoder().encode('{"text":"again and again"}'.repeat(40_000));
	const event = sampleEvent({body});
	await journal.acceptEvent({event});
	await journal.close();
	expect(statSync(path).size).toBeLessThan(body.length / 3);
});

import {expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {filledFrom, filledNames, fillJournal, readJournal} from '../helpers/filled-journal.ts';
import {journalEngines} from '../helpers/journal-engines.ts';

test.runIf(journalEngines.length > 1)('every read of the same rows answers the same on every engine', async () => {
	const answers = await Promise.all(
		journalEngines.map(async ({open}) => {
			const journal = await open({clock: createFakeClock(filledFrom)});
			await fillJournal(journal);
			return readJournal(journal);
		}),
	);
	const [first, ...others] = answers;
	others.forEach(other => expect(other).toEqual(first));
	expect(first?.uses).toHaveLength(filledNames.length);
});

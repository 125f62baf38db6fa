import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {openStorageOf} from '../../helpers/postgres-storage.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';
import {runSluiceJson} from '../../helpers/run-sluice.ts';
import {stateDirectory} from '../../helpers/sluice.ts';

type Finding = {readonly check: string; readonly level: string; readonly message: string};

describe.skipIf(!hasPostgres)('doctor of a gateway whose journal is in a database', () => {
	test('looks at the rules and the hold there, not at files that are left over', async () => {
		const {database} = await newPostgresPlace();
		const home = stateDirectory({journal: {url: database.url, schema: database.schema}});
		mkdirSync(join(home, 'cron'));
		writeFileSync(join(home, 'cron', 'jobs.json'), 'left over');
		const storage = await openStorageOf(database);
		const store = (name: string, content: string) => ({
			name: 'replaceDocument' as const,
			args: [{profile: 'default', name, from: 0, content, by: 'a test'}],
		});
		await storage.run(
			store('hold', JSON.stringify({held: {since: 0, by: 'cli', reason: 'it deletes files'}})),
			store('approval-rules', 'no JSON'),
		);
		const found = (await runSluiceJson({home}, 'doctor')) as readonly Finding[];
		const about = (wanted: string) => found.filter(({check, level}) => check === wanted && level !== 'ok');
		expect(about('hold')).toMatchObject([{message: expect.stringContaining('it deletes files')}]);
		expect(about('approvals')).toMatchObject([{message: expect.stringContaining('approval-rules in the journal')}]);
		expect(about('cron')).toEqual([]);
	});
});

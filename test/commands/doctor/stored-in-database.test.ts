import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {freePort} from '../../helpers/free-port.ts';
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

	test('finds no fault with what it did not read, offline or with the database away', async () => {
		const {database} = await newPostgresPlace();
		const url = new URL(database.url);
		const routes = {fired: {secret: 'a secret of sixteen', cron_job: 'morning', prompt: '{x}'}};
		const config = (place: string) => ({
			journal: {url: place, schema: database.schema},
			platforms: {webhook: {enabled: true, port: 0, routes}},
		});
		const errorsOf = async (place: string, ...flags: readonly string[]) => {
			const found = (await runSluiceJson({home: stateDirectory(config(place))}, 'doctor', ...flags)) as Finding[];
			return found.filter(({level}) => level !== 'ok').map(({check}) => check);
		};

		expect(await errorsOf(database.url)).toContain('route fired');
		const offline = await errorsOf(database.url, '--offline');
		url.port = String(await freePort());
		const away = await errorsOf(url.href);
		for (const check of ['route fired', 'hold', 'approvals', 'cron', 'subscriptions']) {
			expect(offline).not.toContain(check);
			expect(away).not.toContain(check);
		}

		expect(away).toContain('journal');
	});
});

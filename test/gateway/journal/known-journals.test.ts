import {copyFileSync, existsSync, renameSync, rmSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {journalFault, inDatabase} from '../../helpers/database-journal.ts';
import {administer, hasPostgres} from '../../helpers/postgres-server.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const yaml = `platforms:
  webhook:
    enabled: true
    port: 0
    routes:
      one: {secret: INSECURE_NO_AUTH, prompt: "{x}"}
`;
const post = (url: string | null) => fetch(`${url}/webhooks/one`, {method: 'POST', body: '{"x":1}'});
const named = expect.stringContaining('sluice --new-journal');

/** A state directory whose journal has held an event. */
async function usedDirectory(): Promise<string> {
	const root = temporaryDirectory();
	const {gateway} = await runGateway(yaml, root);
	expect((await post(gateway.webhookUrl())).status).toBe(202);
	await gateway.stop('enough');
	return root;
}

describe('A journal that the state directory knew', () => {
	test.each([
		['missing', (path: string) => rmSync(path)],
		['empty', (path: string) => truncateSync(path, 0)],
	])('and that is %s now is refused by starts and commands until one start makes it new', async (_, lose) => {
		const root = await usedDirectory();
		const path = join(root, 'journal.db');
		lose(path);
		const refused = await runGateway(yaml, root);
		expect(await refused.eventWhere(journalFault('there'))).toMatchObject({reason: named});
		expect((await post(refused.gateway.webhookUrl())).status).toBe(503);
		await refused.gateway.stop('enough');
		const command = await runSluice({home: root}, 'events', 'list');
		expect([command.code, command.stderr]).toEqual([1, named]);
		const asked = await runGateway(yaml, root, {emptyJournal: 'new-journal'});
		expect((await post(asked.gateway.webhookUrl())).status).toBe(202);
		await asked.gateway.stop('enough');
		const later = await runGateway(yaml, root);
		expect((await post(later.gateway.webhookUrl())).status).toBe(202);
		expect(later.events.filter(journalFault('there'))).toEqual([]);
	});

	test('and that is another, fresh one now is refused, which `doctor` says too; the old one put back is taken', async () => {
		const root = await usedDirectory();
		const other = await usedDirectory();
		const path = join(root, 'journal.db');
		renameSync(path, `${path}.old`);
		copyFileSync(join(other, 'journal.db'), path);
		const doctor = await runSluice({home: root}, 'doctor');
		expect([doctor.code, doctor.stdout + doctor.stderr]).toEqual([1, named]);
		const refused = await runGateway(yaml, root);
		expect(await refused.eventWhere(journalFault('there'))).toMatchObject({reason: named});
		expect((await post(refused.gateway.webhookUrl())).status).toBe(503);
		await refused.gateway.stop('enough');
		const command = await runSluice({home: root}, 'events', 'list');
		expect([command.code, command.stderr]).toEqual([1, named]);
		renameSync(path, `${path}.other`);
		renameSync(`${path}.old`, path);
		const back = await runGateway(yaml, root);
		expect((await post(back.gateway.webhookUrl())).status).toBe(202);
		await back.gateway.stop('enough');
		renameSync(`${path}.other`, path);
		const asked = await runGateway(yaml, root, {emptyJournal: 'new-journal'});
		expect((await post(asked.gateway.webhookUrl())).status).toBe(202);
		await asked.gateway.stop('enough');
		const later = await runGateway(yaml, root);
		expect((await post(later.gateway.webhookUrl())).status).toBe(202);
	});

	test('and that is missing is named by `doctor` with what to do', async () => {
		const root = await usedDirectory();
		const known = await runSluice({home: root}, 'doctor');
		expect(known.stdout + known.stderr).not.toEqual(named);
		rmSync(join(root, 'journal.db'));
		const doctor = await runSluice({home: root}, 'doctor');
		expect([doctor.code, doctor.stdout + doctor.stderr]).toEqual([1, named]);
	});

	test('is not made new by a gateway whose file was moved away, even one that was started to make one', async () => {
		const root = temporaryDirectory();
		const path = join(root, 'journal.db');
		const {gateway, eventWhere} = await runGateway(yaml, root, {emptyJournal: 'new-journal'});
		expect((await post(gateway.webhookUrl())).status).toBe(202);
		['', '-wal', '-shm'].forEach(end => existsSync(path + end) && renameSync(path + end, join(root, `moved${end}`)));
		expect((await post(gateway.webhookUrl())).status).toBe(503);
		await eventWhere(journalFault('there'));
		await gateway.reload();
		expect([(await post(gateway.webhookUrl())).status, existsSync(path)]).toEqual([503, false]);
		['', '-wal'].forEach(end => renameSync(join(root, `moved${end}`), path + end));
		await gateway.reload();
		await eventWhere(journalFault('gone'));
		expect((await post(gateway.webhookUrl())).status).toBe(202);
	});

	test.skipIf(!hasPostgres)('in a database without its tables is refused until one start makes them', async () => {
		const {yaml: config, surroundings, schema, url} = await inDatabase();
		const root = temporaryDirectory();
		const first = await runGateway(config, root, surroundings);
		expect((await post(first.gateway.webhookUrl())).status).toBe(202);
		await first.gateway.stop('enough');
		await administer(url, `DROP SCHEMA ${schema} CASCADE`);
		const refuse = async () => {
			const refused = await runGateway(config, root, surroundings);
			expect(await refused.eventWhere(journalFault('there'))).toMatchObject({reason: named});
			expect((await post(refused.gateway.webhookUrl())).status).toBe(503);
			await refused.gateway.stop('enough');
			const doctor = await runSluice({home: root, env: surroundings.variables}, 'doctor');
			expect([doctor.code, doctor.stdout + doctor.stderr]).toEqual([1, named]);
		};

		await refuse();
		// Another state directory makes a new journal there.
		const other = await runGateway(config, temporaryDirectory(), surroundings);
		await other.gateway.stop('enough');
		await refuse();
		const asked = await runGateway(config, root, {...surroundings, emptyJournal: 'new-journal'});
		expect((await post(asked.gateway.webhookUrl())).status).toBe(202);
	});
});

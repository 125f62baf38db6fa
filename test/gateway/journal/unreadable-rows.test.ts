import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test} from 'vitest';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {openTestJournal, sampleCall} from '../../helpers/journal-records.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const yaml = 'platforms: {webhook: {enabled: true, port: 0, routes: {one: {secret: INSECURE_NO_AUTH, prompt: "{x}"}}}}';

test('a row that a list leaves out is named by log, status and doctor, in the log once', async () => {
	const root = temporaryDirectory();
	const clock = createFakeClock();
	const {gateway, events} = await runGateway(yaml, root, {clock});
	await fetch(`${gateway.webhookUrl()}/webhooks/one`, {method: 'POST', body: '{"x":1}'});
	const database = new DatabaseSync(join(root, 'journal.db'), {timeout: 5000});
	onTestFinished(() => database.close());
	const id = String(database.prepare('SELECT id FROM events').get()?.['id']);
	const lines = () =>
		events.flatMap(event => (event.type === 'log' && event.text.includes('cannot be read') ? [event.text] : []));
	const unreadable = async () =>
		(JSON.parse((await runSluice({home: root}, 'status', '--json')).stdout) as {journal: {unreadable: number}}).journal
			.unreadable;
	expect([await unreadable(), lines()]).toEqual([0, []]);
	database.exec(`UPDATE events SET outcome = 'unheard of'`);
	for (let look = 0; look < 3; look++) {
		expect((await runSluice({home: root}, 'events', 'list', '--json')).stdout).not.toContain(id);
		await clock.advance(60_000);
		await expect.poll(unreadable).toBe(1);
	}

	const text = `1 row of the journal cannot be read, and lists leave out: events ${id}`;
	expect(lines()).toEqual([expect.stringContaining(text)]);
	expect((await runSluice({home: root}, 'status')).stdout).toContain('1 row unreadable');
	const doctor = await runSluice({home: root}, 'doctor');
	expect(doctor.stdout + doctor.stderr).toContain(text);
	expect(database.prepare('SELECT outcome FROM events').get()?.['outcome']).toBe('unheard of');
});

test('a command without a gateway names the rows that it leaves out, and no others', async () => {
	const root = temporaryDirectory();
	const path = join(root, 'journal.db');
	const journal = openTestJournal({clock: createFakeClock(1_700_000_000_000), path});
	await journal.startCall(sampleCall({id: 'a'}));
	await journal.close();
	const list = async () => runSluice({home: root}, 'calls', 'list', '--json');
	expect(await list()).toMatchObject({code: 0, stdout: expect.stringContaining('"a"'), stderr: ''});
	const database = new DatabaseSync(path);
	database.exec(`UPDATE calls SET record = '{"id":'`);
	database.close();
	const {code, stdout, stderr} = await list();
	expect([code, stdout.includes('"a"')]).toEqual([0, false]);
	expect(stderr).toMatch(/^sluice: 1 row of the journal cannot be read, and lists leave out: calls a\. .+\n$/u);
});

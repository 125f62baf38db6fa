import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {type GatewayEvent} from '../../source/state/event.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {type RunningGateway, runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const yaml = `journal: {patience: 2}
mcp_servers:
  garden:
    command: ${JSON.stringify(process.execPath)}
    args: ${JSON.stringify(fixtureArguments('mcp-plain.ts'))}
    trust: full
platforms:
  webhook:
    enabled: true
    port: 0
    routes:
      one: {secret: INSECURE_NO_AUTH, prompt: "{x}"}
`;

/** A state directory whose journal has held an event. */
async function usedDirectory(): Promise<string> {
	const root = temporaryDirectory();
	const {gateway} = await runGateway(yaml, root);
	expect((await post(gateway.webhookUrl())).status).toBe(202);
	await gateway.stop('enough');
	return root;
}

const post = (url: string | null) => fetch(`${url}/webhooks/one`, {method: 'POST', body: '{"x":1}'});
const fault = (state: 'there' | 'gone') => (event: GatewayEvent) =>
	event.type === 'fault.state' && event.part === 'journal' && (event.reason === undefined) === (state === 'gone');
const call = ({gateway}: RunningGateway, name: string, args: JsonObject) =>
	gateway.callTool(
		{name: `mcp__garden__${name}`, arguments: args, origin: {kind: 'dashboard'}},
		{signal: new AbortController().signal},
	);
const garbage = 'no database at all, '.repeat(5000);
const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('a journal that cannot be used', () => {
	test.each([
		['is garbage', (path: string) => writeFileSync(path, 'no database at all, '.repeat(500)), /Restore .*journal\.db/u],
		['was cut off', (path: string) => truncateSync(path, 5000), /Restore .*journal\.db/u],
		[
			'has the schema of another version',
			(path: string) => {
				const database = new DatabaseSync(path);
				database.exec('PRAGMA user_version = 3');
				database.close();
			},
			/Restore .*schema 3, and this version of Sluice knows schemas 20 to/u,
		],
	])('because it %s stops nothing but what needs it, and is left as it is', async (_, damage, reason) => {
		const root = await usedDirectory();
		const path = join(root, 'journal.db');
		damage(path);
		const before = digest(path);
		const running = await runGateway(yaml, root);
		const {gateway, eventWhere} = running;
		expect(await eventWhere(fault('there'))).toMatchObject({reason: expect.stringMatching(reason)});
		const response = await post(gateway.webhookUrl());
		expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
			503,
			'30',
			{error: 'Storage unavailable'},
		]);
		await eventWhere(event => event.type === 'server.state' && event.state === 'connected');
		expect(await call(running, 'echo', {text: 'still here'})).toMatchObject({kind: 'result'});
		const file = join(root, 'written');
		const refused = await call(running, 'append', {file, text: 'x'});
		expect(refused).toMatchObject({kind: 'error', error: {code: 'storage_unavailable'}});
		expect(existsSync(file)).toBe(false);
		expect(digest(path)).toBe(before);
	});

	test('is opened again at a reload once the person has restored it, and a call that writes goes through', async () => {
		const root = await usedDirectory();
		const whole = readFileSync(join(root, 'journal.db'));
		writeFileSync(join(root, 'journal.db'), 'no database at all, '.repeat(500));
		const running = await runGateway(yaml, root);
		const {gateway, eventWhere} = running;
		await eventWhere(fault('there'));
		await eventWhere(event => event.type === 'server.state' && event.state === 'connected');
		await gateway.reload();
		expect((await post(gateway.webhookUrl())).status).toBe(503);
		renameSync(join(root, 'journal.db'), join(root, 'journal.broken'));
		await gateway.reload();
		// Without a file, none is made in its place.
		expect([(await post(gateway.webhookUrl())).status, existsSync(join(root, 'journal.db'))]).toEqual([503, false]);
		writeFileSync(join(root, 'journal.db'), whole);
		await gateway.reload();
		await eventWhere(fault('gone'));
		expect((await post(gateway.webhookUrl())).status).toBe(202);
		const written = await call(running, 'append', {file: join(root, 'written'), text: 'x'});
		expect(written).toMatchObject({kind: 'result'});
		expect(readFileSync(join(root, 'journal.broken'), 'utf8')).toMatch(/^no database at all/u);
	});

	test.each([
		['overwritten', (path: string) => writeFileSync(path, garbage)],
		['overwritten with its log', (path: string) => [path, `${path}-wal`].forEach(file => writeFileSync(file, garbage))],
		['emptied', (path: string) => truncateSync(path, 0)],
	])(
		'because it is %s while the gateway runs says so, refuses, and is used again once it is restored',
		async (_, damage) => {
			const root = await usedDirectory();
			const path = join(root, 'journal.db');
			const content = readFileSync(path);
			const running = await runGateway(yaml.replace('patience: 2', 'patience: 60'), root);
			const {gateway, eventWhere, events} = running;
			await eventWhere(event => event.type === 'server.state' && event.state === 'connected');
			expect((await post(gateway.webhookUrl())).status).toBe(202);
			expect(events.filter(fault('there'))).toEqual([]);
			damage(path);
			const before = [path, `${path}-wal`].map(digest);
			expect((await post(gateway.webhookUrl())).status).toBe(503);
			expect(await eventWhere(fault('there'))).toMatchObject({reason: expect.stringMatching(/Restore .*journal\.db/u)});
			const file = join(root, 'written');
			const waiting = call(running, 'append', {file, text: 'x'});
			expect(await call(running, 'echo', {text: 'still here'})).toMatchObject({kind: 'result'});
			expect([existsSync(file), ...[path, `${path}-wal`].map(digest)]).toEqual([false, ...before]);
			renameSync(`${path}-wal`, join(root, 'broken-wal'));
			renameSync(path, join(root, 'broken.db'));
			writeFileSync(path, content);
			await gateway.reload();
			await eventWhere(fault('gone'));
			expect(await waiting).toMatchObject({kind: 'result'});
			expect(readFileSync(file, 'utf8')).toBe('x');
			expect((await post(gateway.webhookUrl())).status).toBe(202);
			await gateway.stop('enough');
			expect(['broken.db', 'broken-wal'].map(name => digest(join(root, name)))).toEqual(before);
		},
	);

	test('because it is locked, as with a full disk, loses the row of a read-only call and says so', async () => {
		const root = await usedDirectory();
		const running = await runGateway(yaml, root);
		const {eventWhere, events} = running;
		await eventWhere(event => event.type === 'server.state' && event.state === 'connected');
		const isSaid = (event: GatewayEvent) => event.type === 'log' && /\brows? .* (?:is|are) missing/iu.test(event.text);
		expect(events.filter(isSaid)).toEqual([]);
		const other = new DatabaseSync(join(root, 'journal.db'));
		other.exec('BEGIN IMMEDIATE');
		expect(await call(running, 'echo', {text: 'still here'})).toMatchObject({kind: 'result'});
		expect(await eventWhere(isSaid)).toMatchObject({level: 'error', area: 'journal'});
		const banner = await eventWhere(fault('there'));
		expect(banner).toMatchObject({
			reason: expect.stringMatching(/^The journal cannot be written\. Check .*df -h.*locked/u),
		});
		other.exec('COMMIT');
		other.close();
		expect(await call(running, 'echo', {text: 'kept'})).toMatchObject({kind: 'result'});
		await eventWhere(fault('gone'));
	});

	test('is tried again by the clock, and what an earlier process left is taken up once it is restored', async () => {
		const root = await usedDirectory();
		const path = join(root, 'journal.db');
		renameSync(path, join(root, 'backup.db'));
		writeFileSync(path, 'no database at all, '.repeat(500));
		const clock = createFakeClock(Date.now());
		const {eventWhere, events} = await runGateway(yaml.replace(/mcp_servers[^]*?platforms/u, 'platforms'), root, {
			clock,
		});
		await eventWhere(fault('there'));
		await clock.advance(5000);
		expect(events.filter(fault('gone'))).toEqual([]);
		expect(events.filter(event => event.type === 'run.state')).toEqual([]);
		renameSync(join(root, 'backup.db'), path);
		await clock.advance(10_000);
		await eventWhere(fault('gone'));
		expect(await eventWhere(event => event.type === 'run.state')).toMatchObject({state: 'queued', route: 'one'});
		expect(events.filter(event => event.type === 'fault.state')).toHaveLength(2);
	});

	test('because nobody may read it says so', async () => {
		const root = temporaryDirectory();
		mkdirSync(join(root, 'journal.db'));
		const {eventWhere} = await runGateway(yaml, root);
		const reason = expect.stringMatching(/Check the owner, permissions and disk space of .*journal\.db/u);
		expect(await eventWhere(fault('there'))).toMatchObject({reason});
	});
});

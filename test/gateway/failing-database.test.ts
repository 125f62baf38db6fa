import {execFileSync} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, type TestContext} from 'vitest';
import {inDatabase, journalFault} from '../helpers/database-journal.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {onTestFinished} from '../helpers/on-test-finished.ts';
import {openOwnPostgres} from '../helpers/own-postgres.ts';
import {administer, hasPostgres, newSchema, type PostgresServer, postgresPrograms} from '../helpers/postgres-server.ts';
import {type RunningGateway, runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** Sends an event, and answers its status and when the sender may come again. */
async function post({gateway}: RunningGateway, id: string, body = '{"x":1}') {
	const headers = {'x-request-id': id};
	const answer = await fetch(`${gateway.webhookUrl()}/webhooks/one`, {method: 'POST', headers, body});
	return [answer.status, answer.headers.get('retry-after')] as const;
}

/** Reads what the journal holds, as the owner of the server. */
const acceptedIn = async (url: string, schema: string) =>
	(await administer(url, `SELECT delivery_id AS id FROM ${schema}.events WHERE outcome = 'accepted' ORDER BY 1`)).map(
		({id}) => id,
	);

const isAlive = async ({gateway}: RunningGateway) => (await fetch(`${gateway.webhookUrl()}/health`)).status === 200;
const faultsOf = ({events}: RunningGateway) => events.filter(journalFault('there'));

test.skipIf(!hasPostgres)('a role that loses its rights is said once, and writes again when it has them', async () => {
	const role = newSchema();
	const {yaml, url, schema, surroundings} = await inDatabase({role});
	await administer(url, `CREATE ROLE ${role} LOGIN`, `CREATE SCHEMA ${schema} AUTHORIZATION ${role}`);
	onTestFinished(() => administer(url, `DROP OWNED BY ${role} CASCADE`, `DROP ROLE ${role}`));
	const running = await runGateway(yaml, temporaryDirectory(), surroundings);
	expect(await post(running, 'a')).toEqual([202, null]);
	await administer(url, `REVOKE INSERT ON ALL TABLES IN SCHEMA ${schema} FROM ${role}`);
	expect([await post(running, 'b'), await post(running, 'c')]).toEqual([
		[503, '30'],
		[503, '30'],
	]);
	expect(faultsOf(running)).toMatchObject([
		{reason: expect.stringMatching(/^The journal cannot be written\. Let the role .*permission denied for table/u)},
	]);
	expect(await isAlive(running)).toBe(true);
	await administer(url, `GRANT INSERT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
	expect([await post(running, 'b'), await post(running, 'b')]).toEqual([
		[202, null],
		[200, null],
	]);
	await running.eventWhere(journalFault('gone'));
	expect(await acceptedIn(url, schema)).toEqual(['a', 'b']);
});

/** A gateway on a server of its own, which takes any number of events, on a clock that a test moves. */
async function openOn(server: PostgresServer) {
	const {yaml, url, schema, surroundings} = await inDatabase({place: new URL(server.url)});
	const clock = createFakeClock(Date.now());
	const unlimited = yaml.replace('port: 0', 'port: 0\n    rate_limit: 100000');
	const running = await runGateway(unlimited, temporaryDirectory(), {...surroundings, clock});
	/** Sends an event until the database is back: 202 if it was refused before, 200 if it was accepted. */
	const untilBack = async (send: () => ReturnType<typeof post>) => {
		const look = async () => {
			await clock.advance(5000);
			return (await send())[0];
		};

		await expect.poll(look).toBeLessThan(300);
		await running.eventWhere(journalFault('gone'));
	};

	return {running, clock, url, schema, untilBack};
}

test.skipIf(postgresPrograms === undefined)(
	'a database that goes away for a minute in mid-load loses and repeats nothing, and is said once',
	async () => {
		const server = await openOwnPostgres();
		const {running, clock, url, schema, untilBack} = await openOn(server);
		const sent: string[] = [];
		const answers = new Map<string, number>();
		/** Sends new events at once; refused ones say when to come again. */
		const load = async (count: number) => {
			const ids = Array.from({length: count}, (_, index) => `event-${String(sent.length + index).padStart(4, '0')}`);
			sent.push(...ids);
			await Promise.all(
				ids.map(async id => {
					const [status, again] = await post(running, id);
					expect([status, again]).toEqual(status === 503 ? [503, '30'] : [202, null]);
					answers.set(id, status);
				}),
			);
		};

		await load(50);
		const gone = {at: Number.POSITIVE_INFINITY};
		const stopping = server.stop('at once').then(() => (gone.at = sent.length));
		while (sent.length < gone.at) {
			await load(20);
		}

		await stopping;
		await running.eventWhere(journalFault('there'));
		for (let seconds = 0; seconds < 60; seconds += 5) {
			await load(5);
			await clock.advance(5000);
		}

		expect(sent.slice(-60).map(id => answers.get(id))).toEqual(Array.from({length: 60}, () => 503));
		expect(await isAlive(running)).toBe(true);
		await server.start();
		await untilBack(() => post(running, 'event-0000'));
		await load(50);
		const refused = sent.filter(id => answers.get(id) === 503);
		expect(refused.length).toBeGreaterThanOrEqual(60);
		for (const id of refused) {
			// One whose answer the database could not give any more may be known.
			expect([200, 202]).toContain((await post(running, id))[0]);
		}

		expect(await acceptedIn(url, schema)).toEqual(sent);
		expect(
			await administer(url, `SELECT count(*)::integer AS runs FROM ${schema}.runs WHERE state <> 'cancelled'`),
		).toEqual([{runs: sent.length}]);
		// First that the connection ended, then why there is no new one; none of the events has a line of its own.
		const said = faultsOf(running).map(event => ('reason' in event ? event.reason : ''));
		expect(new Set(said.map(reason => reason?.replace(/\(.*/u, '')))).toEqual(
			new Set([expect.stringMatching(/^The journal cannot be used\. Check that PostgreSQL runs there/u)]),
		);
		const lines = running.events.filter(event => event.type === 'log' && event.level === 'error');
		expect(lines.filter(event => event.type === 'log' && event.area === 'webhooks')).toEqual([]);
		expect(lines.length).toBeLessThan(5);
	},
);

/** A file system of its own size: root may make one, unless a container forbids it. Skips the test where there can be none. */
function smallDisk(megabytes: number, {skip}: Pick<TestContext, 'skip'>): string {
	const folder = temporaryDirectory();
	const options = `size=${megabytes}m,mode=777,uid=65534,gid=65534`;
	try {
		execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], {stdio: 'pipe'});
	} catch {
		process.stderr.write(
			'\n*** No file system can be made here: a full disk of PostgreSQL is SKIPPED (be root) ***\n\n',
		);
		skip();
	}

	onTestFinished(() => execFileSync('umount', ['--lazy', folder]));
	return folder;
}

/** A body that cannot be made smaller. */
const largeBody = (bytes: number) => JSON.stringify({x: randomBytes(bytes).toString('base64')});

test.skipIf(postgresPrograms === undefined)(
	'a full disk of the database is said, and what was refused is accepted when there is room',
	async context => {
		const folder = smallDisk(4, context);
		const server = await openOwnPostgres();
		await administer(
			server.url,
			`CREATE TABLESPACE small LOCATION '${folder}'`,
			'ALTER ROLE postgres SET default_tablespace = small',
		);
		const {yaml, url, schema, surroundings} = await inDatabase({place: new URL(server.url)});
		const running = await runGateway(yaml, temporaryDirectory(), surroundings);
		const accepted: string[] = [];
		const large = (id: string) => post(running, id, largeBody(150_000));
		const next = () => `event-${accepted.length + 10}`;
		while ((await large(next()))[0] === 202) {
			accepted.push(next());
		}

		expect(accepted.length).toBeGreaterThan(3);
		expect(await large(next())).toEqual([503, '30']);
		expect(faultsOf(running).at(-1)).toMatchObject({
			reason: expect.stringMatching(/^The journal cannot be written\. .*its disk space.*No space left on device/u),
		});
		expect(await isAlive(running)).toBe(true);
		execFileSync('mount', ['-o', 'remount,size=64m', folder]);
		expect(await large(next())).toEqual([202, null]);
		expect(await large(next())).toEqual([200, null]);
		await running.eventWhere(journalFault('gone'));
		expect(await acceptedIn(url, schema)).toEqual([...accepted, next()]);
	},
);

test.skipIf(postgresPrograms === undefined)(
	'a full disk for what the database writes first ends the database, and loses and repeats nothing',
	async context => {
		const folder = smallDisk(40, context);
		const server = await openOwnPostgres();
		const written = join(server.folder, 'data', 'pg_wal');
		await server.stop();
		execFileSync('cp', ['-a', written, join(folder, 'pg_wal')]);
		rmSync(written, {recursive: true});
		symlinkSync(join(folder, 'pg_wal'), written);
		await server.start();
		const {running, url, schema, untilBack} = await openOn(server);
		const accepted: string[] = [];
		const next = () => `event-${accepted.length + 10}`;
		const send = () => post(running, next(), largeBody(500_000));
		const rest = join(folder, 'rest');
		execFileSync('sh', ['-c', 'cat /dev/zero >"$0" || true', rest], {stdio: 'pipe'});
		while ((await send())[0] === 202) {
			accepted.push(next());
		}

		expect(accepted.length).toBeGreaterThan(3);
		expect(await send()).toEqual([503, '30']);
		expect(faultsOf(running).at(-1)).toMatchObject({
			reason: expect.stringMatching(/^The journal cannot be used\. Check that PostgreSQL runs there/u),
		});
		expect(await isAlive(running)).toBe(true);
		rmSync(rest);
		await server.stop('at once');
		await server.start();
		await untilBack(send);
		expect((await send())[0]).toBe(200);
		expect(await acceptedIn(url, schema)).toEqual([...accepted, next()]);
	},
);

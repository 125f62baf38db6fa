import {execFileSync} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {expect, test} from 'vitest';
import {inDatabase, journalFault} from '../helpers/database-journal.ts';
import {onTestFinished} from '../helpers/on-test-finished.ts';
import {administer, hasPostgres, newSchema, postgresPrograms, startPostgres} from '../helpers/postgres-server.ts';
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

/** Root may make a file system of its own size, unless a container forbids it. */
function mountSmall(folder: string): boolean {
	try {
		execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=777,uid=65534,gid=65534', 'tmpfs', folder], {
			stdio: 'pipe',
		});
		onTestFinished(() => execFileSync('umount', ['--lazy', folder]));
		return true;
	} catch {
		return false;
	}
}

test.skipIf(postgresPrograms === undefined)(
	'a full disk of the database is said, and what was refused is accepted when there is room',
	async context => {
		const folder = temporaryDirectory();
		if (!mountSmall(folder)) {
			console.warn('No file system of its own size can be made here: a full disk of the database is not tried');
			context.skip();
		}

		const server = await startPostgres();
		onTestFinished(server.remove);
		await administer(
			server.url,
			`CREATE TABLESPACE small LOCATION '${folder}'`,
			'ALTER ROLE postgres SET default_tablespace = small',
		);
		const {yaml, url, schema, surroundings} = await inDatabase({place: new URL(server.url)});
		const running = await runGateway(yaml, temporaryDirectory(), surroundings);
		const accepted: string[] = [];
		const large = (id: string) => post(running, id, JSON.stringify({x: randomBytes(150_000).toString('base64')}));
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

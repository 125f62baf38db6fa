import {execFileSync, spawnSync} from 'node:child_process';
import {copyFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {onTestFinished, openForAll} from '../../helpers/on-test-finished.ts';
import {openOwnPostgres} from '../../helpers/own-postgres.ts';
import {administer, giveToServer, newSchema, postgresPrograms} from '../../helpers/postgres-server.ts';
import {openStorageOf} from '../../helpers/postgres-storage.ts';
import {refusalOf} from '../../helpers/refusal-of.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

/** This machine by an address that does not say so: as another one would, it has to prove who it is. */
const host = '0.0.0.0';

/** A certificate for a host, signed with its own key, and that key. */
function certificateFor(address: string) {
	const folder = temporaryDirectory();
	const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')];
	const days = ['-days', '2', '-subj', '/CN=journal', '-addext', `subjectAltName=IP:${address}`];
	execFileSync(
		'openssl',
		[
			'req',
			'-x509',
			'-newkey',
			'ec',
			'-pkeyopt',
			'ec_paramgen_curve:P-256',
			'-nodes',
			'-keyout',
			key,
			'-out',
			certificate,
			...days,
		],
		{stdio: 'pipe'},
	);
	return {key, certificate};
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) {
	process.stderr.write('\n*** No openssl here: PostgreSQL with a certificate is SKIPPED (install it) ***\n\n');
}

describe.skipIf(postgresPrograms === undefined || !hasOpenssl)('a database on another machine', () => {
	const server = openForAll(openOwnPostgres);

	/** The database by that address, whose server has a certificate, or takes no encrypted connections. */
	async function openDatabase(shown?: ReturnType<typeof certificateFor>) {
		const {url, folder} = server();
		if (shown) {
			for (const file of ['key', 'certificate'] as const) {
				copyFileSync(shown[file], join(folder, file));
				giveToServer(join(folder, file));
			}
		}

		const change = (ssl: 'on' | 'off') =>
			administer(
				url,
				`ALTER SYSTEM SET ssl_cert_file = '${join(folder, 'certificate')}'`,
				`ALTER SYSTEM SET ssl_key_file = '${join(folder, 'key')}'`,
				`ALTER SYSTEM SET ssl = ${ssl}`,
				'SELECT pg_reload_conf()',
			);
		await change(shown ? 'on' : 'off');
		onTestFinished(() => change('off'));
		await expect.poll(async () => (await administer(url, 'SHOW ssl'))[0]).toEqual({ssl: shown ? 'on' : 'off'});
		const schema = newSchema();
		const open = (search: string) =>
			openStorageOf({url: `${url.replace('127.0.0.1', host)}?${search}`, schema, pool: 2});
		return {open, url, schema};
	}

	test('is taken when its certificate is for that address, and each connection to it is encrypted', async () => {
		const shown = certificateFor(host);
		const {open, url} = await openDatabase(shown);
		await open(`sslmode=verify-full&sslrootcert=${shown.certificate}`);
		const connections = `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'sluice'`;
		expect(await administer(url, connections)).toEqual([{ssl: true}]);
	});

	test.each([
		['nobody vouches for its certificate', host, () => 'sslmode=verify-full', 'self-signed certificate'],
		[
			'its certificate is for another address',
			'192.0.2.1',
			(certificate: string) => `sslmode=verify-full&sslrootcert=${certificate}`,
			`IP: ${host} is not in the cert's list`,
		],
	])('is refused when %s, and nothing is written there', async (_, address, searchFor, detail) => {
		const shown = certificateFor(address);
		const {open, url, schema} = await openDatabase(shown);
		const problem = await refusalOf(open(searchFor(shown.certificate)));
		expect(problem).toMatchObject({code: 'storage_unavailable', detail: expect.stringContaining(detail)});
		expect(problem.message).toMatch(/^The database of the journal on 0\.0\.0\.0:\d+ cannot be used$/u);
		expect(await administer(url, `SELECT 1 FROM pg_namespace WHERE nspname = '${schema}'`)).toEqual([]);
	});

	test('is refused when it takes no encrypted connections', async () => {
		const {open} = await openDatabase();
		expect(await refusalOf(open('sslmode=verify-full'))).toMatchObject({
			code: 'storage_unavailable',
			detail: expect.stringContaining('does not support SSL connections'),
		});
	});
});

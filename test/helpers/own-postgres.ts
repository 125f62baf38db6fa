import {onTestFinished} from './on-test-finished.ts';
import {type PostgresServer, startCopy, startPostgres} from './postgres-server.ts';

/** A PostgreSQL server of a test's own, which it may stop and change; with `openForAll`, of the tests of a `describe`. */
export async function openOwnPostgres(): Promise<PostgresServer> {
	const server = await startPostgres();
	onTestFinished(server.remove);
	return server;
}

/** A server that follows another one and can only be read. */
export async function openCopyOf(server: PostgresServer): Promise<PostgresServer> {
	const copy = await startCopy(server);
	onTestFinished(copy.remove);
	return copy;
}

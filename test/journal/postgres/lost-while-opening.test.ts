import {once} from 'node:events';
import {type AddressInfo, connect, createServer} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';
import {findRun, idsOf, openStorageOf, queueRun} from '../../helpers/postgres-storage.ts';

test.skipIf(!hasPostgres)(
	'a connection that is lost while the tables are prepared refuses the journal, and the next attempt opens it',
	async () => {
		const {database} = await newPostgresPlace();
		const proxy = await openProxy(new URL(database.url), 'pg_advisory_xact_lock');
		const behindProxy = {...database, url: proxy.url};
		await expect(openStorageOf(behindProxy)).rejects.toMatchObject({code: 'storage_unavailable'});
		expect(proxy.cuts()).toBe(1);

		const {run, losses} = await openStorageOf(behindProxy);
		expect([idsOf(await run(queueRun('a'), findRun('a'))), losses]).toEqual([[undefined, 'a'], []]);
	},
);

/** A proxy that ends the first connection whose client sends this text; `cuts` is how often it has. */
async function openProxy(target: URL, text: string): Promise<{readonly url: string; readonly cuts: () => number}> {
	let cuts = 0;
	const server = createServer(client => {
		const backend = connect(Number(target.port || 5432), target.hostname);
		client.on('data', chunk => {
			if (cuts === 0 && chunk.includes(text)) {
				cuts++;
				client.destroy();
				backend.destroy();
			} else {
				backend.write(chunk);
			}
		});
		backend.on('data', chunk => void client.write(chunk));
		[client, backend].forEach(socket =>
			socket
				.on('error', () => undefined)
				.on('close', () => {
					client.destroy();
					backend.destroy();
				}),
		);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => void server.close());
	const url = new URL(target);
	url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {url: url.href, cuts: () => cuts};
}

import {createHmac, createSecretKey, timingSafeEqual} from 'node:crypto';
import {DatabaseSync} from 'node:sqlite';
import fastify from 'fastify';

/*
The least a receiver can do: fastify, the same HMAC over the raw bytes, the same JSON.parse, an answer. It keeps nothing and answers one by one, or
lets the answers of a turn go together (`batches`), or, with a file, keeps the least that a kept event is: one row under a unique delivery id, on
the disk before the answer, many in a transaction.
Arguments: the secret, the largest body in bytes, nothing or `batches` or the file. Prints its port.
*/

const [secret = '', limit = '1048576', way = ''] = process.argv.slice(2);
const keep = openKeeping(way);
const key = createSecretKey(Buffer.from(secret));
const server = fastify({bodyLimit: Number(limit)});
server.removeAllContentTypeParsers();
server.addContentTypeParser('*', {parseAs: 'buffer'}, (_request, body, done) => done(null, body));
server.post('/webhooks/:route', async (request, reply) => {
	const body = request.body as Buffer;
	const written = request.headers['x-hub-signature-256'];
	const expected = Buffer.from(`sha256=${createHmac('sha256', key).update(body).digest('hex')}`);
	const given = Buffer.from(typeof written === 'string' ? written : '');
	if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
		return reply.code(401).send({error: 'Invalid signature'});
	}

	JSON.parse(body.toString('utf8'));
	await keep?.(String(request.headers['x-github-delivery']), body);
	return reply.code(202).send({status: 'accepted'});
});
console.log(new URL(await server.listen({host: '127.0.0.1', port: 0})).port);

/** The work on an event before its answer. */
type Keep = (id: string, body: Uint8Array) => Promise<void>;

function openKeeping(way: string): Keep | undefined {
	switch (way) {
		case '':
			return undefined;
		case 'batches':
			return () => new Promise(resolve => setImmediate(resolve));
		default:
			return openTable(way);
	}
}

function openTable(path: string): Keep {
	const database = new DatabaseSync(path);
	database.exec(`
		PRAGMA journal_mode = WAL;
		PRAGMA synchronous = FULL;
		CREATE TABLE events (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body BLOB NOT NULL) STRICT;
	`);
	const insert = database.prepare('INSERT OR IGNORE INTO events (id, body) VALUES (?, ?)');
	let waiting: Array<{readonly id: string; readonly body: Uint8Array; readonly kept: () => void}> = [];
	const commit = () => {
		const rows = waiting;
		waiting = [];
		database.exec('BEGIN');
		rows.forEach(({id, body}) => insert.run(id, body));
		database.exec('COMMIT');
		rows.forEach(({kept}) => kept());
	};

	return (id, body) =>
		new Promise(kept => {
			if (waiting.push({id, body, kept}) === 1) {
				setImmediate(commit);
			}
		});
}

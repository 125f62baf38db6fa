import {createHmac, createSecretKey, timingSafeEqual} from 'node:crypto';
import fastify from 'fastify';

/*
The least a receiver can do: fastify, the same HMAC over the raw bytes, the same JSON.parse, an answer. It keeps nothing.
Arguments: the secret, the largest body in bytes. Prints its port.
*/

const [secret = '', limit = '1048576'] = process.argv.slice(2);
const key = createSecretKey(Buffer.from(secret));
const server = fastify({bodyLimit: Number(limit)});
server.removeAllContentTypeParsers();
server.addContentTypeParser('*', {parseAs: 'buffer'}, (_request, body, done) => done(null, body));
server.post('/webhooks/:route', (request, reply) => {
	const body = request.body as Buffer;
	const written = request.headers['x-hub-signature-256'];
	const expected = Buffer.from(`sha256=${createHmac('sha256', key).update(body).digest('hex')}`);
	const given = Buffer.from(typeof written === 'string' ? written : '');
	if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
		return reply.code(401).send({error: 'Invalid signature'});
	}

	JSON.parse(body.toString('utf8'));
	return reply.code(202).send({status: 'accepted'});
});
console.log(new URL(await server.listen({host: '127.0.0.1', port: 0})).port);

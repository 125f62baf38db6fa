import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {dial} from '../../webhooks/open-adapter.ts';
import {openEndpoint, token} from './endpoint-fixture.ts';

/** Sends the whole body before it reads the response, as most clients do. */
const program = `
import http.client, json, sys
port, method, path, headers, size = json.loads(sys.argv[1])
statuses = []
for declared in [True, False] * 5:
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
    try:
        body = b'x' * size
        connection.request(method, path, body if declared else iter([body[at:at + 500_000] for at in range(0, size, 500_000)]), headers)
        statuses.append(connection.getresponse().status)
    except Exception as error:
        statuses.append(type(error).__name__)
    connection.close()
print(' '.join(map(str, statuses)))
`;

const authorization = `Bearer ${token}`;
const accept = 'application/json, text/event-stream';
const json = 'application/json';
const large = 12_000_000;

describe('a sender that reads nothing before its body is sent', () => {
	test.each([
		{status: 401, method: 'POST', path: '/mcp', headers: {}, size: large},
		{status: 403, method: 'POST', path: '/mcp', headers: {origin: 'https://attacker.example'}, size: large},
		{status: 404, method: 'PUT', path: '/elsewhere', headers: {}, size: large},
		{status: 404, method: 'POST', path: '/metrics', headers: {}, size: large},
		{status: 413, method: 'POST', path: '/mcp', headers: {authorization, accept, 'content-type': json}, size: large},
		{status: 405, method: 'PUT', path: '/mcp', headers: {authorization, accept}, size: 4_000_000},
		{status: 413, method: 'PUT', path: '/mcp', headers: {authorization, accept}, size: large},
		{
			status: 415,
			method: 'POST',
			path: '/mcp',
			headers: {authorization, accept, 'content-type': 'a/b'},
			size: 4_000_000,
		},
		{
			status: 400,
			method: 'POST',
			path: '/mcp',
			headers: {authorization, accept, 'content-type': json},
			size: 4_000_000,
		},
	])('sees $status for $method $path of $size bytes', async ({status, method, path, headers, size}) => {
		const {url} = await openEndpoint();
		const sent = JSON.stringify([Number(new URL(url).port), method, path, headers, size]);
		const {stdout} = await promisify(execFile)('python3', ['-c', program, sent]);
		expect(stdout.trim()).toBe(Array(10).fill(status).join(' '));
	});
});

const head = (bytes: number) => `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${bytes}\r\n\r\n`;

test('a refusal comes at once, and its connection is closed after 5 s', async () => {
	const clock = createFakeClock();
	const {url} = await openEndpoint({listenerClock: clock});
	const connection = dial(url);
	connection.socket.write(head(20_000));
	await connection.sees('A valid bearer token is needed');
	await clock.advance(4999);
	connection.socket.write('still read');
	await clock.settle();
	expect(connection.socket.readableEnded).toBe(false);
	await clock.advance(1);
	await connection.closed;
	expect(connection.statuses()).toEqual([401]);
});

test('a stop does not wait for the body of a refusal', async () => {
	const {url, listener} = await openEndpoint({listenerClock: createFakeClock()});
	const connection = dial(url);
	connection.socket.write(head(20_000));
	await connection.sees('A valid bearer token is needed');
	await listener.close();
	await connection.closed;
});

test('a body of unknown length is read whole up to the limit', async () => {
	const {endpoint} = await openEndpoint();
	const ping = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}';
	const response = await fetch(endpoint, {
		method: 'POST',
		headers: {authorization, accept, 'content-type': json},
		body: new Blob([ping]).stream(),
		duplex: 'half',
	});
	// It needs a session, so it was read.
	expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('not initialized')]);
});

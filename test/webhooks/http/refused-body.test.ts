import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {dial, openAdapter} from '../open-adapter.ts';
import {webhookConfig} from '../webhook-config.ts';

const config = webhookConfig({routes: [{name: 'open'}], maxBodyBytes: 10_000});

/** Sends the whole body before it reads the response, as most clients do. */
const program = `
import http.client, sys
statuses = []
for declared in [True, False] * 10:
    connection = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]), timeout=20)
    try:
        body = b'x' * 5_000_000
        connection.request('POST', '/webhooks/open', body if declared else iter([body]))
        statuses.append(connection.getresponse().status)
    except Exception as error:
        statuses.append(type(error).__name__)
    connection.close()
print(' '.join(map(str, statuses)))
`;

/** The head of a request whose body of `bytes` is refused, or with few bytes awaited. */
function head(bytes: number): string {
	return `POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes}\r\n\r\n`;
}

describe('a body that is too large', () => {
	test('is read to its end, so that Python sees the answer', async () => {
		const {url} = await openAdapter({config});
		const {stdout} = await promisify(execFile)('python3', ['-c', program, new URL(url).port]);
		expect(stdout.trim()).toBe(Array(20).fill('413').join(' '));
	});

	test('is answered at once, and its connection is closed after 5 s', async () => {
		const clock = createFakeClock();
		const {url} = await openAdapter({config, clock});
		const connection = dial(url);
		connection.socket.write(head(20_000));
		await connection.sees('Payload too large');
		await clock.advance(4999);
		connection.socket.write('still read');
		await clock.settle();
		expect(connection.socket.readableEnded).toBe(false);
		await clock.advance(1);
		await connection.closed;
		expect(connection.statuses()).toEqual([413]);
	});

	test('is read up to 32 MB', async () => {
		const {url} = await openAdapter({config, clock: createFakeClock()});
		const connection = dial(url);
		const mebibyte = Buffer.alloc(1024 * 1024);
		connection.socket.write(head(100 * mebibyte.length));
		await connection.sees('Payload too large');
		const send = () => new Promise<boolean>(resolve => connection.socket.write(mebibyte, error => resolve(!error)));
		let sent = 0;
		while (sent < 100 && (await send())) {
			sent++;
		}

		await connection.closed;
		// The socket's own buffers take some more.
		expect(sent).toBeGreaterThanOrEqual(32);
		expect(sent).toBeLessThan(60);
	});
});

describe('the places of a route', () => {
	const limits = {unverifiedBodies: 2};

	test('go from the oldest refused body to one that is read', async () => {
		const {url} = await openAdapter({config, limits, clock: createFakeClock()});
		const refused = [dial(url), dial(url)] as const;
		for (const one of refused) {
			one.socket.write(head(20_000));
			await one.sees('Payload too large');
		}

		const [oldest, newest] = refused;
		const good = dial(url);
		good.socket.write(head(2));
		await oldest.closed;
		good.socket.write('{}');
		await good.sees('accepted');
		expect(newest.socket.readableEnded).toBe(false);
		newest.socket.write('x'.repeat(20_000));
		await newest.closed;
		expect(newest.statuses()).toEqual([413]);
	});

	test('are kept by bodies that are read: a refused one is not read to its end then', async () => {
		const {url} = await openAdapter({config, limits, clock: createFakeClock()});
		const good = [dial(url), dial(url)];
		for (const {socket} of good) {
			socket.write(head(2).replace('\r\n\r\n', '\r\nexpect: 100-continue\r\n\r\n'));
		}

		await Promise.all(good.map(one => one.sees('100 Continue')));
		const refused = dial(url);
		refused.socket.write(head(20_000));
		await refused.closed;
		expect(refused.statuses()).toEqual([413]);
		good.forEach(({socket}) => socket.write('{}'));
		await Promise.all(good.map(one => one.sees('accepted')));
	});

	test('go from the oldest refused body to the next refused one', async () => {
		const {url} = await openAdapter({config, limits, clock: createFakeClock()});
		const refused = [dial(url), dial(url), dial(url)];
		for (const one of refused) {
			one.socket.write(head(20_000));
			await one.sees('Payload too large');
		}

		await refused[0]?.closed;
		expect(refused.slice(1).map(({socket}) => socket.readableEnded)).toEqual([false, false]);
	});
});

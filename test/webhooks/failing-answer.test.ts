import {expect, onTestFinished, test} from 'vitest';
import {systemClock} from '../../source/util/clock.ts';
import {replyTo} from '../../source/webhooks/http/outcome.ts';
import {createServer} from '../../source/webhooks/http/server.ts';

test('an answer that fails against all expectation costs its connection and nothing else', async () => {
	let asked = 0;
	const server = await createServer({
		clock: systemClock,
		answer: async () => {
			asked++;
			if (asked === 1) {
				throw new Error('nobody thought of this');
			}

			return {...replyTo({kind: 'bad-request'}), takeDiscard: () => undefined};
		},
		answerMalformed: kind => replyTo({kind}),
		limits: {
			headersMilliseconds: 5000,
			requestMilliseconds: 5000,
			keepAliveMilliseconds: 5000,
			checkMilliseconds: 1000,
			maxHeaderBytes: 16_384,
			maxConnections: 10,
		},
	});
	onTestFinished(() => server.close(0));
	const url = await server.listen({host: '127.0.0.1', port: 0});
	await expect(fetch(url)).rejects.toThrow();
	expect((await fetch(url)).status).toBe(400);
});

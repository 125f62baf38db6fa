import {expect, test} from 'vitest';
import {checkChannel} from '../../source/remote/channels.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {serve} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openNtfy} from '../simulators/platforms/ntfy.ts';
import {onTestFinished} from '../helpers/on-test-finished.ts';
import {askMessage, doneMessage, openTestChannel} from './open-test-channel.ts';

async function open(topic?: string) {
	const server = await openNtfy();
	onTestFinished(server.close);
	const clock = createFakeClock();
	const settings = {
		platform: 'ntfy',
		url: `${server.baseUrl}/${topic ?? server.chatId}`,
		token: server.settings['token'] as string,
	} as const;
	return {...(await openTestChannel(settings, clock)), server, settings, clock};
}

test('a notice is one message with a title, and takes no answers', async () => {
	const {channel, signal, server} = await open();
	expect(await channel.send(askMessage, signal)).toMatchObject({kind: 'sent', address: {chat: server.chatId}});
	expect(server.received).toMatchObject([{chat: server.chatId, text: '{"path": "/tmp/<b>*a*</b> @here"}\na1b2'}]);
	expect(server.faults).toEqual([]);
	expect([channel.receive, channel.edit, channel.acknowledge]).toEqual([undefined, undefined, undefined]);
});

test('a notice of one line is its title and its text', async () => {
	const {channel, signal, server} = await open();
	await channel.send(doneMessage, signal);
	expect(server.received).toMatchObject([{text: 'Denied by person 456'}]);
});

test('a notice of more than 4,096 bytes is refused, as it would become a file', async () => {
	const {channel, signal, server} = await open();
	const long = (bytes: number) => ({
		parts: [{kind: 'own', text: 'title'} as const, {kind: 'foreign', text: 'é'.repeat(bytes / 2)} as const],
		buttons: [],
	});
	expect((await channel.send(long(4098), signal)).kind).toBe('refused');
	expect(server.requests()).toBe(0);
	expect((await channel.send(long(4096), signal)).kind).toBe('sent');
});

test('a notice that is refused says why; a full quota, when there is room again', async () => {
	const {channel, signal, server} = await open();
	server.plan({kind: 'rejected'}, {kind: 'rate-limited', waitSeconds: 9}, {kind: 'hang-up-after-taking'});
	expect(await channel.send(doneMessage, signal)).toMatchObject({
		kind: 'refused',
		message: expect.stringContaining('Check `url`'),
	});
	expect(await channel.send(doneMessage, signal)).toMatchObject({kind: 'refused', retryAfter: 5000});
	expect((await channel.send(doneMessage, signal)).kind).toBe('uncertain');
});

test('an address below a path is kept, and without a token there is none in the request', async () => {
	const bodies: string[] = [];
	const {origin, requests} = await serve((request, response) => {
		request.on('data', chunk => void bodies.push(String(chunk)));
		request.on('end', () => response.end('{"id":"x","event":"message"}'));
	});
	const settings = {platform: 'ntfy', url: `${origin}/push/my%20topic/`, token: ''} as const;
	const {channel, signal} = await openTestChannel(settings, createFakeClock());
	expect(await channel.send(doneMessage, signal)).toEqual({kind: 'sent', address: {chat: 'my topic', message: 'x'}});
	expect(requests[0]!.url).toBe('/push');
	expect(requests[0]!.headers.authorization).toBeUndefined();
	expect(JSON.parse(bodies.join(''))).toMatchObject({topic: 'my topic'});
	expect(await checkChannel(settings, createFakeClock(), neverAborted())).toEqual({kind: 'ok', name: 'ntfy'});
});

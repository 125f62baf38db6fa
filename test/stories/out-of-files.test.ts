import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import {Agent, request} from 'node:http';
import {connect, type Socket} from 'node:net';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test, vi} from 'vitest';
import {openScriptedModel} from '../simulators/scripted-model.ts';
import {type Running, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {listeningAt} from './sender.ts';

/** One connection that stays open: a sender that came before the others. */
function openSender(base: string) {
	const agent = new Agent({keepAlive: true, maxSockets: 1});
	onTestFinished(() => agent.destroy());
	return async (route: string, body: object): Promise<number> => {
		const sent = request(`${base}/webhooks/${route}`, {agent, method: 'POST'});
		sent.end(JSON.stringify(body));
		const [response] = await once(sent, 'response');
		await text(response);
		return response.statusCode;
	};
}

const openFiles = 64;

/** Opens silent connections until the program at the other end can open nothing more; the returned function closes them. */
async function takeAllFiles({pid}: Running, base: string): Promise<() => void> {
	const {hostname, port} = new URL(base);
	const sockets = Array.from(
		{length: openFiles + 36},
		(): Socket => connect(Number(port), hostname).on('error', () => undefined),
	);
	await Promise.allSettled(sockets.map(socket => once(socket, 'connect')));
	await vi.waitFor(() => expect(readdirSync(`/proc/${pid}/fd`).length).toBeGreaterThanOrEqual(openFiles), 25_000);
	const close = () => sockets.forEach(socket => void socket.destroy());
	onTestFinished(close);
	return close;
}

test('an event that was accepted while no file could be opened is answered as soon as one can be', async () => {
	const model = await openScriptedModel(() => 'Read.');
	onTestFinished(model.close);
	const home = stateDirectory({
		model: {provider: 'openai-compatible', base_url: model.baseUrl, name: 'scripted'},
		platforms: {
			webhook: {
				enabled: true,
				port: 0,
				secret: 'INSECURE_NO_AUTH',
				routes: {r: {prompt: 'Read {number}', toolsets: []}},
			},
		},
	});
	const gateway = startSluice({home, openFiles}, 'gateway', 'run', '--log', 'json');
	const base = await listeningAt(gateway);
	await gateway.waitForLine('"model.state"');
	const send = openSender(base);
	expect(await send('unknown', {})).toBe(404);

	const giveBack = await takeAllFiles(gateway, base);
	expect(await send('r', {number: 1})).toBe(202);
	await gateway.waitForLine(/too many open files|EMFILE|No more files/);
	expect(model.asked()).toEqual([]);
	giveBack();
	const line = JSON.parse(await gateway.waitForLine('"state":"finished"'));
	expect(line).toMatchObject({type: 'run.state', route: 'r', answer: 'Read.'});
	expect(model.asked()).toHaveLength(1);
});

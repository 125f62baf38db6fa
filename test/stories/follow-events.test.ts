import {expect, test} from 'vitest';
import {pipeSluice} from '../helpers/piped-sluice.ts';
import {runSluice} from '../helpers/run-sluice.ts';
import {startSluice, stateDirectory} from '../helpers/sluice.ts';
import {listeningAt, post, signatures, webhookPlatform} from './sender.ts';

const [sign] = Object.values(signatures);

test('events are followed from another terminal, those of one route and as JSON, until Ctrl-C or until nobody reads them', async () => {
	const home = stateDirectory(webhookPlatform({issues: {}, alerts: {}}));
	const gateway = startSluice({home}, 'gateway', 'run', '--log', 'json');
	const base = await listeningAt(gateway);
	const send = (id: string, route: string) => post(base, {id, route, payload: {event_type: 'ping'}, sign});
	await send('before', 'issues');

	const lines = startSluice({home}, 'events', 'list', '--follow');
	const json = startSluice({home}, 'events', 'list', '--follow', '--route', 'alerts', '--json');
	await lines.waitForLine(/ 202 {2}issues {2}"ping" {2}accepted$/u);
	await expect
		.poll(async () => {
			await send('after', 'alerts');
			return json.waitForLine(/"delivery_id":"after"/u).then(line => JSON.parse(line) as unknown);
		})
		.toMatchObject({route: 'alerts', event: 'ping', outcome: 'accepted', status: 202});
	await lines.waitForLine(/ 202 {2}alerts {2}"ping" {2}accepted$/u);
	const left = pipeSluice({home}, 'stdout', 'events', 'list', '--follow');
	await left.read(1);
	left.leave();
	await send('unread', 'alerts');
	await send('unread too', 'alerts');
	expect(await left.end).toEqual({code: 0, other: ''});
	for (const following of [lines, json]) {
		following.signal('SIGINT');
		expect(await following.end).toMatchObject({code: 0, stderr: ''});
	}

	expect((await json.end).stdout).not.toContain('issues');
	gateway.signal('SIGTERM');
	await gateway.end;
	expect(await runSluice({home}, 'events', 'list', '--follow')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('No gateway is running'),
	});
});

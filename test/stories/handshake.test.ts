import {expect, test} from 'vitest';
import {freePort} from '../helpers/free-port.ts';
import {pressUntil, sluice, startSluice, stateDirectory, typeSluice} from '../helpers/sluice.ts';

/** A running gateway with a route for SNS. */
async function open() {
	const port = await freePort();
	const secret = {topic_arn: 'arn:aws:sns:us-east-1:123456789012:alarms'};
	const routes = {alarms: {signature: 'sns', secret}, plain: {secret: 'a secret of a test'}};
	const home = stateDirectory({platforms: {webhook: {enabled: true, port, routes}}});
	await startSluice({home}, 'gateway', 'run').waitForLine('started');
	return {home};
}

test('a person who waits for a confirmation and leaves changes nothing', async () => {
	const {home} = await open();
	const terminal = typeSluice({home}, 'webhook', 'handshake', 'alarms');
	await terminal.waitFor('Waiting 10 minutes for the confirmation of alarms');
	terminal.press('\u0003');
	expect(await terminal.exit).not.toBe(0);
	expect(terminal.screen().join('\n')).not.toContain('confirmed');
	expect((await sluice({home}, 'status')).code).toBe(0);
});

test('a route whose sender asks for no confirmation is refused at once', async () => {
	const {home} = await open();
	const terminal = typeSluice({home}, 'webhook', 'handshake', 'plain');
	await terminal.waitFor('needs no handshake');
	expect(await terminal.exit).toBe(2);
});

test('at the dashboard the route says so as well', async () => {
	const {home} = await open();
	const dashboard = typeSluice({home});
	await dashboard.waitFor('alarms');
	await pressUntil(dashboard, '6', 'h handshake');
	dashboard.press('h');
	await dashboard.waitFor('waiting 10 minutes for a confirmation on alarms');
	await pressUntil(dashboard, 'j', '> ● plain');
	await pressUntil(dashboard, 'h', 'needs no handshake');
});

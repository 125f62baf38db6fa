import {describe, expect, onTestFinished, test} from 'vitest';
import {connectControl} from '../../../source/control/client.ts';
import {type GatewayEvent} from '../../../source/state/event.ts';
import {reduceAll} from '../../../source/state/reduce.ts';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {freePort} from '../../helpers/free-port.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openTelegram} from '../../simulators/platforms/telegram.ts';

/** A gateway whose route `r` delivers to a pretended Telegram at once, and another one on the same directory. */
async function start() {
	const telegram = await openTelegram();
	onTestFinished(telegram.close);
	const port = await freePort();
	const root = temporaryDirectory();
	const route = {prompt: '{title}', deliver: 'telegram', deliver_only: true, deliver_extra: {chat_id: telegram.chatId}};
	const webhook = {enabled: true, port: 0, secret: 'INSECURE_NO_AUTH', routes: {r: route}};
	const yaml = JSON.stringify({
		platforms: {telegram: telegram.settings, webhook},
		gateway: {endpoint: {port}},
		metrics: {enabled: true},
	});
	const open = async () => {
		const running = await runGateway(yaml, root);
		await running.eventWhere(({type}) => type === 'webhook.state');
		let posts = 0;
		const post = async () => {
			const headers = {'x-request-id': `${Date.now()}-${++posts}`};
			const address = `${running.gateway.webhookUrl()}/webhooks/r`;
			const response = await fetch(address, {method: 'POST', headers, body: JSON.stringify({title: 'Build 17'})});
			await response.text();
			return response.status;
		};
		const fail = async () => {
			telegram.plan({kind: 'rejected'});
			expect(await post()).toBe(502);
		};
		const waiting = () => reduceAll(emptySnapshot, running.events).failedDeliveries.length;
		return {...running, post, fail, waiting};
	};

	const metrics = async () => {
		const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
		return text.split('\n').filter(line => /^sluice_(?:failed_)?deliveries.*\{/u.test(line));
	};

	return {open, metrics};
}

const cleared = (by: string) => (event: GatewayEvent) => event.type === 'delivery.cleared' && event.by === by;

describe('deliveries that fail', () => {
	test('count once for their route and platform, with the number and the last reason, also after a restart', async () => {
		const {open} = await start();
		const first = await open();
		expect(await first.post()).toBe(200);
		expect(first.waiting()).toBe(0);
		await first.fail();
		await first.fail();
		expect(first.waiting()).toBe(1);
		await first.gateway.stop('the test goes on');
		const second = await open();
		expect(second.waiting()).toBe(1);
		expect(second.events.filter(({type}) => type === 'delivery.failing')).toMatchObject([
			{
				profile: 'default',
				route: 'r',
				target: 'telegram',
				failures: 2,
				reason: expect.stringContaining('chat not found'),
			},
		]);
	});

	test('are forgotten once a later one there arrives', async () => {
		const {open} = await start();
		const {fail, post, waiting, eventWhere} = await open();
		await fail();
		expect(waiting()).toBe(1);
		expect(await post()).toBe(200);
		await eventWhere(cleared('delivery'));
		expect(waiting()).toBe(0);
	});

	test('are forgotten when a person dismisses them, and count again when the next one fails', async () => {
		const {open} = await start();
		const {gateway, fail, waiting, eventWhere} = await open();
		await fail();
		const failing = await eventWhere(({type}) => type === 'delivery.failing');
		gateway.send({
			method: 'deliveries.dismiss',
			params: {ids: failing.type === 'delivery.failing' ? [failing.id] : []},
		});
		await eventWhere(cleared('person'));
		expect(waiting()).toBe(0);
		await fail();
		expect(waiting()).toBe(1);
	});

	test('are listed over the control socket, and are forgotten when they are sent again', async () => {
		const {open} = await start();
		const {fail, paths, waiting} = await open();
		await fail();
		const control = await connectControl({path: paths.controlSocket, clock: systemClock});
		onTestFinished(() => control?.close());
		const listed = () => control?.call('deliveries.failed', {}, {signal: neverAborted()});
		const [failing] = (await listed()) ?? [];
		expect(failing).toMatchObject({profile: 'default', route: 'r', job: null, target: 'telegram', failures: 1});
		await control?.call('events.deliver', {id: failing?.event_id ?? ''}, {signal: neverAborted()});
		expect([await listed(), waiting()]).toEqual([[], 0]);
	});

	test('stand in the metrics by route and platform', async () => {
		const {open, metrics} = await start();
		const {fail, post, eventWhere} = await open();
		await eventWhere(({type}) => type === 'endpoint.state');
		await fail();
		await fail();
		const total = 'sluice_deliveries_total{profile="default",route="r",target="telegram",outcome';
		expect(await metrics()).toEqual([
			`${total}="failed"} 2`,
			'sluice_failed_deliveries{profile="default",route="r",job="",target="telegram"} 2',
		]);
		await post();
		expect(await metrics()).toEqual([`${total}="failed"} 2`, `${total}="delivered"} 1`]);
	});
});

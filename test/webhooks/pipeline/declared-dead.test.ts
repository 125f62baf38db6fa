import {describe, expect, test} from 'vitest';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {openNode} from '../../helpers/journal-nodes.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';
import {openAdapter} from '../open-adapter.ts';
import {webhookConfig} from '../webhook-config.ts';

const config = webhookConfig({routes: [{name: 'job', cronJob: 'backup'}]});
const dropped = {kind: 'dropped', reason: 'the job is paused'} as const;

async function post(url: string): Promise<readonly unknown[]> {
	const response = await fetch(`${url}/webhooks/job`, {method: 'POST', body: '{}', headers: {'x-request-id': 'one'}});
	const {status} = (await response.json()) as Readonly<Record<string, unknown>>;
	return [response.status, status];
}

describe.skipIf(!hasPostgres)('a gateway that is declared dead before the job of an event was asked', () => {
	test.each([true, false])('accepts no delivery id that another one accepted meanwhile: %s', async isReleased => {
		const place = await newPostgresPlace();
		const [frozen, alive] = [await openNode(place, 'a', 50), await openNode(place, 'b')];
		const isAsked = Promise.withResolvers<void>();
		const mayEnd = Promise.withResolvers<typeof dropped>();
		const first = await openAdapter({
			config,
			journal: frozen.journal,
			fireJob() {
				isAsked.resolve();
				return mayEnd.promise;
			},
		});
		const second = await openAdapter({config, journal: alive.journal, fireJob: async () => dropped});
		const answer = post(first.url);
		await isAsked.promise;
		await expect.poll(() => alive.journal.expireNodes(), {interval: 10}).toEqual(['a']);
		if (isReleased) {
			alive.journal.releaseOpenDeliveries(Date.now());
			expect(await post(second.url)).toEqual([202, 'accepted']);
		}

		await frozen.enterAgain();
		mayEnd.resolve(dropped);
		expect(await answer).toEqual(isReleased ? [503, undefined] : [202, 'accepted']);
		alive.journal.releaseOpenDeliveries(Date.now());
		expect(await post(second.url)).toEqual([200, 'duplicate']);
		const rows = await alive.journal.listEvents({limit: 10});
		const statuses = rows.map(({status, outcome}) => [status, outcome]).reverse();
		expect(statuses).toEqual([...(isReleased ? [[503, 'unavailable']] : []), [202, 'accepted'], [200, 'duplicate']]);
	});

	test('has its dropped job on disk before the sender is told', async () => {
		const place = await newPostgresPlace();
		const [first, second] = [await openNode(place, 'a', 50), await openNode(place, 'b')];
		const {url} = await openAdapter({config, journal: first.journal, fireJob: async () => dropped});
		const other = await openAdapter({config, journal: second.journal, fireJob: async () => dropped});
		expect(await post(url)).toEqual([202, 'accepted']);
		await expect.poll(() => second.journal.expireNodes(), {interval: 10}).toEqual(['a']);
		second.journal.releaseOpenDeliveries(Date.now());
		expect(await post(other.url)).toEqual([200, 'duplicate']);
	});
});

import {describe, expect, onTestFinished, test} from 'vitest';
import {type JournalPlace, openJournalAnywhere} from '../../../source/journal/open-journal.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {journalLimits} from '../../helpers/journal-records.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';
import {openAdapter} from '../open-adapter.ts';
import {webhookConfig} from '../webhook-config.ts';
import {to} from '../../helpers/destinations.ts';

const coalesce = {key: 'pr', windowSeconds: 30, maxWaitSeconds: 100};
const config = {name: 'r', prompt: '{title}', deliver: to('telegram', {chat_id: '{title}'}), coalesce};

describe.skipIf(!hasPostgres)('windows in a journal that gateways share', () => {
	/** A gateway with the route, unless it has none, on the journal of a place. */
	async function openGateway(place: JournalPlace, routes = [config]) {
		const clock = createFakeClock();
		const journal = await openJournalAnywhere({...place, clock, limits: journalLimits({})});
		onTestFinished(() => journal.close());
		const settings = webhookConfig({routes});
		const {adapter, url} = await openAdapter({config: settings, clock, journal, isShared: () => true});
		return {
			adapter,
			clock,
			journal,
			settings,
			post: (title: string) =>
				fetch(`${url}/webhooks/r`, {method: 'POST', body: JSON.stringify({pr: 1, title})}).then(({status}) => status),
			prompts: async () => (await journal.listRuns({limit: 10})).map(({prompt}) => prompt),
		};
	}

	test('a stop closes no window: another gateway takes it when it is due', async () => {
		const place = await newPostgresPlace();
		const first = await openGateway(place);
		expect(await first.post('one')).toBe(202);
		const second = await openGateway(place);
		await first.adapter.close();
		expect(await second.prompts()).toEqual([]);
		await second.clock.advance(29_999);
		expect(await second.prompts()).toEqual([]);
		await second.clock.advance(1);
		await expect.poll(second.prompts).toEqual(['one']);
	});

	test('nor does a listener that ends or moves, whose gateway takes it itself', async () => {
		const {adapter, settings, clock, post, prompts} = await openGateway(await newPostgresPlace());
		await post('one');
		await adapter.apply({...settings, enabled: false});
		expect(await prompts()).toEqual([]);
		await clock.advance(30_000);
		await expect.poll(prompts).toEqual(['one']);
	});

	test('a gateway without the route closes a window of it when it is due, however often it finds that open', async () => {
		const place = await newPostgresPlace();
		const first = await openGateway(place);
		await first.post('one');
		const second = await openGateway(place, []);
		await expect.poll(second.clock.open).toBe(1);
		await second.adapter.resume();
		// Both looks have ended once a later one of the same connection has.
		await second.journal.takeDueWindow({route: 'r', key: '1'});
		await second.clock.settle();
		expect([await second.prompts(), second.clock.open()]).toEqual([[], 1]);
		await second.clock.advance(30_000);
		await expect.poll(second.prompts).toEqual(['one']);
	});
});

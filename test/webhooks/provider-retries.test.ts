import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type PresetName, presetNames, presets} from '../../source/config/webhooks/presets/preset-table.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openAdapter} from './open-adapter.ts';
import {googleKeys, providerOf, routeOf} from './provider-messages.ts';
import {webhookConfig} from './webhook-config.ts';

const withId = presetNames.filter(name => presets[name].sample.id !== undefined);
const retriesAt = (seconds: number) => withId.filter(name => seconds < Math.max(3600, presets[name].retrySeconds ?? 0));

test('a provider that retries after 3 s, 10 s, a restart and 20 hours has one run', async () => {
	const clock = createFakeClock();
	const path = join(temporaryDirectory(), 'journal.db');
	const routes = withId.map(name => ({...routeOf(providerOf(name)), name}));
	const start = async () => {
		const journal = openTestJournal({path, clock});
		const fetchText = async () => JSON.stringify(googleKeys);
		const config = webhookConfig({routes, rateLimit: 1000});
		const {url, adapter} = await openAdapter({config, journal, clock, fetchText});
		const post = async (name: PresetName) => {
			const {body, headers} = providerOf(name).sendSample(Math.floor(clock.now() / 1000));
			const type = {'content-type': 'application/json'};
			const response = await fetch(`${url}/webhooks/${name}`, {method: 'POST', body, headers: {...type, ...headers}});
			return `${name} ${Object(await response.json()).status}`;
		};

		return {journal, adapter, post};
	};

	const first = await start();
	expect(await Promise.all(withId.map(first.post))).toEqual(withId.map(name => `${name} accepted`));
	await clock.advance(3000);
	expect(await Promise.all(withId.map(first.post))).toEqual(withId.map(name => `${name} duplicate`));
	await clock.advance(7000);
	expect(await Promise.all(withId.map(first.post))).toEqual(withId.map(name => `${name} duplicate`));
	await first.adapter.close();
	await first.journal.close();

	const second = await start();
	expect(await Promise.all(withId.map(second.post))).toEqual(withId.map(name => `${name} duplicate`));
	await clock.advance(72_000_000 - 10_000);
	const late = retriesAt(72_000);
	expect(late.length).toBeGreaterThan(5);
	expect(await Promise.all(late.map(second.post))).toEqual(late.map(name => `${name} duplicate`));
	const runs = await second.journal.listRuns({limit: 100});
	expect(runs.map(({route}) => route).toSorted()).toEqual([...withId].toSorted());
});

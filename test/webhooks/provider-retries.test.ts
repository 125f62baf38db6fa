import {describe, expect, test} from 'vitest';
import {type PresetName, presetNames, presets} from '../../source/config/webhooks/presets/preset-table.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {openAdapter} from './open-adapter.ts';
import {fetchProviderKeys, providerOf, routeOf} from './provider-messages.ts';
import {webhookConfig} from './webhook-config.ts';

const withId = presetNames.filter(name => presets[name].sample.id !== undefined);
const retriesAt = (seconds: number) => withId.filter(name => seconds < Math.max(3600, presets[name].retrySeconds ?? 0));
const answers = (names: readonly PresetName[], status: string) => names.map(name => `${name} ${status}`);

describe.each(journalEngines)('with $engine', engine => {
	test.each([
		{action: 'agent', first: 'accepted'},
		{action: 'deliver-only', first: 'delivered'},
	] as const)(
		'a provider that retries after 3 s, 10 s, a restart and 20 hours has one run or one message ($action)',
		async ({action, first: firstStatus}) => {
			const clock = createFakeClock();
			const place = await engine.newPlace();
			const sent: string[] = [];
			const deliver = [{target: 'telegram', extra: {}}];
			const routes = withId.map(name => ({...routeOf(providerOf(name)), name, action, deliver}));
			const start = async () => {
				const journal = await engine.open({place, clock});
				const {url, adapter} = await openAdapter({
					config: webhookConfig({routes, rateLimit: 1000}),
					journal,
					clock,
					fetchText: fetchProviderKeys,
					async deliver({route, target}) {
						sent.push(route);
						return {kind: 'delivered', target};
					},
				});
				const post = async (name: PresetName) => {
					const {body, headers} = providerOf(name).sendSample(Math.floor(clock.now() / 1000));
					const type = {'content-type': 'application/json'};
					const response = await fetch(`${url}/webhooks/${name}`, {
						method: 'POST',
						body,
						headers: {...type, ...headers},
					});
					return `${name} ${Object(await response.json()).status}`;
				};

				return {journal, adapter, post};
			};

			const first = await start();
			expect(await Promise.all(withId.map(first.post))).toEqual(answers(withId, firstStatus));
			for (const milliseconds of [3000, 7000]) {
				await clock.advance(milliseconds);
				expect(await Promise.all(withId.map(first.post))).toEqual(answers(withId, 'duplicate'));
			}

			await first.adapter.close();
			await first.journal.close();

			const second = await start();
			expect(await Promise.all(withId.map(second.post))).toEqual(answers(withId, 'duplicate'));
			await clock.advance(72_000_000 - 10_000);
			const late = retriesAt(72_000);
			expect(late.length).toBeGreaterThan(5);
			expect(await Promise.all(late.map(second.post))).toEqual(answers(late, 'duplicate'));
			const runs = await second.journal.listRuns({limit: 100});
			const done = action === 'agent' ? runs.map(({route}) => route) : sent;
			expect(done.toSorted()).toEqual([...withId].toSorted());
		},
	);
});

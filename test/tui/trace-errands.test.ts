import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {answerFrom, failedDelivery, openHistory} from '../gateway/pages/traced-history.ts';
import {openDashboard} from './open-dashboard.ts';
import {run, started, webhook} from './sample-events.ts';

describe.each([
	{way: 'in one process', attached: []},
	{
		way: 'attached',
		attached: [{type: 'view.console', state: 'attached', number: 2, pid: 4711, mode: 'deciding'} as const],
	},
])('errands, $way', ({attached}) => {
	/** The dashboard of a gateway that answers from its journal, as over the wire. */
	const open = async (...rows: readonly GatewayEventBody[]) => {
		const history = await openHistory();
		const dashboard = await openDashboard({events: [started(), ...attached, ...rows]});
		let answered = 0;
		let keys = 0;
		return {
			...dashboard,
			keys: () => keys,
			press: async (key: string) => {
				keys++;
				await dashboard.press(key);
				for (const call of dashboard.sent.slice(answered)) {
					answered++;
					const answer = await answerFrom(history, 'method' in call ? call : expect.fail('no call'));
					await dashboard.dispatch(JSON.parse(JSON.stringify(answer)));
				}
			},
		};
	};

	test('from a delivery that failed to what the platform answered takes 3 keys', async () => {
		const {press, shows, keys} = await open(webhook('push'), {...failedDelivery, route: 'pulls'});
		await press('3');
		await press('\r');
		await shows('where 5.1 s went');
		await press('\r');
		await shows('reason: status 403: not_in_channel');
		expect(keys()).toBe(3);
	});

	test('from an event whose run failed to the failing delivery takes 2 keys', async () => {
		const {press, shows, keys} = await open(webhook('pulls'));
		await press('3');
		await press('\r');
		await shows('✖ not delivered slack  status 403: not_in_channel');
		expect(keys()).toBe(2);
	});

	test('to the text that a run delivered takes 3 keys', async () => {
		const {press, shows, keys} = await open(run('r1', {state: 'failed'}));
		await press('4');
		await press('\r');
		await press('\r');
		await shows('All is well');
		await shows('Delivery m1');
		expect(keys()).toBe(3);
	});
});

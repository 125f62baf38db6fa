import {expect, test} from 'vitest';
import {runSluiceJson} from '../helpers/run-sluice.ts';
import {openDashboard, pressUntil, startSluice, stateDirectory, webhookAddress} from '../helpers/sluice.ts';
import {listeningAt, post, webhookPlatform} from './sender.ts';

const delivery = {id: 'delivery-7', event: 'issues', payload: {issue: {number: 7, title: 'The barrel leaks'}}};

test('an accepted event survives SIGKILL, runs exactly once, and its delivery id stays known', async () => {
	const home = stateDirectory(webhookPlatform({issues: {prompt: 'Look at issue {issue.number}: {issue.title}'}}));
	const gateway = startSluice({home}, 'gateway', 'run', '--log', 'json');
	const answer = await post(await listeningAt(gateway), delivery);
	gateway.signal('SIGKILL');
	expect((await gateway.end).code).toBe(137);
	expect(answer.status).toBe(202);

	// The next start shows the event's prompt in the inbox.
	const dashboard = openDashboard({home});
	const address = await webhookAddress(dashboard);
	await pressUntil(dashboard, '4', /4 Runs and inbox · 1 [\s\S]*◇ inbox .* issues +"issues" +no model configured/);
	dashboard.press('\r');
	await dashboard.waitFor(/> +\+.* inbox +no model configured/);
	dashboard.press('\r');
	await dashboard.waitFor('Look at issue 7: The barrel leaks');

	const events = await runSluiceJson({home}, 'events', 'list');
	expect(events).toMatchObject([{route: 'issues', event: 'issues', delivery_id: 'delivery-7', status: 202}]);

	// The sender tries again, as senders do that did not hear the answer.
	expect(await post(address, delivery)).toEqual({
		status: 200,
		body: {status: 'duplicate', delivery_id: 'delivery-7'},
	});
	dashboard.press('\u001B');
	await dashboard.waitFor('─ Trace');
	dashboard.press('\u001B');
	await dashboard.waitFor('4 Runs and inbox · 1');
});

import {describe, expect, test} from 'vitest';
import {openDashboard} from '../open-dashboard.ts';
import {started} from '../sample-events.ts';

describe('the first screen', () => {
	const empty = [started({configured: {servers: 0, routes: 0}})];

	test('offers the demo', async () => {
		const {shows, press, sent} = await openDashboard({events: empty});
		await shows('see it work');
		await press('D');
		expect(sent).toEqual([{type: 'start-demo'}]);
	});

	test('turns on webhooks and shows their address', async () => {
		const {shows, press, sent, dispatch} = await openDashboard({events: empty});
		await press('w');
		expect(sent).toEqual([{method: 'webhook.enable', params: {}}]);
		await dispatch({type: 'webhook.state', state: 'listening', url: 'http://127.0.0.1:8644', routes: 0});
		await shows('webhooks listen at http://127.0.0.1:8644');
	});

	test('offers webhooks no longer once they listen, and asks before the demo closes them', async () => {
		const {shows, hides, press, sent, dispatch} = await openDashboard({events: empty});
		await dispatch({type: 'webhook.state', state: 'listening', url: 'http://127.0.0.1:8644', routes: 0});
		await hides('turn on webhooks');
		await press('w');
		await press('D');
		await shows('It replaces this gateway');
		expect(sent).toEqual([]);
		await press('y');
		expect(sent).toEqual([{type: 'start-demo'}]);
	});

	test('says that webhooks listen once they do, instead of that they are being turned on', async () => {
		const {shows, hides, press, dispatch} = await openDashboard({events: empty});
		await press('w');
		await shows('turning on webhooks');
		await dispatch({type: 'webhook.state', state: 'listening', url: 'http://127.0.0.1:8644', routes: 0});
		await hides('turning on webhooks');
	});

	test('offers no key that would do nothing', async () => {
		const {terminal, shows} = await openDashboard({events: empty});
		await shows('see it work');
		expect((await terminal.rows()).at(-1)).not.toMatch(/open|approvals|filter/u);
	});

	test('offers no change where the dashboard is read-only', async () => {
		const {terminal, shows} = await openDashboard({events: empty, settings: {readOnly: true}});
		await shows('read-only: this dashboard cannot change anything');
		expect(await terminal.text()).not.toMatch(/see it work|add a tool server|turn on webhooks|add server/u);
	});

	test('adds a server by name and command line', async () => {
		const {shows, press, sent} = await openDashboard({events: empty});
		await press('a');
		await shows('Add a tool server');
		await press('files');
		await shows('files');
		await press('\r');
		await shows('command or address');
		await press('npx -y server "a b"');
		await shows('server "a b"');
		await press('\r');
		expect(sent).toEqual([
			{
				method: 'mcp.add',
				params: {server: {kind: 'stdio', name: 'files', command: 'npx', args: ['-y', 'server', 'a b']}},
			},
		]);
	});

	test('takes a pasted address', async () => {
		const {shows, press, sent} = await openDashboard({events: empty});
		await press('a');
		await shows('name');
		await press('web\r');
		await shows('command or address');
		await press('\u001B[200~https://example.com/mcp\u001B[201~');
		await shows('https://example.com/mcp');
		await press('\r');
		expect(sent).toEqual([
			{method: 'mcp.add', params: {server: {kind: 'http', name: 'web', url: 'https://example.com/mcp'}}},
		]);
	});

	test('does not hide what is in trouble: a banner for each part says what to do until it is in order', async () => {
		const journal = {type: 'fault.state', part: 'journal', reason: 'restore journal.db'} as const;
		const routes = {type: 'fault.state', part: 'routes', reason: 'give it a secret'} as const;
		const {shows, hides, press, dispatch} = await openDashboard({events: [journal, routes, ...empty]});
		await shows(`✖ ${journal.reason}`);
		await press('W');
		await shows(`✖ ${routes.reason}`);
		await dispatch({type: 'fault.state', part: 'journal'});
		await hides(journal.reason);
		await shows(`✖ ${routes.reason}`);
	});

	test('does not hide a file that cannot be used: a banner says why until it is corrected', async () => {
		const reason = 'config.yaml:2:1: a mapping is expected';
		const {shows, hides, press, dispatch} = await openDashboard({
			events: [{type: 'config.state', state: 'unusable', reason}, ...empty],
		});
		await shows(`✖ ${reason} · the configuration`);
		await hides('nothing is configured yet');
		await press('W');
		await shows(reason);
		await dispatch({type: 'config.state', state: 'read'});
		await hides(reason);
	});

	test('is no modal: the views are there', async () => {
		const {shows, press} = await openDashboard({events: empty});
		await press('W');
		await shows('the log is empty');
	});
});

import {describe, expect, test} from 'vitest';
import {openDashboard} from './open-dashboard.ts';
import {openWith, running} from './open-with.ts';
import {approval, call, log, question, server, settled, started, tool, tools, webhook} from './sample-events.ts';

describe('a manual call', () => {
	const list = tools(
		tool('add', {
			inputSchema: {type: 'object', required: ['title'], properties: {title: {type: 'string'}, meta: {type: 'object'}}},
		}),
	);

	test('sends what its form holds and shows the result', async () => {
		const {press, shows, sent, dispatch} = await openWith(
			[server('a'), list],
			[
				['t', 'add'],
				['e', 'Call mcp__github__add'],
				['Hi', '> Hi'],
				['\r', 'meta optional · JSON'],
				['{"a":1}', '{"a":1}'],
				['\r', '> enter calls'],
			],
		);
		await press('\r');
		const [, withCommand] = sent;
		expect(withCommand).toEqual({
			method: 'mcp.call',
			params: {name: 'mcp__github__add', arguments: {title: 'Hi', meta: {a: 1}}, approve: false},
			profile: 'default',
		});
		await shows('under way');
		await dispatch({type: 'view.call', requestId: 'hand-1', name: 'mcp__github__add', outcome: 'ok', text: 'added'});
		await shows(' added');
	});

	test('says that it waits for an approval', async () => {
		const {dispatch, shows, press} = await openWith(
			[server('a'), tools(tool('add', {inputSchema: {}}))],
			[
				['t', 'add'],
				['e', '> enter calls'],
			],
		);
		await press('\r');
		await dispatch(approval('1', {registeredName: 'mcp__github__add', origin: {kind: 'dashboard'}}));
		await shows('waits for your approval');
		await press('A');
		await shows('APPROVAL 1 of 1');
		await press('a');
		await dispatch(settled('1', {tool: 'add'}));
		await shows('Call by hand');
	});

	test('waits for the approval that this gateway asks for, and is not what a window of the same number has elsewhere', async () => {
		const {dispatch, shows, press, hides} = await openWith(
			[server('a'), tools(tool('add', {inputSchema: {}}))],
			[
				['t', 'add'],
				['e', '> enter calls'],
			],
		);
		await press('\r');
		const own = {registeredName: 'mcp__github__add', origin: {kind: 'dashboard'}} as const;
		await dispatch(call('c1', {...own, node: 'web-2'}));
		await dispatch({type: 'tool.progress', callId: 'c1', progress: 1, message: 'elsewhere'});
		await dispatch(approval('there', {...own, node: 'web-2', askedAt: 'another-node'}));
		await shows('under way');
		await hides('waits for your approval');
		await hides('elsewhere');
		await dispatch(approval('here', {...own, node: 'web-1'}));
		await shows('waits for your approval');
	});

	test('that is not registered is not called', async () => {
		const {shows, press, sent} = await openWith(
			[server('a'), tools(tool('wipe', {state: 'filtered', reason: 'excluded'}))],
			[['t', 'wipe']],
		);
		await press('e');
		await shows('wipe is not registered: excluded');
		expect(sent).toHaveLength(1);
	});
});

test('a list without a digit leads back to where it was opened', async () => {
	const {press, shows} = await openWith([server('a'), tools(tool('find'))], [['t', 'Tools · 1']]);
	await press('\u001B');
	await shows('─ servers ·');
});

test('a read-only dashboard asks for pages and changes nothing', async () => {
	const {press, sent, shows} = await openDashboard({
		events: [started(), server('a'), webhook('push'), question('q')],
		settings: {readOnly: true},
	});
	await press('l');
	await press('3');
	await press('e');
	await shows('read-only: this dashboard cannot change anything');
	await press('\r');
	expect(sent).toMatchObject([{method: 'mcp.view-log'}, {method: 'traces.view'}]);
});

test('the outcome of a reload replaces the line that says it is under way', async () => {
	const {shows, dispatch, hides} = await openWith(
		[],
		[
			[':', 'reload-mcp'],
			['reload-mcp\r', 'reloading the configuration'],
		],
	);
	await dispatch(log('reloaded: 1 added', {area: 'reload'}));
	await shows('reloaded: 1 added');
	await hides('reloading the configuration');
});

test('a passing word that is longer than the line is shown whole', async () => {
	const {shows, dispatch} = await openWith([server('a')], []);
	await dispatch(log(`${'word '.repeat(25)}end`, {level: 'warning'}));
	await shows('word end');
});

test('quitting asks about all that would be cut off', async () => {
	const {press, shows} = await openWith([call('c1'), running, question('q')], []);
	await press('q');
	await shows('Quit? 1 question will be cancelled, 1 call will be cut off');
});
